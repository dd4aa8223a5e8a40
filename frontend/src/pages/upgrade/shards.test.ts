import { describe, expect, it } from "vitest";
import type { Shard } from "../../wire/model";
import { shard } from "../../test/samples";
import { arrange, counts, lastReport, newlyFailed, nextTrouble, percent, slow } from "./shards";

describe("shards", () => {
  it("are whole only when nothing is left", () => {
    expect(percent(shard(0, { copied: 100 }))).toBe(99);
    expect(percent(shard(0, { state: "ready", copied: 0, total: 0 }))).toBe(100);
    expect(percent(shard(0, { total: null }))).toBe(0);
  });
  it("are counted by state, the good ones first", () => {
    expect(counts([shard(0), shard(1, { state: "ready" }), shard(2, { state: "failed" }), shard(3)])).toEqual([["ready", 1], ["syncing", 2], ["failed", 1]]);
  });
  it("are sorted and filtered as asked", () => {
    const all = [shard(0, { copied: 50 }), shard(1, { copied: 10 }), shard(2, { state: "ready" })];
    expect(arrange(all, { order: "slowest", state: "" }).map((each) => each.shard)).toEqual([1, 0, 2]);
    expect(arrange(all, { order: "number", state: "ready" }).map((each) => each.shard)).toEqual([2]);
  });
  it("are slow at under a third of their fellows' rate, if there are fellows", () => {
    expect([...slow([shard(0), shard(1), shard(2, { rate_per_second: 20 })])]).toEqual([2]);
    expect(slow([shard(0), shard(1, { rate_per_second: 1 })]).size).toBe(0);
  });
  it("lead from one in trouble to the next, round and round", () => {
    const all = [shard(0), shard(3, { state: "failed" }), shard(9, { state: "failed" })];
    const failed = (each: Shard): boolean => each.state === "failed";
    expect([nextTrouble(all, null, failed), nextTrouble(all, 3, failed), nextTrouble(all, 9, failed)]).toEqual([3, 9, 3]);
    expect(nextTrouble([shard(0)], null, failed)).toBeNull();
  });
  it("know when the last of them reported", () => {
    expect(lastReport([shard(0), shard(1, { reported_at: "2026-03-01T14:02:11Z" })])).toBe(Date.parse("2026-03-01T14:02:11Z"));
    expect(lastReport([shard(0)])).toBeNull();
  });
});

it("tells which shards failed since the last look", () => {
  const [before, now] = [[shard(0, { state: "failed" }), shard(1), shard(2)], [shard(0, { state: "failed" }), shard(2, { state: "failed" }), shard(1, { state: "failed" })]];
  expect([newlyFailed(before, now), newlyFailed(now, now)]).toEqual([[1, 2], []]);
});
