import { describe, expect, it } from "vitest";
import type { LiveEvent } from "../wire/model";
import { applied, fold, merge } from "./fold";

function event(seq: number, part: Partial<LiveEvent>): LiveEvent {
  return { op: "event", seq, ts: "", topic: "upgrade:u1", kind: "upgrade", id: "u1", rev: seq, ...part };
}

describe("folding events", () => {
  it("joins patches of one thing in the order of their numbers", () => {
    const folded = fold([
      event(2, { patch: { state: "READY" } }),
      event(1, { patch: { state: "SYNCING", paused: true } }),
    ]);
    expect(folded).toHaveLength(1);
    expect(folded[0]).toMatchObject({ seq: 2, rev: 2, patch: { state: "READY", paused: true } });
  });
  it("keeps different things apart", () => {
    expect(fold([event(1, { patch: {} }), event(2, { id: "u2", topic: "upgrade:u2", patch: {} })])).toHaveLength(2);
  });
  it("puts later patches onto a whole document", () => {
    expect(fold([event(1, { full: { a: 1, b: 1 } }), event(2, { patch: { b: 2 } })])[0]?.full).toEqual({ a: 1, b: 2 });
  });
});

describe("merging", () => {
  it("merges shards by number and keeps their order", () => {
    const before = {
      shards: {
        ready: 0,
        items: [
          { shard: 0, state: "syncing", copied: 4 },
          { shard: 1, state: "syncing", copied: 2 },
        ],
      },
    };
    expect(merge(before, { shards: { ready: 1, items: [{ shard: 1, state: "ready" }] } })).toEqual({
      shards: {
        ready: 1,
        items: [
          { shard: 0, state: "syncing", copied: 4 },
          { shard: 1, state: "ready", copied: 2 },
        ],
      },
    });
  });
  it("replaces other lists", () => expect(merge({ actions: [1, 2] }, { actions: [] })).toEqual({ actions: [] }));
});

describe("applying to what a page shows", () => {
  it("ignores what is older or the same", () => {
    expect(applied({ rev: 5 }, event(5, { patch: { state: "READY" } }))).toBeNull();
  });
  it("takes what is newer, with its revision", () => {
    expect(applied({ rev: 5, state: "SYNCING" }, event(6, { patch: { state: "READY" } }))).toEqual({
      rev: 6,
      state: "READY",
    });
  });
  it("ends equal to the last whole document however the events were cut", () => {
    const all = Array.from({ length: 2000 }, (_, at) =>
      event(at + 1, { patch: { shards: { items: [{ shard: at % 16, copied: at }] } } }),
    );
    let whole: Record<string, unknown> = { rev: 0, shards: { items: [] } };
    for (const one of all) whole = applied(whole, one) ?? whole;
    let cut: Record<string, unknown> = { rev: 0, shards: { items: [] } };
    for (let at = 0; at < all.length; at += 37) {
      // each batch replays up to ten events that were already seen
      for (const one of fold(all.slice(at, at + 37))) cut = applied(cut, one) ?? cut;
    }
    expect(cut).toEqual(whole);
  });
});
