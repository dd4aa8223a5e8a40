import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { upgrade } from "../test/samples";
import { serve, show } from "../test/show";
import type { Overview } from "../wire/model";
import { bySeverity, summary } from "./Health";
import { near } from "./errors";
import { OverviewPage } from "./Overview";

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
  skew: [
    {
      service: "secrets.example.com",
      versions: [
        { version: "v1alpha2", count: 2 },
        { version: "v1", count: 1 },
      ],
    },
  ],
  windows: [],
  followed: [],
};
const health = {
  status: "ok",
  components: [{ name: "database", status: "ok", detail: "1 ms", since: null, remedy: null, runbook: "" }],
};

it("shows the numbers of now, each leading to its list", async () => {
  serve({ "GET /overview": overview, "GET /health": health });
  show(<OverviewPage />);
  const mine = await screen.findByRole("link", { name: /1 awaiting you/ });
  expect(mine.getAttribute("href")).toBe("/approvals?tab=mine");
  expect(screen.getByRole("link", { name: /3 rollback open/ })).toBeTruthy();
  expect(screen.getByText("Copying data: 12 of 16 shards are caught up.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "v1alpha2: 2" }).getAttribute("href")).toBe(
    "/fleet?service=secrets.example.com&version=v1alpha2",
  );
  expect(await screen.findByText("All 1 components are healthy.")).toBeTruthy();
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
    "DELETE /asks/a2": { title: "Gone", status: 404, detail: "Nobody asks for that any more." },
  });
  show(<OverviewPage />);
  await userEvent.click(await screen.findByRole("button", { name: `Dismiss: ${ask}` }));
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw: Retire…" }));
  expect(await screen.findByText("Nobody asks for that any more.")).toBeTruthy();
  expect(sent.filter((each) => each.method === "DELETE").map((each) => each.path)).toEqual(["/asks/a1", "/asks/a2"]);
});

it("says what to do first on an empty fleet", async () => {
  serve({ "GET /overview": { ...overview, needs_you: [], running: [], skew: [] }, "GET /health": health });
  show(<OverviewPage />);
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
  show(<OverviewPage />);
  expect(await screen.findByText("PostgreSQL refused the connection.")).toBeTruthy();
  expect(screen.getByRole("button", { name: /r-7/ })).toBeTruthy();
});

it("puts broken components first and names them", () => {
  const parts = [
    { name: "database", status: "ok", detail: "", since: null, remedy: null, runbook: "" },
    { name: "broker", status: "down", detail: "", since: null, remedy: null, runbook: "" },
  ] as const;
  expect(bySeverity(parts).map((part) => part.name)).toEqual(["broker", "database"]);
  expect(summary(parts)).toBe("1 of 2 components is not healthy: broker.");
});

it("finds pages with a near name", () => {
  expect(near("/fleets", ["/", "/fleet", "/upgrades"])).toEqual(["/fleet"]);
});
