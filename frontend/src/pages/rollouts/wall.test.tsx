import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { Rollout, RolloutItem } from "../../wire/rollouts";
import { figureOf, summaryOf, WallPage, wordOf } from "./WallPage";

const item = (region: string, part: Partial<RolloutItem> = {}): RolloutItem => ({
  deployment: `services/iam.example.com/deployments/${region}`,
  service: "iam.example.com",
  region,
  from_version: "v1",
  to_version: "v2",
  state: "running",
  reason: "",
  upgrade_id: `u-${region}`,
  upgrade_state: "SYNCING",
  plan_digest: "p1",
  plan_changed: false,
  sentence: `iam @ ${region} is copying.`,
  ready: 3,
  total: 16,
  percent: 57,
  lag_seconds: 0.2,
  unknown_shards: 0,
  oldest_report_at: null,
  blocked: false,
  freeze_ms: null,
  reversible_until: null,
  settled_at: null,
  ...part,
});
const DONE = item("us", { state: "done", upgrade_state: "REVERSIBLE", freeze_ms: 182.6 });

it("gives the figure of the present step, and says where none is known", () => {
  expect(figureOf(item("eu"))).toBe("57 % · 3 of 16 shards");
  expect(figureOf(item("eu", { percent: null }))).toBe("3 of 16 shards");
  expect(figureOf(DONE)).toBe("183 ms pause");
  expect(figureOf({ ...DONE, freeze_ms: null })).toBe("pause unknown");
  expect(figureOf(item("eu", { upgrade_state: "READY" }))).toBe("lag 0.2 s");
});

it("never shows one that is held up as one that goes on", () => {
  expect(wordOf(item("eu", { blocked: true }))).toEqual({ tone: "blocked", word: "Syncing, blocked" });
  expect(wordOf(item("eu", { state: "failed" })).word).toBe("failed");
  expect(summaryOf([DONE, item("eu", { blocked: true }), item("ap", { state: "failed" })])).toBe(
    "1 of 3 switched · 1 failed or rolled back · 1 blocked",
  );
});

it("shows the wave under way as rows of the same spine, and another by the address", async () => {
  const rollout = {
    id: "w1",
    title: "All of iam",
    state: "RUNNING",
    wave: 1,
    waves: [[DONE], [item("eu"), item("ap")]],
  };
  serve({ "GET /rollouts/w1": rollout as Partial<Rollout> });
  show(
    <Routes>
      <Route path="/rollouts/:id/wall" element={<WallPage />} />
    </Routes>,
    "/rollouts/w1/wall",
  );
  const rows = within(await screen.findByRole("list", { name: "Upgrades of wave 2" })).getAllByRole("listitem");
  expect(rows.map((row) => within(row).getByRole("link").getAttribute("href"))).toEqual([
    "/upgrades/u-eu",
    "/upgrades/u-ap",
  ]);
  expect(within(rows[0] as HTMLElement).getByRole("img", { name: "Step 3 of 8: Backfill" })).toBeTruthy();
  expect(screen.getByText("Wave 2 of 2: 0 of 2 switched")).toBeTruthy();
});
