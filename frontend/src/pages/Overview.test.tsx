import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { upgrade } from "../test/samples";
import { serve, show } from "../test/show";
import type { Overview } from "../wire/model";
import { bySeverity, summary } from "./Health";
import { near } from "./errors";
import { OverviewPage } from "./Overview";

const overview: Overview = {
  now: { running: 2, waiting_mine: 1, waiting_others: 0, stalled: 0, failed: 0, reversible: 3 },
  needs_you: [{ kind: "approval", link: "/approvals/a1", id: "a1", sentence: "secrets @ us-west2 asks to switch to v1", deadline: null }],
  running: [upgrade({ state: "SYNCING", sentence: "Copying data: 12 of 16 shards are level." })],
  skew: [{ service: "secrets.example.com", versions: [{ version: "v1alpha2", count: 2 }, { version: "v1", count: 1 }] }],
  windows: [], followed: [],
};
const health = { status: "ok", components: [{ name: "database", status: "ok", detail: "1 ms", since: null, remedy: null }] };

it("shows the numbers of now, each leading to its list", async () => {
  serve({ "GET /overview": overview, "GET /health": health });
  show(<OverviewPage />);
  const mine = await screen.findByRole("link", { name: /1 wait for you/ });
  expect(mine.getAttribute("href")).toBe("/approvals?tab=mine");
  expect(screen.getByRole("link", { name: /3 can go back/ })).toBeTruthy();
  expect(screen.getByText("Copying data: 12 of 16 shards are level.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "v1alpha2: 2" }).getAttribute("href")).toBe("/fleet?service=secrets.example.com&version=v1alpha2");
  expect(await screen.findByText("All 1 components work.")).toBeTruthy();
});

it("says what to do first on an empty fleet", async () => {
  serve({ "GET /overview": { ...overview, needs_you: [], running: [], skew: [] }, "GET /health": health });
  show(<OverviewPage />);
  expect(await screen.findByText("swy service apply examples/secrets")).toBeTruthy();
  expect(screen.getByText("Nothing waits for you.")).toBeTruthy();
});

it("shows the problem the server wrote, with its request id", async () => {
  serve({ "GET /overview": { title: "The database does not answer", status: 503, detail: "PostgreSQL refused the connection.", request_id: "r-7" }, "GET /health": health });
  show(<OverviewPage />);
  expect(await screen.findByText("PostgreSQL refused the connection.")).toBeTruthy();
  expect(screen.getByRole("button", { name: /r-7/ })).toBeTruthy();
});

it("puts broken components first and names them", () => {
  const parts = [
    { name: "database", status: "ok", detail: "", since: null, remedy: null },
    { name: "broker", status: "down", detail: "", since: null, remedy: null },
  ] as const;
  expect(bySeverity(parts).map((part) => part.name)).toEqual(["broker", "database"]);
  expect(summary(parts)).toBe("1 of 2 components need a look: broker.");
});

it("finds pages with a near name", () => {
  expect(near("/fleets", ["/", "/fleet", "/upgrades"])).toEqual(["/fleet"]);
});
