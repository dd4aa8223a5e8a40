import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { serve, show, type Sent } from "../../test/show";
import { tick } from "../../time/clock";
import type { Cell, Fleet, Overview, UpgradeSummary } from "../../wire/model";
import { planAddress } from "./FleetCard";
import { OwnRequests, PendingTasks } from "./PendingTasks";
import { AvailableUpgrades, Strip } from "./Strip";

const NOW = Date.parse("2026-03-01T14:10:00Z");
const ahead = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const session = (...permissions: string[]): Record<string, unknown> => ({
  account: { name: "ann", email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});
const need = (id: string, part: Partial<Overview["needs_you"][number]> = {}): Overview["needs_you"][number] =>
  ({
    id,
    kind: "approval",
    sentence: `Vote on ${id}.`,
    link: `/approvals/${id}`,
    deadline: null,
    put_away: null,
    ...part,
  }) as never;
const overview = (part: Partial<Overview> = {}): Overview =>
  ({
    needs_you: [],
    followed: [],
    running: [],
    now: { running: 0, waiting_mine: 0, waiting_others: 0, stalled: 0, failed: 0, reversible: 0 },
    week: { switches: 0, rolled_back: 0, median_freeze_ms: null, longest_freeze_ms: null, newest: [] },
    ...part,
  }) as Overview;
const upgrade = (id: string, part: Partial<UpgradeSummary> = {}): UpgradeSummary =>
  ({
    id,
    service: "iam.example.com",
    region: id,
    state: "SYNCING",
    paused: false,
    stall: null,
    blockages: [],
    sentence: "",
    reversible_until: null,
    progress: { percent: 40, eta: { low_seconds: 60, high_seconds: 120 } },
    ...part,
  }) as UpgradeSummary;

beforeEach(() => tick.set(NOW));

it("plans one deployment by itself, and several as a rollout", () => {
  expect(planAddress(["services/a/deployments/eu"])).toBe("/upgrades/new?deployment=services%2Fa%2Fdeployments%2Feu");
  expect(planAddress(["a", "b"])).toBe("/rollouts/new?deployments=a%2Cb");
  expect(planAddress(["a", "b"], "v2")).toBe("/rollouts/new?deployments=a%2Cb&target=v2");
  expect(planAddress(["a"], "v2")).toBe("/upgrades/new?deployment=a&target=v2");
});

describe("what waits for a person", () => {
  it("leads to each task, with the time that is left", () => {
    show(<PendingTasks needs={[need("a1", { deadline: ahead(90) }), need("a2")]} />);
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Vote on a1.in 1 h 30 min",
      "Vote on a2.",
    ]);
    expect(screen.getByRole("link", { name: "Vote on a2." }).getAttribute("href")).toBe("/approvals/a2");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is dismissed where it is only news", async () => {
    const sent = serve({ "DELETE /asks/a1": {} });
    show(<PendingTasks needs={[need("n1", { put_away: "/asks/a1" })]} />);
    fireEvent.click(screen.getByRole("button", { name: "Dismiss: Vote on n1." }));
    await waitFor(() => expect(sent.map((one) => `${one.method} ${one.path}`)).toEqual(["DELETE /asks/a1"]));
  });

  it("says why it cannot be dismissed", async () => {
    serve({ "DELETE /asks/a1": { title: "Not now", status: 409, detail: "It waits for you." } });
    show(<PendingTasks needs={[need("n1", { put_away: "/asks/a1" })]} />);
    fireEvent.click(screen.getByRole("button", { name: "Dismiss: Vote on n1." }));
    expect((await screen.findByRole("alert")).textContent).toBe("It waits for you.");
  });

  it("is nothing where there is nothing", () => {
    show(<PendingTasks needs={[]} />);
    expect(screen.getByText("No pending tasks.")).toBeTruthy();
  });

  it("beside what the person asked of others, and may take back", async () => {
    const ask = (id: string, who: string): unknown => ({
      id,
      who,
      what: `Switch ${id}`,
      link: `/upgrades/${id}`,
      at: ahead(-5),
    });
    const sent: Sent[] = serve({
      "GET /session": session(),
      "GET /asks": { items: [ask("u1", "ann"), ask("u2", "bob")], has_more: false, next_cursor: null },
      "DELETE /asks/u1": {},
    });
    show(<OwnRequests />);
    expect((await screen.findByRole("listitem")).textContent).toBe("Switch u1 5 min agoWithdraw");
    fireEvent.click(screen.getByRole("button", { name: "Withdraw: Switch u1" }));
    await waitFor(() => expect(sent.some((one) => one.method === "DELETE" && one.path === "/asks/u1")).toBe(true));
  });
});

describe("what could be upgraded", () => {
  const service = (name: string): Fleet["services"][number] => ({
    name: `${name}.example.com`,
    display_name: name,
    versions: ["v1", "v2"],
    rank: 0,
    imports: [],
    import_versions: [],
  });
  const cell = (name: string, region: string, version = "v1"): Cell =>
    ({
      name: `services/${name}.example.com/deployments/${region}`,
      service: `${name}.example.com`,
      region,
      current_version: version,
      state: "IDLE",
      disabled: false,
      labels: {},
    }) as Cell;
  const fleet = (cells: Cell[]): Fleet =>
    ({ services: ["a", "b", "c", "d"].map(service), regions: [], cells }) as unknown as Fleet;

  it("is listed service by service, the most deployments first, and planned by who may", async () => {
    serve({ "GET /session": session("upgrade.plan") });
    show(
      <AvailableUpgrades
        fleet={fleet([
          cell("a", "eu"),
          cell("b", "eu"),
          cell("b", "us"),
          cell("c", "eu"),
          cell("d", "eu"),
          cell("a", "us", "v2"),
        ])}
      />,
    );
    expect(await screen.findByRole("link", { name: "Plan b v2" })).toBeTruthy();
    expect(screen.getByRole("heading").textContent).toBe("Ready to upgrade: 5 deployments");
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "bv22 regionsPlan",
      "av21 regionPlan",
      "cv21 regionPlan",
    ]);
    expect(screen.getByRole("link", { name: "1 more services" })).toBeTruthy();
  });

  it("is said to be nothing where all run the newest version", () => {
    serve({ "GET /session": session() });
    show(<AvailableUpgrades fleet={fleet([cell("a", "eu", "v2")])} />);
    expect(screen.getByText("Every deployment runs the newest version or is being upgraded.")).toBeTruthy();
  });
});

describe("the strip above the fleet", () => {
  function open(part: Partial<Overview>): void {
    serve({
      "GET /session": session(),
      "GET /asks": { items: [], has_more: false, next_cursor: null },
      "GET /health": {
        status: "degraded",
        components: [
          { name: "mail", status: "degraded" },
          { name: "web", status: "ok" },
        ],
      },
    });
    show(<Strip overview={overview(part)} fleet={undefined} />);
  }
  const links = (): string[] => screen.getAllByRole("link").map((link) => link.textContent ?? "");

  it("counts only what there is", async () => {
    open({ now: { running: 1, waiting_mine: 2, waiting_others: 3, stalled: 0, failed: 1, reversible: 0 } as never });
    expect(await screen.findByText("1 of 2 components is not healthy: mail.")).toBeTruthy();
    expect(links()).toEqual(expect.arrayContaining(["2 approvals", "3 awaiting others", "1 failed", "All upgrades"]));
    expect(links().some((link) => link.includes("stalled"))).toBe(false);
  });

  it("says of each upgrade how far it is and what is left", () => {
    open({
      running: [
        upgrade("eu-1"),
        upgrade("eu-2", { progress: { percent: null } as never }),
        upgrade("eu-3", { state: "REVERSIBLE", reversible_until: ahead(120) }),
        upgrade("eu-4", { state: "READY" }),
      ],
    });
    const rows = screen.getByText("iam @ eu-1").closest("ul") as HTMLElement;
    expect(
      within(rows)
        .getAllByRole("listitem")
        .map((row) => row.textContent),
    ).toEqual([
      "iam @ eu-1Syncing 40 % · 1–2 min left",
      "iam @ eu-2Syncing ",
      "iam @ eu-3Rollback open ends in 2 h",
      "iam @ eu-4Ready to switch ",
    ]);
  });

  it("sums up the switches of the last week", () => {
    open({
      week: {
        switches: 3,
        rolled_back: 1,
        median_freeze_ms: 180.4,
        longest_freeze_ms: 2140,
        newest: [
          {
            id: "u1",
            service: "iam.example.com",
            region: "eu",
            from_version: "v1",
            to_version: "v2",
            freeze_ms: null,
            at: ahead(-60),
          },
        ],
      } as never,
    });
    expect(screen.getAllByRole("definition").map((each) => each.textContent)).toEqual(["3", "180 ms"]);
    expect(screen.getByText(/^median pause of writes/).textContent).toBe("median pause of writes · longest 2.1 s");
    expect(screen.getByText("iam @ eu").closest("li")?.textContent).toContain("– · 1 h ago");
  });

  it("says that nothing is under way, and that nothing was switched", () => {
    open({});
    expect(screen.getByText("No upgrade is under way.")).toBeTruthy();
    expect(screen.getByText("No deployment was switched in the last 7 days.")).toBeTruthy();
  });
});
