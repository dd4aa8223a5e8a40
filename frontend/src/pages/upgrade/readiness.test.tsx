import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { shard, upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import type { UpgradeState } from "../../wire/model";
import { DataTasks } from "./Evidence";
import { readiness } from "./shards/shards";
import { UpgradePage } from "./UpgradePage";

const nothing = { items: [], next_cursor: null, has_more: false };
const samples = { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] };

function open(part: Parameters<typeof upgrade>[0], extra: Record<string, unknown> = {}) {
  const sent = serve({
    "GET /upgrades/u1": upgrade(part),
    "GET /upgrades/u1/events": nothing,
    "GET /upgrades/u1/samples": samples,
    ...extra,
  });
  show(
    <Routes>
      <Route path="/upgrades/:id" element={<UpgradePage />} />
    </Routes>,
    "/upgrades/u1",
  );
  return sent;
}

it("counts the shards that are ready for the switch apart from those that have switched", () => {
  const items = [shard(0, { state: "ready" }), shard(1), shard(2, { state: "switched" })];
  const of = (state: UpgradeState): number[] => readiness({ state, shards: { items } }).map((row) => row.ready);
  expect(of("SYNCING")).toEqual([2, 1]);
  expect(of("REVERSIBLE")).toEqual([3, 3]);
});

it("draws at most 64 parts, each with the share of its range that is ready", () => {
  const items = Array.from({ length: 4096 }, (_, at) => shard(at, { state: at < 96 ? "ready" : "syncing" }));
  const [first] = readiness({ state: "SYNCING", shards: { items } });
  expect(first?.parts.length).toBe(64);
  expect(first?.parts.slice(0, 3).map((part) => part.ready)).toEqual([1, 0.5, 0]);
});

it("holds the copy to a rate, and lifts the bound when the field is empty", async () => {
  const allowed = ["pause", "throttle", "abort"].map((action) => ({ action, allowed: true, reason: "", who_can: [] }));
  const sent = open(
    { state: "SYNCING", actions: allowed, copy_limit: 500 },
    { "POST /upgrades/u1/throttle": upgrade() },
  );
  await userEvent.click(await screen.findByRole("button", { name: "Other actions" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Throttle…" }));
  const field = await screen.findByLabelText("Maximum resources per second");
  await userEvent.clear(field);
  await userEvent.type(field, "200");
  await userEvent.click(screen.getByRole("button", { name: "Set the limit" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.body).toEqual({ limit: 200 }));
});

it("tells how a shard came to where it is", async () => {
  const turns = [
    { at: "2026-03-01T14:01:00Z", state: "syncing", stage: "backfill", copied: 4, applied: 0, error: "" },
    { at: "2026-03-01T14:03:00Z", state: "regressed", stage: "follow", copied: 9, applied: 3, error: "" },
  ];
  open({}, { "GET /upgrades/u1/shards/0/turns": { items: turns } });
  await userEvent.click(await screen.findByRole("gridcell", { name: /Shard 00/ }));
  const story = await screen.findByRole("list", { name: "History of shard 0" });
  expect(story.textContent).toContain("behind again · follow 9 copied, 3 followed");
});

it("shows of a data task what its unfinished shards say", () => {
  show(
    <DataTasks
      tasks={[
        {
          task_tag: "renumber",
          target_data_version: "v1.2",
          done: 1,
          total: 3,
          progress: { "shard 1": 40, "shard 2": 0 },
        },
      ]}
    />,
  );
  expect(screen.getByText("shard 1: 40 · shard 2: 0")).toBeTruthy();
  expect(screen.getByText("1 of 3")).toBeTruthy();
});

it("shows a shard beside the grid at a width of its own, and leaves the focus where it was", async () => {
  open({ state: "SYNCING" }, { "GET /upgrades/u1/shards/0/turns": nothing });
  const cell = await screen.findByRole("gridcell", { name: /00/ });
  expect(screen.queryByRole("separator", { name: "Width of the shard" })).toBeNull();
  await userEvent.click(cell);
  expect(await screen.findByRole("region", { name: "Shard 0" })).toBeTruthy();
  expect(document.activeElement).toBe(cell);
  screen.getByRole("separator", { name: "Width of the shard" }).focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("separator", { name: "Width of the shard" }).getAttribute("aria-valuenow")).toBe("324");
});
