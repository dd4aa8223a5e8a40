import { describe, expect, it } from "vitest";
import type { Progress, Shard } from "../../../wire/model";
import { shard } from "../../../test/samples";
import { arrange, asOf, counts, lastReport, newlyFailed, nextTrouble, percent, slow } from "./shards";

describe("shards", () => {
  it("are whole only when nothing is left", () => {
    expect(percent(shard(0, { copied: 100 }))).toBe(99);
    expect(percent(shard(0, { state: "ready", copied: 0, total: 0 }))).toBe(100);
  });
  it("are counted by state, the good ones first", () => {
    expect(counts([shard(0), shard(1, { state: "ready" }), shard(2, { state: "failed" }), shard(3)])).toEqual([
      ["ready", 1],
      ["syncing", 2],
      ["failed", 1],
    ]);
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
    expect([nextTrouble(all, null, failed), nextTrouble(all, 3, failed), nextTrouble(all, 9, failed)]).toEqual([
      3, 9, 3,
    ]);
    expect(nextTrouble([shard(0)], null, failed)).toBeNull();
  });
  it("know when the last of them reported", () => {
    expect(lastReport([shard(0), shard(1, { reported_at: "2026-03-01T14:02:11Z" })])).toBe(
      Date.parse("2026-03-01T14:02:11Z"),
    );
    expect(lastReport([shard(0)])).toBeNull();
  });
});

it("tells which shards failed since the last look", () => {
  const [before, now] = [
    [shard(0, { state: "failed" }), shard(1), shard(2)],
    [shard(0, { state: "failed" }), shard(2, { state: "failed" }), shard(1, { state: "failed" })],
  ];
  expect([newlyFailed(before, now), newlyFailed(now, now)]).toEqual([[1, 2], []]);
});

describe("an upgrade of which nothing is heard", () => {
  const at = Date.parse("2026-03-01T14:00:00Z");
  const reported = new Date(at).toISOString();
  const progress: Progress = {
    copied: 10,
    total: 10,
    percent: 100,
    rate_per_second: 5,
    eta: { low_seconds: 0, high_seconds: 0 },
    eta_reason: "",
    lag_seconds: 0.2,
    total_is_minimum: false,
    oldest_report_at: null,
    unknown_shards: 0,
  };
  const of = (state: string, paused = false) => ({
    state,
    paused,
    started_at: reported,
    progress,
    shards: {
      total: 2,
      ready: 2,
      items: [
        shard(0, { state: "ready", lag_seconds: 0.2, reported_at: reported }),
        shard(1, { state: "ready", lag_seconds: 0.2, reported_at: new Date(at + 10_000).toISOString() }),
      ],
    },
  });

  it("is shown as it was reported while the reports are fresh", () => {
    const upgrade = of("READY");
    expect(asOf(upgrade, at + 16_000)).toBe(upgrade);
  });
  it("falls behind as its oldest report ages", () => {
    expect(asOf(of("READY"), at + 20_000).progress.lag_seconds).toBe(20);
    expect(asOf(of("READY"), at + 20_000).shards.ready).toBe(2);
  });
  it("has shards without report, is not whole and gives no time left", () => {
    const seen = asOf(of("READY"), at + 31_000);
    expect(seen.shards.items.map((each) => each.state)).toEqual(["unknown", "ready"]);
    expect(seen.shards.ready).toBe(1);
    expect([seen.progress.percent, seen.progress.eta, seen.progress.unknown_shards]).toEqual([99, null, 1]);
  });
  it("keeps what it had once nobody is expected to report", () => {
    for (const ended of [of("COMPLETED"), of("READY", true)]) expect(asOf(ended, at + 900_000)).toBe(ended);
  });
});
