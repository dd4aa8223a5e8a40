import { expect, it } from "vitest";
import { drawMarks } from "./Chart";

it("draws the word of a mark beside its line, also after the axes set their words to the right", () => {
  const drawn: { word: string; left: number; align: CanvasTextAlign }[] = [];
  const ctx = {
    textAlign: "right" as CanvasTextAlign,
    measureText: (word: string) => ({ width: word.length * 6 }),
    fillText: (word: string, left: number) => drawn.push({ word, left, align: ctx.textAlign }),
    ...Object.fromEntries(
      ["save", "restore", "setLineDash", "beginPath", "moveTo", "lineTo", "stroke"].map((name) => [
        name,
        () => undefined,
      ]),
    ),
  };
  const bbox = { left: 50, top: 0, width: 400, height: 100 };
  const chart = { ctx, bbox, valToPos: (second: number) => 50 + second } as unknown as Parameters<typeof drawMarks>[0];
  drawMarks(chart, [{ at: new Date(10_000).toISOString(), word: "approval" }]);
  expect(drawn).toEqual([{ word: "approval", left: 64, align: "left" }]);
});
