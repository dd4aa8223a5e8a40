import { expect, it } from "vitest";
import type { ConversionStep } from "../../wire/resources";
import { summaryOf, howWord, keyOf, notes, visibleSteps } from "./steps";

const step = (more: Partial<ConversionStep>): ConversionStep => ({
  op: "exact",
  source: "labels",
  target: "labels",
  before: "1",
  after: "1",
  bag: "",
  ...more,
});

it("leaves out steps that only carry a value over", () => {
  const rename = step({ op: "rename", source: "title", target: "display_name" });
  expect(visibleSteps([step({}), rename])).toEqual([rename]);
});

it("says of each field what was done to it", () => {
  const said = notes([
    step({}),
    step({ op: "rename", source: "title", target: "display_name" }),
    step({ op: "enum", source: "rotation", target: "rotation.mode" }),
    step({ op: "convert", source: "rotation_period", target: "rotation.period_seconds" }),
  ]);
  expect([...said]).toEqual([
    ["displayName", "renamed from title"],
    ["rotation", "values mapped from rotation; converted from rotation_period"],
  ]);
});

it("writes declared paths as documents do, and gists of documents", () => {
  expect(keyOf("rotation_period[2].x")).toBe("rotationPeriod");
  expect(summaryOf({ title: "Door", owner: "ada", labels: { a: 1 }, empty: "" })).toBe("title Door · owner ada");
  expect(howWord("preview").word).toBe("backfill");
});
