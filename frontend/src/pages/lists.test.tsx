import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { serve, show, type Sent } from "../test/show";
import { tick } from "../time/clock";
import type { AuditEntry, UpgradeSummary } from "../wire/model";
import { ActivityPage, changes, exportOf, traceOf } from "./Activity";
import { DeploymentPage } from "./Deployment";
import { marked, runbooks, RunbooksPage } from "./Runbooks";
import { UpgradesPage } from "./Upgrades";

const NOW = Date.parse("2026-03-01T14:10:00Z");
const page = (items: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> => ({
  items,
  next_cursor: null,
  has_more: false,
  ...more,
});
const session = (...permissions: string[]): Record<string, unknown> => ({
  account: { name: "olga", email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});

function Address() {
  return <p data-testid="address">{decodeURIComponent(useLocation().search)}</p>;
}
const address = (): string => screen.getByTestId("address").textContent ?? "";

beforeEach(() => tick.set(NOW));

const upgrade = (id: string, part: Partial<UpgradeSummary> = {}): UpgradeSummary =>
  ({
    id,
    service: "iam.example.com",
    region: id,
    from_version: "v1alpha2",
    to_version: "v1",
    state: "SYNCING",
    paused: false,
    stall: null,
    blockages: [],
    sentence: "Copying.",
    requested_by: "olga",
    created_at: "2026-03-01T14:00:00Z",
    progress: { percent: 40, eta: { low_seconds: 60, high_seconds: 180 } },
    ...part,
  }) as UpgradeSummary;

describe("the list of upgrades", () => {
  function open(items: UpgradeSummary[], query = "", more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({ "GET /upgrades": page(items), "GET /session": session("upgrade.plan"), ...more });
    show(
      <>
        <UpgradesPage />
        <Address />
      </>,
      `/upgrades${query}`,
    );
    return sent;
  }

  it("says of each how far it is, and what holds it up", async () => {
    open([
      upgrade("eu-1"),
      upgrade("eu-2", { state: "READY" }),
      upgrade("eu-3", { state: "PLANNED" }),
      upgrade("eu-4", { progress: { percent: null } as never }),
      upgrade("eu-5", { blockages: [{}] as never }),
    ]);
    const rows = await screen.findAllByRole("row", { name: /iam\.example\.com @/ });
    expect(rows.map((row) => /(40 % 1–3 min left|not counted yet)/.exec(row.textContent ?? "")?.[0])).toEqual([
      "40 % 1–3 min left",
      undefined,
      undefined,
      "not counted yet",
      "40 % 1–3 min left",
    ]);
    expect(within(rows[4] as HTMLElement).getByText("Syncing, blocked")).toBeTruthy();
    expect(screen.getByRole("link", { name: "iam.example.com @ eu-1" }).getAttribute("href")).toBe("/upgrades/eu-1");
  });

  it("shows the columns and the height of rows that were chosen, and keeps them in this browser", async () => {
    open([upgrade("eu-1")]);
    await screen.findByText("iam.example.com @ eu-1");
    expect(screen.getByRole("columnheader", { name: "Planned by" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Display" }));
    fireEvent.click(await screen.findByRole("checkbox", { name: "Planned by" }));
    expect(screen.queryByRole("columnheader", { name: "Planned by" })).toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: "Compact" }));
    expect(document.querySelector(".compact table")).toBeTruthy();
    expect(localStorage.getItem("switchyard.hidden-columns")).toBe('{"upgrades":["planned-by"]}');
    expect(localStorage.getItem("switchyard.density")).toBe('"compact"');
    fireEvent.click(screen.getByRole("checkbox", { name: "Planned by" }));
    expect(screen.getByRole("columnheader", { name: "Planned by" })).toBeTruthy();
  });

  it("asks the server for what is filtered, and keeps the filter in the address", async () => {
    const sent = open([upgrade("eu-1")]);
    await screen.findByText("iam.example.com @ eu-1");
    fireEvent.click(screen.getByLabelText("Running only"));
    fireEvent.change(screen.getByRole("searchbox", { name: "Deployment" }), { target: { value: "iam" } });
    await waitFor(() => expect(address()).toBe("?live=true&q=iam"));
    await waitFor(() => {
      const asked = new URLSearchParams(sent.at(-1)?.path.split("?")[1]);
      expect([asked.get("live"), asked.get("q")]).toEqual(["true", "iam"]);
    });
    fireEvent.click(screen.getByLabelText("Running only"));
    await waitFor(() => expect(address()).toBe("?q=iam"));
  });

  it("clears what nothing matches, and says what an upgrade is where there is none at all", async () => {
    open([], "?state=READY&stalled=true");
    expect(await screen.findByText("No upgrade matches.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("No upgrades yet.")).toBeTruthy();
    expect(address()).toBe("");
  });

  it("gives no filters to who may not read it", async () => {
    open([], "", { "GET /upgrades": { title: "Forbidden", status: 403, who_can: ["viewer"] } });
    expect(await screen.findByText("Allowed for: viewer")).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  it("says which deployment it is narrowed to, and widens again", async () => {
    open([upgrade("eu-1")], "?service=iam.example.com&region=eu-1");
    fireEvent.click(await screen.findByRole("button", { name: "Only iam.example.com @ eu-1: show all" }));
    await waitFor(() => expect(address()).toBe(""));
  });
});

describe("the activity", () => {
  const entry = (id: number, part: Partial<AuditEntry> = {}): AuditEntry =>
    ({
      id,
      at: "2026-03-01T14:00:00Z",
      actor: "olga",
      actor_kind: "user",
      action: "upgrade.start",
      target: "u1",
      target_kind: "upgrade",
      outcome: "done",
      reason: "",
      request_id: "r-1",
      address: "10.0.0.1",
      token: "",
      seq: 7,
      digest: "9c1d02aa77e0ffee1234",
      before: null,
      after: null,
      ...part,
    }) as AuditEntry;

  function open(items: AuditEntry[], query = "", more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({
      "GET /audit": page(items),
      "GET /audit/chain": { intact: true, length: 12, unsealed: 0, broken_at: null, reason: "" },
      "GET /session": session("audit.read", "audit.export"),
      ...more,
    });
    show(
      <>
        <ActivityPage />
        <Address />
      </>,
      `/activity${query}`,
    );
    return sent;
  }

  it("of an entry is what it changed, field by field", () => {
    expect(changes({ before: { a: 1, b: "x", c: [1] }, after: { a: 1, b: "y", c: [1], d: null } })).toEqual([
      { field: "b", before: "x", after: "y" },
      { field: "d", before: "", after: "null" },
    ]);
    expect(changes({ before: null, after: { name: "ann" } })).toEqual([{ field: "name", before: "", after: "ann" }]);
    expect(changes({ before: null, after: null })).toEqual([]);
  });

  it("is exported as it is filtered", () => {
    expect(exportOf({ actor: "ann", action: "", target: "a b" }, "csv")).toBe(
      "/api/v1/audit/export?actor=ann&target=a+b&as=csv",
    );
    expect(traceOf("request_id", "r 1")).toBe("/activity?request_id=r+1");
  });

  it("opens one entry at a time, with its seal and what it changed", async () => {
    open([
      entry(1, { before: { votes: 2 }, after: { votes: 3 } }),
      entry(2, { outcome: "denied", reason: "No right." }),
    ]);
    const [first, second] = await screen.findAllByRole("button", { name: "Details" });
    fireEvent.click(first as HTMLElement);
    expect(screen.getByRole("row", { name: "votes 2 3" })).toBeTruthy();
    expect(screen.getByText("7 · 9c1d02aa77e0ffee")).toBeTruthy();
    fireEvent.click(second as HTMLElement);
    expect(screen.queryByRole("row", { name: "votes 2 3" })).toBeNull();
    expect(screen.getAllByText("No right.")).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText("7 · 9c1d02aa77e0ffee")).toBeNull();
  });

  it("hides dry runs and sign-ins, says so, and shows everything at a press", async () => {
    const sent = open([entry(1)]);
    fireEvent.click(await screen.findByRole("button", { name: "Show everything" }));
    expect(sent.some((each) => each.path === "/audit?quiet=true")).toBe(true);
    await waitFor(() => expect(address()).toBe("?quiet=false"));
    expect(await screen.findByText("Dry runs and successful sign-ins are shown.")).toBeTruthy();
    expect(sent.some((each) => each.path === "/audit")).toBe(true);
  });

  it.each(["?request_id=r-1", "?outcome=dry_run"])("hides nothing of %s", async (query) => {
    const sent = open([entry(1)], query);
    expect(await screen.findByText("Dry runs and successful sign-ins are shown.")).toBeTruthy();
    expect(sent.some((each) => each.path === `/audit${query}`)).toBe(true);
  });

  it("asks for a day from its first moment on", async () => {
    const sent = open([entry(1)]);
    const since = await screen.findByRole("searchbox", { name: "From, such as 2026-03-01" });
    fireEvent.change(since, { target: { value: "2026-02-01" } });
    fireEvent.keyDown(since, { key: "Enter" });
    await waitFor(() => expect(address()).toBe("?since=2026-02-01T00:00:00Z"));
    await waitFor(() =>
      expect(new URLSearchParams(sent.at(-1)?.path.split("?")[1]).get("since")).toBe("2026-02-01T00:00:00Z"),
    );
  });

  it.each([
    [{ intact: false, length: 12, unsealed: 3, broken_at: null, reason: "" }, "12 verified, 3 not sealed yet"],
    [
      { intact: false, length: 12, unsealed: 0, broken_at: 5, reason: "digest differs" },
      "chain broken at 5: digest differs",
    ],
    [{ intact: true, length: 12, unsealed: 0, broken_at: null, reason: "" }, "chain of 12 entries verified"],
  ])("says how its chain is: %j", async (chain, text) => {
    open([], "", { "GET /audit/chain": chain });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("shows what a request began that went on after its answer", async () => {
    const operation = {
      id: "o1",
      kind: "rollout",
      target_kind: "rollout",
      target: "r7",
      state: "running",
      created_at: "2026-03-01T14:00:00Z",
      finished_at: null,
    };
    open([], "?request_id=r-1", { "GET /operations": page([operation]) });
    const row = (await screen.findByText("o1")).closest("tr") as HTMLElement;
    expect(within(row).getByRole("cell", { name: "rollout r7" })).toBeTruthy();
    expect(within(row).getByText("–")).toBeTruthy();
  });

  it("gives no file to who may not take one, and no filter to who may not read", async () => {
    open([], "", {
      "GET /audit": { title: "Forbidden", status: 403, who_can: ["auditor"] },
      "GET /session": session(),
    });
    expect(await screen.findByText("Allowed for: auditor")).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
    expect(screen.queryByRole("link", { name: "CSV" })).toBeNull();
  });
});

describe("runbooks", () => {
  const text =
    "# Runbooks\n\n## broker\nThe broker\nis down.\n\nWork goes on.\n\n1. Look at `valkey`.\n2. Start\n   it.\n\n## web\nNo steps.\n";

  it("are read from the page of the documentation", () => {
    expect(runbooks(text)).toEqual([
      {
        name: "broker",
        sentences: ["The broker is down.", "Work goes on."],
        steps: ["Look at `valkey`.", "Start it."],
      },
      { name: "web", sentences: ["No steps."], steps: [] },
    ]);
  });

  it("show commands as code and what matters in bold", () => {
    show(<p>{marked("Run `swy health`, *not* `swy up`; 2 * 3.")}</p>);
    expect([...document.querySelectorAll("code")].map((code) => code.textContent)).toEqual(["swy health", "swy up"]);
    expect(screen.getByText("not").tagName).toBe("B");
    expect(screen.getByText(/2 \* 3/)).toBeTruthy();
  });

  it("lead from their links to the documentation that the server has", () => {
    show(<RunbooksPage />);
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining([
        "/docs/reference/meta-api/#by-service-tokens",
        "/docs/how-to/run-in-production/#roles-of-the-database",
      ]),
    );
    expect(document.body.textContent).not.toContain("](");
  });

  it("take the focus to the one that the address names", async () => {
    show(<RunbooksPage />, "/runbooks#broker");
    await waitFor(() => expect(document.activeElement?.id).toBe("broker"));
    expect(within(document.activeElement as HTMLElement).getAllByRole("listitem").length).toBeGreaterThan(0);
  });
});

describe("the page of a deployment", () => {
  const deployment = (part: Record<string, unknown> = {}): Record<string, unknown> => ({
    name: "services/iam.example.com/deployments/eu-1",
    service: "iam.example.com",
    region: "eu-1",
    current_version: "v1alpha2",
    target_version: null,
    newest_version: "v1",
    state: "",
    disabled: false,
    sentence: "It serves v1alpha2.",
    active_upgrade: null,
    upgrades: [],
    reachable_versions: [],
    imported_versions: [],
    namespaces: [],
    labels: {},
    resharded: null,
    actions: [],
    ...part,
  });
  function open(part: Record<string, unknown>, query: string, more: Record<string, unknown> = {}): void {
    serve({
      "GET /deployments/iam.example.com/eu-1": deployment(part),
      "GET /session": session("audit.read"),
      ...more,
    });
    show(
      <>
        <Routes>
          <Route path="/d/:service/:region" element={<DeploymentPage />} />
        </Routes>
        <Address />
      </>,
      `/d/iam.example.com/eu-1${query}`,
    );
  }

  it("opens the part that the address names, and keeps the one that is chosen there", async () => {
    open({}, "?tab=raw");
    const raw = await screen.findByRole("region", { name: "JSON" });
    expect(JSON.parse(raw.textContent ?? "")).toMatchObject({ region: "eu-1", current_version: "v1alpha2" });
    fireEvent.click(screen.getByRole("tab", { name: "Windows" }));
    await waitFor(() => expect(address()).toBe("?tab=windows"));
  });

  it("says whether a switch is permitted now, and by which rule", async () => {
    open({}, "?tab=windows", {
      "GET /windows/explain": {
        allowed: false,
        sentence: "A freeze holds until Monday.",
        considered: ["year-end (deny): open", "nights (allow): closed"],
        winner: "year-end",
        next_open: null,
      },
    });
    expect(await screen.findByText("A freeze holds until Monday.")).toBeTruthy();
    expect(screen.getByText("year-end (deny): open (effective)").tagName).toBe("B");
    expect(screen.getByText("nights (allow): closed").tagName).toBe("LI");
  });

  it("leads to what it serves, to its running upgrade and to the newest version", async () => {
    open({ active_upgrade: "u7" }, "?tab=raw");
    const to = async (name: string): Promise<string | null> =>
      (await screen.findByRole("link", { name })).getAttribute("href");
    expect(await to("Open the upgrade")).toBe("/upgrades/u7");
    expect(await to("Resources")).toBe("/resources?service=iam.example.com&region=eu-1");
    expect(await to("Compatibility with v1")).toBe("/compat/iam.example.com/v1alpha2..v1");
    expect(screen.queryByRole("link", { name: "Activity log" })).toBeNull();
  });

  it("says that it is disabled, and that its shards were counted anew", async () => {
    open({ disabled: true, resharded: { before: 16, after: 32, at: "2026-03-01T14:00:00Z" } }, "?tab=raw");
    expect(await screen.findByText(/it does not sync and cannot be upgraded/)).toBeTruthy();
    expect(screen.getByText(/Resharded 16 to 32/)).toBeTruthy();
  });

  it("lists what was done to it, and by its upgrades, to who may read that", async () => {
    const entry = {
      id: 1,
      at: "2026-03-01T14:00:00Z",
      actor: "",
      action: "deployment.evict",
      action_title: "Evict a region",
      outcome: "denied",
      reason: "2 votes are missing",
    };
    open({}, "?tab=activity", {
      "GET /audit?service=iam.example.com&region=eu-1&quiet=true&limit=20": page([entry]),
    });
    expect((await screen.findByText(/Evict a region/)).closest("li")?.textContent).toContain(
      "none Evict a region denied 2 votes are missing",
    );
    expect(screen.getByRole("link", { name: "All activity" }).getAttribute("href")).toBe(
      "/activity?service=iam.example.com&region=eu-1",
    );
  });
});
