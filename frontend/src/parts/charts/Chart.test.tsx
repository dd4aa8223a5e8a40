import { expect, it } from "vitest";
import { plural } from "../../words/text";
import { drawMarks, tickText } from "./Chart";

it("draws the word of a mark beside its line, also after the axes set their words to the right", () => {
  const done: string[] = [];
  const drawn: { word: string; left: number; align: CanvasTextAlign }[] = [];
  const ctx = {
    textAlign: "right" as CanvasTextAlign,
    measureText: (word: string) => ({ width: word.length * 6 }),
    fillText: (word: string, left: number) => drawn.push({ word, left, align: ctx.textAlign }),
    fillRect: () => done.push("ground"),
    stroke: () => done.push("line"),
    ...Object.fromEntries(
      ["save", "restore", "setLineDash", "beginPath", "moveTo", "lineTo"].map((name) => [name, () => undefined]),
    ),
  };
  const bbox = { left: 50, top: 0, width: 400, height: 100 };
  const chart = { ctx, bbox, valToPos: (second: number) => 50 + second } as unknown as Parameters<typeof drawMarks>[0];
  const at = (second: number) => new Date(second * 1_000).toISOString();
  drawMarks(chart, [
    { at: at(10), word: "approval" },
    { at: at(30), word: "switch" },
  ]);
  expect(drawn).toEqual([
    { word: "approval", left: 64, align: "left" },
    { word: "switch", left: 84, align: "left" },
  ]);
  // Words lie on all lines, so that none runs through them.
  expect(done).toEqual(["line", "line", "ground", "ground"]);
});

it("writes the form of a counted unit for each value", () => {
  const shards = (count: number): string => ` ${plural(count, "shard", "shards")}`;
  expect([0, 1, 2, 1500].map((tick) => tickText(tick, shards))).toEqual([
    "0 shards",
    "1 shard",
    "2 shards",
    "1.5k shards",
  ]);
  expect(tickText(1, " s")).toBe("1 s");
});
