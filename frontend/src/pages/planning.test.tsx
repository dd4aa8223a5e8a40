import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { drafts } from "../parts/forms/drafts";
import { check } from "../test/samples";
import { serve, show, type Sent } from "../test/show";
import { DraftList, PlanPage, verdict } from "./Plan";

const NAME = "services/iam.example.com/deployments/eu-1";
const cell = {
  name: NAME,
  service: "iam.example.com",
  region: "eu-1",
  current_version: "v1alpha2",
  target_version: null,
  state: "IDLE",
  labels: {},
};
const deployment = {
  ...cell,
  reachable_versions: [
    { version: "v1", reachable: true, reason: "" },
    { version: "v2", reachable: false, reason: "v2 is reached through v1." },
    { version: "v1alpha2", reachable: true, reason: "" },
  ],
};
const prospects = {
  policy: { name: "prod", needed: 0, group: "approver", critical: false, sentence: "No votes.", reason: "*" },
  window: { allowed: true, sentence: "Any time.", next_open: null },
  resources: null,
  took: null,
  rollback: "Rollback stays possible for 7 days.",
  dependants: [],
};

function answers(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    "GET /fleet": { cells: [cell], services: [], regions: [] },
    "GET /deployments/iam.example.com/eu-1": deployment,
    "GET /session": {
      account: { name: "olga", email: "", roles: [], permissions: ["upgrade.plan"], reach: [], zone: "", bounds: {} },
      csrf_token: "",
      server_time: "",
    },
    "POST /upgrades?dry_run=true": {
      checks: [check("route", "pass", "v1 can be reached.")],
      would: ["Create a namespace.", "Copy 16 shards."],
      prospects,
    },
    ...more,
  };
}

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

function open(query: string, more: Record<string, unknown> = {}): Sent[] {
  const sent = serve(answers(more));
  show(
    <>
      <Routes>
        <Route path="/upgrades/new" element={<PlanPage />} />
        <Route path="*" element={<p>elsewhere</p>} />
      </Routes>
      <Address />
    </>,
    `/upgrades/new${query}`,
  );
  return sent;
}

const address = (): string => screen.getByTestId("address").textContent ?? "";
const planned = (sent: Sent[]): Sent[] => sent.filter((one) => one.method === "POST" && !one.path.includes("dry_run"));
const CHOSEN = `?deployment=${encodeURIComponent(NAME)}&target=v1`;

beforeEach(() => drafts.set([]));

describe("the verdict of a dry run", () => {
  it.each([
    [["pass", "skipped"], "ok", "Ready to start."],
    [["pass", "warn"], "wait", "Ready to start, with one warning."],
    [["warn", "warn"], "wait", "Ready to start, with 2 warnings."],
    [["fail", "warn", "pass"], "bad", "1 of 3 checks does not pass."],
    [["unknown", "pending", "pass"], "bad", "2 of 3 checks do not pass."],
    [[], "ok", "Ready to start."],
  ] as const)("of %j", (verdicts, tone, text) => {
    expect(verdict(verdicts.map((each, at) => check(String(at), each, "")))).toEqual({ tone, text });
  });
});

describe("a plan", () => {
  it("is rehearsed as soon as deployment and version are chosen, and names what cannot be reached", async () => {
    const sent = open(CHOSEN);
    expect(await screen.findByText("Copy 16 shards.")).toBeTruthy();
    expect(screen.getByText("Ready to start.")).toBeTruthy();
    expect(await screen.findByText("v2 is reached through v1.")).toBeTruthy();
    const [rehearsed] = sent.filter((one) => one.path.includes("dry_run"));
    expect(rehearsed?.body).toEqual({
      deployment: NAME,
      target_version: "v1",
      kind: "version",
      target_shard_count: 0,
      comment: "",
      automatic: false,
      start: true,
    });
    expect(planned(sent)).toEqual([]);
  });

  it("is created once with what was chosen, and its page opens", async () => {
    const sent = open(CHOSEN, { "POST /upgrades": { id: "u7" } });
    await screen.findByText("Copy 16 shards.");
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "For the portal." } });
    fireEvent.click(screen.getByLabelText("Start the backfill immediately"));
    fireEvent.click(await screen.findByRole("button", { name: "Create" }));
    expect(await screen.findByText("elsewhere")).toBeTruthy();
    expect(address()).toBe("/upgrades/u7");
    expect(planned(sent).map((one) => one.body)).toEqual([
      {
        deployment: NAME,
        target_version: "v1",
        kind: "version",
        target_shard_count: 0,
        comment: "For the portal.",
        automatic: false,
        start: false,
      },
    ]);
    expect(planned(sent)[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("keeps what is chosen in the address, so that it can be shared", async () => {
    open(CHOSEN);
    await screen.findByText("Copy 16 shards.");
    fireEvent.click(screen.getByLabelText(/^Switch automatically/));
    await waitFor(() => expect(address()).toContain("automatic=yes"));
    const reason = screen.getByLabelText("Reason");
    fireEvent.change(reason, { target: { value: "why" } });
    expect(address()).not.toContain("why=");
    fireEvent.blur(reason);
    await waitFor(() => expect(address()).toContain("why=why"));
  });

  it("takes `to` for the target, where somebody wrote the address by hand", async () => {
    open(`?deployment=${encodeURIComponent(NAME)}&to=v1`);
    await waitFor(() => expect(address()).toContain("target=v1"));
    expect(address()).not.toContain("to=v1&");
    expect(new URLSearchParams(address().split("?")[1]).get("to")).toBeNull();
  });

  it("says why it was refused, and goes nowhere", async () => {
    const sent = open(CHOSEN, {
      "POST /upgrades": { title: "Not now", status: 409, detail: "An upgrade is under way." },
    });
    await screen.findByText("Copy 16 shards.");
    fireEvent.click(await screen.findByRole("button", { name: "Create and start" }));
    expect(await screen.findByText("An upgrade is under way.")).toBeTruthy();
    expect(address()).toContain("/upgrades/new");
    fireEvent.click(screen.getByRole("button", { name: "Create and start" }));
    await waitFor(() => expect(planned(sent)).toHaveLength(2));
    const keys = new Set(planned(sent).map((one) => one.headers.get("Idempotency-Key")));
    expect(keys.size).toBe(1);
  });

  it("warns beside the button of what the dry run found", async () => {
    open(CHOSEN, {
      "POST /upgrades?dry_run=true": { checks: [check("room", "fail", "No room.")], would: [], prospects },
    });
    expect((await screen.findByText(/^Dry run:/)).textContent?.trim()).toBe("Dry run: 1 of 1 check does not pass.");
  });

  it("cannot be created before a version is chosen", async () => {
    const sent = open(`?deployment=${encodeURIComponent(NAME)}`);
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Create and start" })).disabled).toBe(true);
    expect(screen.getByText("Choose a deployment, and a version or a shard count.")).toBeTruthy();
    expect(sent.some((one) => one.path.includes("dry_run"))).toBe(false);
  });

  it("has nothing to plan where no deployment is registered", async () => {
    open("", { "GET /fleet": { cells: [], services: [], regions: [] } });
    expect(await screen.findByText("No deployment is registered.")).toBeTruthy();
  });
});

describe("drafts", () => {
  it("are kept with what was typed, and thrown away with the plan that was made of them", async () => {
    open(CHOSEN, { "POST /upgrades": { id: "u7" } });
    await screen.findByText("Copy 16 shards.");
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "later" } });
    fireEvent.click(screen.getByRole("button", { name: "Save draft" }));
    expect(drafts.get().map((draft) => [draft.title, new URLSearchParams(draft.query).get("why")])).toEqual([
      ["iam.example.com @ eu-1 to v1", "later"],
    ]);
    fireEvent.click(await screen.findByRole("button", { name: "Create and start" }));
    expect(await screen.findByText("elsewhere")).toBeTruthy();
    expect(drafts.get()).toEqual([]);
  });

  it("are listed form by form, and discarded one by one", () => {
    drafts.set([
      { title: "iam to v1", query: "deployment=a&target=v1", at: "2026-03-01T14:00:00Z" },
      { title: "all to v1", query: "target=v1&waves=2", at: "2026-03-01T14:00:00Z", form: "rollout" },
      { title: "secrets to v2", query: "deployment=b&target=v2", at: "2026-03-01T14:00:00Z" },
    ]);
    show(<DraftList />);
    const titles = (): (string | null)[] => screen.getAllByRole("link").map((link) => link.textContent);
    expect(titles()).toEqual(["iam to v1", "secrets to v2"]);
    expect(screen.getByRole("link", { name: "iam to v1" }).getAttribute("href")).toBe(
      "/upgrades/new?deployment=a&target=v1",
    );
    act(() => screen.getByRole("button", { name: "Discard the draft iam to v1" }).click());
    expect(titles()).toEqual(["secrets to v2"]);
    expect(drafts.get()).toHaveLength(2);
  });

  it("of a rollout have a list of their own", () => {
    drafts.set([{ title: "all to v1", query: "target=v1&waves=2", at: "2026-03-01T14:00:00Z", form: "rollout" }]);
    show(<DraftList form="rollout" path="/rollouts/new" />);
    const card = screen.getByRole("heading", { name: "Drafts" }).closest("section");
    expect(card && within(card).getByRole("link").getAttribute("href")).toBe("/rollouts/new?target=v1&waves=2");
  });
});
