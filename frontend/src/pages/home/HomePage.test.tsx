import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import type { Cell, Fleet, Overview } from "../../wire/model";
import { bySeverity, summary } from "../../parts/componentHealth";
import { near } from "../errors";
import { HomePage } from "./HomePage";

const overview: Overview = {
  now: { running: 2, waiting_mine: 1, waiting_others: 0, stalled: 0, failed: 0, reversible: 3 },
  needs_you: [
    {
      kind: "approval",
      link: "/approvals/a1",
      id: "a1",
      sentence: "secrets @ us-west2 asks to switch to v1",
      deadline: null,
    },
  ],
  running: [upgrade({ state: "SYNCING", sentence: "Copying data: 12 of 16 shards are caught up." })],
  skew: [],
  windows: [],
  followed: [],
  week: {
    switches: 2,
    rolled_back: 1,
    median_freeze_ms: 71.4,
    longest_freeze_ms: 1204,
    newest: [
      {
        id: "u9",
        service: "iam.example.com",
        region: "eu-1",
        from_version: "v1",
        to_version: "v2",
        at: "2026-03-01T13:00:00Z",
        freeze_ms: 71.4,
      },
    ],
  },
  first_use: false,
};
const cell = (service: string, region: string, part: Partial<Cell> = {}): Cell => ({
  service,
  region,
  name: `services/${service}/deployments/${region}`,
  current_version: "v1alpha2",
  target_version: null,
  state: "IDLE",
  ready: 0,
  total: 0,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
  ...part,
});
const SECRETS = "secrets.example.com";
const fleet: Fleet = {
  regions: ["eu-1", "us-1"].map((name) => ({ name, title: name, zone: "" })),
  services: [
    { name: "iam.example.com", display_name: "iam", versions: ["v1"], rank: 0, imports: [], import_versions: [] },
    {
      name: SECRETS,
      display_name: "secrets",
      versions: ["v1", "v1alpha2"],
      rank: 1,
      imports: ["iam.example.com"],
      import_versions: [],
    },
  ],
  cells: [cell("iam.example.com", "eu-1", { current_version: "v1" }), cell(SECRETS, "eu-1"), cell(SECRETS, "us-1")],
};
const session = {
  account: { name: "olga", email: "", roles: ["operator"], permissions: ["upgrade.plan"] },
  csrf_token: "",
  server_time: "2026-03-01T14:00:00Z",
  environment: "",
  version: "",
};
const health = {
  status: "ok",
  components: [{ name: "database", status: "ok", detail: "1 ms", since: null, remedy: null, runbook: "" }],
};

it("shows what waits, what runs, what was switched and what could be upgraded", async () => {
  serve({ "GET /overview": overview, "GET /health": health, "GET /fleet": fleet, "GET /session": session });
  show(<HomePage />);
  const mine = await screen.findByRole("link", { name: "1 approval" });
  expect(mine.getAttribute("href")).toBe("/approvals?tab=mine");
  expect(screen.getByRole("link", { name: "3 rollback open" })).toBeTruthy();
  expect(screen.getByRole("img", { name: "Step 3 of 8: Backfill" })).toBeTruthy();
  expect(screen.getByText("median pause of writes · longest 1.2 s")).toBeTruthy();
  expect(screen.getByRole("link", { name: "iam @ eu-1" }).getAttribute("href")).toBe("/upgrades/u9");
  const plan = await screen.findByRole("link", { name: "Plan secrets v1" });
  const deployments = ["eu-1", "us-1"].map((region) => `services/${SECRETS}/deployments/${region}`).join(",");
  expect(plan.getAttribute("href")).toBe(`/rollouts/new?deployments=${encodeURIComponent(deployments)}&target=v1`);
  expect(await screen.findByText("All 1 components are healthy.")).toBeTruthy();
});

it("walks the heat map by keys, selects by Shift and plans the selection", async () => {
  serve({ "GET /overview": overview, "GET /health": health, "GET /fleet": fleet, "GET /session": session });
  show(<HomePage />);
  const grid = await screen.findByRole("grid", { name: /Fleet by service and region/ });
  grid.focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("gridcell").textContent).toBe("secrets @ eu-1: v1alpha2 · serving · 1 version behind");
  expect(grid.getAttribute("aria-activedescendant")).toBe(screen.getByRole("gridcell").id);
  await userEvent.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect(screen.getByText("2 selected")).toBeTruthy();
  expect(screen.getByRole("gridcell").getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("button", { name: "Plan from selection (2)" })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("button", { name: /Plan from selection/ })).toBeNull();
  await userEvent.keyboard("{ArrowUp}{ArrowLeft}{ArrowDown}");
  expect(screen.getByRole("gridcell").textContent).toBe("iam @ us-1: not deployed");
});

it("collapses a group into one column, and Enter opens it again", async () => {
  serve({ "GET /overview": overview, "GET /health": health, "GET /fleet": fleet, "GET /session": session });
  show(<HomePage />);
  const tier = await screen.findByRole("button", { name: "tier 1, 1 service" });
  expect(tier.getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(tier);
  expect(tier.getAttribute("aria-expanded")).toBe("false");
});

it("reads callers only when they colour the map, and says where they are unknown", async () => {
  const sent = serve({
    "GET /overview": overview,
    "GET /health": health,
    "GET /fleet": fleet,
    "GET /session": session,
    "GET /fleet/callers": { title: "Denied", status: 403 },
  });
  show(<HomePage />);
  await userEvent.click(await screen.findByRole("radio", { name: "Lag" }));
  expect(sent.some((request) => request.path === "/fleet/callers")).toBe(false);
  await userEvent.click(screen.getByRole("radio", { name: "Callers of old" }));
  expect(await screen.findByText("Callers are unknown: the usage counts could not be read.")).toBeTruthy();
});

it("explains itself until the first upgrade was planned", async () => {
  serve({
    "GET /overview": { ...overview, first_use: true, week: { ...overview.week, switches: 0, newest: [] } },
    "GET /health": health,
    "GET /fleet": fleet,
    "GET /session": session,
  });
  show(<HomePage />);
  const plan = await screen.findByRole("link", { name: "Plan secrets @ eu-1 to v1" });
  expect(plan.getAttribute("href")).toBe(
    `/upgrades/new?deployment=${encodeURIComponent(`services/${SECRETS}/deployments/eu-1`)}&target=v1`,
  );
  expect(screen.getByText("No deployment was switched in the last 7 days.")).toBeTruthy();
});

it("puts away what others asked for, and takes back what one asked for oneself", async () => {
  const [ask, mine] = [
    "iris asks: New window or freeze.",
    {
      id: "a2",
      who: "olga",
      permission: "service.write",
      what: "Retire…",
      link: "/versions/iam",
      comment: "",
      at: "2026-03-01T14:00:00Z",
    },
  ];
  const sent = serve({
    "GET /overview": {
      ...overview,
      needs_you: [{ kind: "ask", id: "a1", sentence: ask, deadline: null, link: "/windows", put_away: "/asks/a1" }],
    },
    "GET /health": health,
    "GET /asks": { items: [mine, { ...mine, id: "a1", who: "iris", what: "New window or freeze" }] },
    "GET /session": {
      account: { name: "olga", email: "", roles: [], permissions: [] },
      csrf_token: "",
      server_time: "2026-03-01T00:00:00Z",
      environment: "",
      version: "",
    },
    "DELETE /asks/a1": {},
    "DELETE /asks/a2": { title: "Gone", status: 404, detail: "That request is not open any more." },
  });
  show(<HomePage />);
  await userEvent.click(await screen.findByRole("button", { name: `Dismiss: ${ask}` }));
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw: Retire…" }));
  expect(await screen.findByText("That request is not open any more.")).toBeTruthy();
  expect(sent.filter((each) => each.method === "DELETE").map((each) => each.path)).toEqual(["/asks/a1", "/asks/a2"]);
});

it("says what to do first on an empty fleet", async () => {
  serve({
    "GET /overview": { ...overview, needs_you: [], running: [] },
    "GET /health": health,
    "GET /fleet": { regions: [], services: [], cells: [] },
  });
  show(<HomePage />);
  expect(await screen.findByText("swy service apply examples/secrets")).toBeTruthy();
  expect(screen.getByText("No pending tasks.")).toBeTruthy();
});

it("shows the problem the server wrote, with its request id", async () => {
  serve({
    "GET /overview": {
      title: "The database does not answer",
      status: 503,
      detail: "PostgreSQL refused the connection.",
      request_id: "r-7",
    },
    "GET /health": health,
  });
  show(<HomePage />);
  expect(await screen.findByText("PostgreSQL refused the connection.")).toBeTruthy();
  expect(screen.getByRole("button", { name: /r-7/ })).toBeTruthy();
});

it("puts broken components first and names them", () => {
  const parts = [
    { name: "database", status: "ok", detail: "", since: null, remedy: null, runbook: "" },
    { name: "broker", status: "down", detail: "", since: null, remedy: null, runbook: "" },
  ] as const;
  expect(bySeverity(parts).map((part) => part.name)).toEqual(["broker", "database"]);
  expect(summary(parts)).toBe("1 of 2 components is not healthy: Message broker.");
});

it("finds pages with a near name", () => {
  expect(near("/fleets", ["/", "/fleet", "/upgrades"])).toEqual(["/fleet"]);
});
