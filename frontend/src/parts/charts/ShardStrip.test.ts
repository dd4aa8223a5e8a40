import { expect, it } from "vitest";
import { blocks } from "./ShardStrip";

const of = (count: number, odd: Record<number, "failed" | "syncing"> = {}) =>
  Array.from({ length: count }, (_, shard) => ({ shard, state: odd[shard] ?? ("ready" as const) }));

it("draws a block for each shard while there is room", () => {
  expect(blocks(of(3, { 1: "syncing" }))).toEqual([
    { from: 0, state: "ready" },
    { from: 1, state: "syncing" },
    { from: 2, state: "ready" },
  ]);
});

it("lets a block stand for a range beyond that, and look like the worst of it", () => {
  const drawn = blocks(of(4096, { 70: "failed", 71: "syncing", 4000: "syncing" }));
  expect(drawn).toHaveLength(64);
  expect(drawn.filter((block) => block.state !== "ready")).toEqual([
    { from: 64, state: "failed" },
    { from: 3968, state: "syncing" },
  ]);
});
