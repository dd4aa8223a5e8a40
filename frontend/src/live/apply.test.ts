import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { upgrade } from "../test/samples";
import type { Cell, Fleet, LiveEvent, Upgrade } from "../wire/model";
import { Applier, COSTLY_MS, touched } from "./apply";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function event(part: Partial<LiveEvent>): LiveEvent {
  return { op: "event", seq: 1, ts: "", topic: "upgrade:u1", kind: "upgrade", id: "u1", rev: 2, ...part };
}

it("patches the upgrade a page shows", () => {
  const cache = new QueryClient();
  cache.setQueryData(["upgrade", "u1"], { rev: 1, state: "SYNCING", paused: false });
  new Applier(cache).take([event({ patch: { state: "READY" } })]);
  expect(cache.getQueryData(["upgrade", "u1"])).toEqual({ rev: 2, state: "READY", paused: false });
});

it("puts a newer report of a shard in its place and leaves an older one", () => {
  const cache = new QueryClient();
  cache.setQueryData(["upgrade", "u1"], upgrade());
  const report = (copied: number, at: string): LiveEvent =>
    event({ kind: "shards", id: "u1", rev: 0, patch: { items: [{ shard: 1, copied, reported_at: at }] } });
  const applier = new Applier(cache);
  applier.take([report(9, "2026-03-01T14:02:11Z")]);
  applier.take([report(8, "2026-03-01T14:02:10Z")]);
  expect(cache.getQueryData<Upgrade>(["upgrade", "u1"])?.shards.items.map((shard) => shard.copied)).toEqual([5, 9]);
});

it("reads lists again once a second however many events come", () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  const applier = new Applier(cache);
  for (let seq = 1; seq <= 50; seq += 1) applier.take([event({ seq, topic: "approvals", kind: "approval", id: "a1" })]);
  expect(asked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(asked.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([["approvals"], ["approval"], ["overview"]]);
});

const cellOf = (name: string): Cell => ({
  service: "iam.example.com",
  region: name,
  name,
  current_version: "v1",
  target_version: null,
  state: "IDLE",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
});
const ready = (seq: number, id: string): LiveEvent =>
  event({ seq, topic: "fleet", kind: "cell", id, rev: 0, patch: { ready: seq, state: "SYNCING" } });

it("patches deployments of the fleet at once, and leaves the others the very ones they were", () => {
  const cache = new QueryClient();
  const before = { regions: [], services: [], cells: ["a", "b", "c"].map(cellOf) };
  cache.setQueryData<Fleet>(["fleet"], before);
  new Applier(cache).take([ready(4, "b"), ready(5, "b")]);
  const cells = cache.getQueryData<Fleet>(["fleet"])?.cells ?? [];
  expect(cells.map((cell) => [cell.name, cell.ready, cell.state])).toEqual([
    ["a", 0, "IDLE"],
    ["b", 5, "SYNCING"],
    ["c", 0, "IDLE"],
  ]);
  expect([cells[0] === before.cells[0], cells[2] === before.cells[2]]).toEqual([true, true]);
});

it("reads a small fleet again every second, and a large one every five", async () => {
  for (const [size, times] of [
    [10, 6],
    [2000, 2],
  ] as const) {
    const cache = new QueryClient();
    cache.setQueryData<Fleet>(["fleet"], {
      regions: [],
      services: [],
      cells: Array.from({ length: size }, (_, at) => cellOf(String(at))),
    });
    const asked = vi.spyOn(cache, "invalidateQueries");
    const applier = new Applier(cache);
    for (let second = 0; second < 6; second += 1) {
      applier.take([ready(second + 1, "1")]);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(asked.mock.calls.filter(([filter]) => filter?.queryKey?.[0] === "fleet")).toHaveLength(times);
    applier.stop();
  }
});

it("reads everything again when the stream cannot say what was missed", () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  new Applier(cache).resync(null);
  expect(asked).toHaveBeenCalledWith({ refetchType: "active" });
});

it("knows what each topic touches", () => {
  expect(touched("health", "component")).toEqual([["health"]]);
  expect(touched("upgrade:u9", "event")).toEqual([["upgrade", "u9"], ["rollout"]]);
  expect(touched("upgrade:u9", "line")).toEqual([["upgrade", "u9", "events"]]);
  expect(touched("nothing", "")).toEqual([]);
});

const GRAPH = "references:both:1://secrets.example.com/eu-1/projects/p/secrets/door";

it("asks a deletion check again once for many changes of a graph, and once more for what came meanwhile", async () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  const applier = new Applier(cache);
  const change = (): void => applier.take([event({ seq: 0, topic: GRAPH, kind: "graph", id: GRAPH, patch: {} })]);
  for (let second = 0; second < 4; second += 1) {
    change();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(asked.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([
    ["deletion-check", "//secrets.example.com/eu-1/projects/p/secrets/door"],
  ]);
  await vi.advanceTimersByTimeAsync(COSTLY_MS);
  expect(asked).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10 * COSTLY_MS);
  expect(asked).toHaveBeenCalledTimes(2);
  change();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveBeenCalledTimes(3);
});

it("leaves a check that is being answered alone, and asks again after it", async () => {
  const cache = new QueryClient();
  let answers = 0;
  const [begun, ended] = [vi.fn(), [] as (() => void)[]];
  const queryKey = ["deletion-check", "//secrets.example.com/eu-1/projects/p/secrets/door"];
  const watched = new QueryObserver(cache, {
    queryKey,
    queryFn: () => {
      begun();
      return new Promise((done) => ended.push(() => done((answers += 1))));
    },
  });
  const leave = watched.subscribe(() => undefined);
  const applier = new Applier(cache);
  applier.take([event({ seq: 0, topic: GRAPH, kind: "graph", id: GRAPH, patch: {} })]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(begun).toHaveBeenCalledTimes(1);
  ended[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  applier.take([event({ seq: 0, topic: GRAPH, kind: "graph", id: GRAPH, patch: {} })]);
  await vi.advanceTimersByTimeAsync(1000 + COSTLY_MS);
  expect(begun).toHaveBeenCalledTimes(2);
  leave();
});
