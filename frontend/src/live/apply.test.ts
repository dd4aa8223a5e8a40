import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { upgrade } from "../test/samples";
import type { LiveEvent, Upgrade } from "../wire/model";
import { Applier, touched } from "./apply";

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
  const report = (copied: number, at: string): LiveEvent => event({ kind: "shard", id: "u1/1", rev: 0, full: { shard: 1, copied, reported_at: at } });
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

it("reads everything again when the stream cannot say what was missed", () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  new Applier(cache).resync(null);
  expect(asked).toHaveBeenCalledWith({ refetchType: "active" });
});

it("knows what each topic touches", () => {
  expect(touched("health", "component")).toEqual([["health"]]);
  expect(touched("upgrade:u9", "event")).toEqual([["upgrade", "u9"]]);
  expect(touched("upgrade:u9", "line")).toEqual([["upgrade", "u9", "events"]]);
  expect(touched("nothing", "")).toEqual([]);
});
