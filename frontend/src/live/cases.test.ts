import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveEvent, Upgrade } from "../wire/model";
import { upgrade } from "../test/samples";
import { Applier, touched } from "./apply";
import { applied, fold, merge } from "./fold";
import { atRest, backoffMs, lost, opened, pillOf } from "./status";

const event = (part: Partial<LiveEvent>): LiveEvent => ({
  op: "event",
  seq: 1,
  ts: "",
  topic: "upgrade:u1",
  kind: "upgrade",
  id: "u1",
  rev: 8,
  ...part,
});

describe("what each topic makes old", () => {
  it.each([
    ["fleet", "deployment", [["fleet"], ["deployment"], ["upgrades"], ["overview"]]],
    ["fleet", "deletion", [["deletion-check"], ["overview"]]],
    ["approvals", "approval", [["approvals"], ["approval"], ["overview"]]],
    ["approvals", "duty", [["duty"], ["approval"]]],
    ["audit", "entry", [["audit"]]],
    ["upgrade:u9", "upgrade", [["upgrade", "u9"], ["upgrade", "u9", "events"], ["rollout"]]],
    ["upgrade:u9", "shards", [["upgrade", "u9"], ["rollout"]]],
    ["references:in:2://s.example.com/eu/a:b", "graph", [["deletion-check", "//s.example.com/eu/a:b"]]],
  ])("%s, %s", (topic, kind, keys) => expect(touched(topic, kind)).toEqual(keys));
});

describe("events of an upgrade", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("change nothing that no page shows", () => {
    const cache = new QueryClient();
    new Applier(cache).take([
      event({ patch: { state: "READY" } }),
      event({ kind: "shards", patch: { items: [{ shard: 0, copied: 9 }] } }),
    ]);
    expect(cache.getQueryData(["upgrade", "u1"])).toBeUndefined();
  });

  it("that are older than what is shown leave it", () => {
    const cache = new QueryClient();
    cache.setQueryData(["upgrade", "u1"], upgrade({ rev: 9, state: "READY" }));
    new Applier(cache).take([event({ rev: 9, patch: { state: "SYNCING" } })]);
    expect(cache.getQueryData<Upgrade>(["upgrade", "u1"])?.state).toBe("READY");
  });

  it("put a report of a shard in its place beside the others, and leave unknown shards out", () => {
    const cache = new QueryClient();
    cache.setQueryData(["upgrade", "u1"], upgrade());
    const items = [
      { shard: 1, copied: 8, reported_at: "2026-03-01T14:00:00Z" },
      { shard: 7, copied: 1, reported_at: "2026-03-01T14:00:00Z" },
    ];
    new Applier(cache).take([event({ kind: "shards", rev: 0, patch: { items } })]);
    const shards = cache.getQueryData<Upgrade>(["upgrade", "u1"])?.shards;
    expect(shards?.items.map((each) => [each.shard, each.copied, each.total])).toEqual([
      [0, 5, 10],
      [1, 8, 10],
    ]);
    expect(shards?.ready).toBe(1);
  });

  it("read the whole upgrade again by exactly its key, and lists by their beginning", () => {
    const cache = new QueryClient();
    const asked = vi.spyOn(cache, "invalidateQueries");
    new Applier(cache).take([event({ patch: {} })]);
    vi.advanceTimersByTime(1000);
    expect(asked.mock.calls.map(([filter]) => [filter?.queryKey, filter?.exact])).toEqual([
      [["upgrade", "u1"], true],
      [["upgrade", "u1", "events"], false],
      [["rollout"], false],
    ]);
  });

  it("are not asked about any more once the stream stopped", () => {
    const cache = new QueryClient();
    const asked = vi.spyOn(cache, "invalidateQueries");
    const applier = new Applier(cache);
    applier.take([event({ patch: {} })]);
    applier.stop();
    vi.advanceTimersByTime(60_000);
    expect(asked).not.toHaveBeenCalled();
  });

  it("that cannot be replayed make their own lists old, and no others", () => {
    const cache = new QueryClient();
    const asked = vi.spyOn(cache, "invalidateQueries");
    const applier = new Applier(cache);
    applier.resync("health");
    applier.resync("audit");
    applier.resync("health");
    vi.advanceTimersByTime(1000);
    expect(asked.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([["health"], ["audit"]]);
  });

  it("lay a streamed graph where its page reads it", () => {
    const cache = new QueryClient();
    const topic = "references:in:1://s/r/n";
    const graph = { focus: "f", nodes: {}, edges: {}, hidden: { budget: 0, filter: 0 }, unknown: [] };
    new Applier(cache).take([event({ topic, kind: "graph", id: topic, full: graph })]);
    expect(cache.getQueryData(["reference-stream", topic])).toEqual(graph);
  });
});

describe("folding", () => {
  it("takes the last whole document, and a patch before it is forgotten", () => {
    const folded = fold([event({ seq: 1, patch: { a: 1 } }), event({ seq: 2, full: { b: 2 } })]);
    expect(folded.map((one) => [one.patch, one.full])).toEqual([[undefined, { b: 2 }]]);
  });

  it("keeps the order in which things changed last", () => {
    const folded = fold([
      event({ seq: 1, id: "u1", topic: "a" }),
      event({ seq: 2, id: "u2", topic: "b" }),
      event({ seq: 3, id: "u1", topic: "a" }),
    ]);
    expect(folded.map((one) => one.id)).toEqual(["u2", "u1"]);
  });

  it("leaves the list that it was given as it is", () => {
    const given = [event({ seq: 2 }), event({ seq: 1, id: "u2" })];
    fold(given);
    expect(given.map((one) => one.seq)).toEqual([2, 1]);
  });
});

describe("merging", () => {
  it("adds a shard that is new in its place", () => {
    const before = { items: [{ shard: 0 }, { shard: 2 }] };
    expect(merge(before, { items: [{ shard: 1, state: "ready" }] })).toEqual({
      items: [{ shard: 0 }, { shard: 1, state: "ready" }, { shard: 2 }],
    });
  });

  it("replaces items that are no shards, and documents that were none before", () => {
    expect(merge({ items: [1, 2], stall: null }, { items: [3], stall: { reason: "slow" } })).toEqual({
      items: [3],
      stall: { reason: "slow" },
    });
    expect(merge({ stall: { reason: "slow" } }, { stall: null })).toEqual({ stall: null });
  });

  it("changes nothing of what was there", () => {
    const before = { deep: { a: 1 } };
    merge(before, { deep: { a: 2 } });
    expect(before).toEqual({ deep: { a: 1 } });
  });
});

describe("applying", () => {
  it("lays a whole document over what was known", () => {
    expect(applied({ rev: 1, a: 1, b: 1 }, event({ rev: 2, full: { b: 2 } }))).toEqual({ rev: 2, a: 1, b: 2 });
  });
  it("takes any revision where none is known", () => {
    expect(applied({ a: 1 }, event({ rev: 0, patch: { a: 2 } }))).toEqual({ a: 2, rev: 0 });
  });
  it("has nothing to show of an event that carries nothing", () => {
    expect(applied({ rev: 1 }, event({ rev: 2 }))).toBeNull();
  });
});

describe("the pill", () => {
  const at = Date.parse("2026-03-01T14:02:11Z");
  it("says that a connection is made before there was one", () =>
    expect(pillOf(atRest, at, "utc")).toEqual({ tone: "plain", mark: "○", text: "Connecting" }));
  it("is behind after exactly a quarter of a minute of silence", () => {
    const live = opened(atRest, at);
    expect(pillOf(live, at + 14_999, "utc").text).toBe("Live");
    expect(pillOf(live, at + 15_000, "utc").text).toBe("Behind 15 s");
    expect(pillOf(live, at + 125_000, "utc").text).toBe("Behind 2 min");
  });
  it("remembers since when nothing came however often it was tried", () => {
    const away = lost(lost(lost(opened(atRest, at), at), at + 20_000), at + 29_000);
    expect(away).toMatchObject({ attempts: 3, lostAt: at });
    expect(pillOf(away, at + 29_999, "utc").tone).toBe("wait");
    expect(pillOf(away, at + 30_000, "utc")).toMatchObject({ tone: "bad", mark: "⚠" });
  });
  it("begins to wait anew with each connection", () => {
    const again = opened(lost(opened(atRest, at), at), at + 60_000);
    expect(pillOf(again, at + 61_000, "utc").text).toBe("Live");
  });
});

it("spreads the returns of many tabs over a quarter more or less", () => {
  expect([0, 0.5, 1].map((chance) => backoffMs(1, chance))).toEqual([750, 1000, 1250]);
  expect(backoffMs(0, 0.5)).toBe(1000);
  expect(backoffMs(30, 1)).toBe(25_000);
});
