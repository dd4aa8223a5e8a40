import { expect, it } from "vitest";
import { alone, momentTexts, placeMarks, withGaps } from "./curves";

const minute = (at: number): string => new Date(Date.UTC(2026, 2, 1, 0, at)).toISOString();
const wide = (word: string): number => word.length * 6;

it("parts a curve where nobody reported for hours, and leaves what comes regularly alone", () => {
  const { at, values } = withGaps({
    at: [0, 1, 2, 120, 121].map(minute),
    values: [
      [1, 2, 3, 4, 5],
      [5, 4, null, 2, 1],
    ],
  });
  expect(at).toEqual([0, 1, 2, 61, 120, 121].map(minute));
  expect(values).toEqual([
    [1, 2, 3, null, 4, 5],
    [5, 4, null, null, 2, 1],
  ]);
  const even = { at: [0, 30, 60, 90].map(minute), values: [[1, 2, 3, 4]] };
  expect(withGaps(even)).toEqual(even);
  expect(withGaps({ at: [], values: [[]] })).toEqual({ at: [], values: [[]] });
});

it("takes a minute without a report for no gap, however often they come", () => {
  const every = Array.from({ length: 9 }, (_, at) => new Date(at * 2000).toISOString());
  const late = [...every, new Date(16_000 + 60_000).toISOString()];
  expect(withGaps({ at: late, values: [late.map(() => 1)] }).at).toHaveLength(10);
  const later = [...every, new Date(16_000 + 60_001).toISOString()];
  expect(withGaps({ at: later, values: [later.map(() => 1)] }).at).toHaveLength(11);
});

it("names the points that no line reaches", () => {
  expect(alone([1, null, 2, 3, null, undefined, 4])).toEqual([0, 6]);
  expect(alone([7])).toEqual([0]);
  expect(alone([null])).toEqual([]);
});

it("joins words of one moment, and puts those that would lie on each other on lines of their own", () => {
  const placed = placeMarks(
    [
      { x: 101, word: "approval" },
      { x: 100, word: "approval" },
      { x: 110, word: "switch" },
      { x: 300, word: "switch" },
    ],
    wide,
    400,
  );
  expect(placed).toEqual([
    { x: 100, word: "2 × approval", left: 104, row: 0 },
    { x: 110, word: "switch", left: 114, row: 1 },
    { x: 300, word: "switch", left: 304, row: 0 },
  ]);
});

it("writes to the left of a line at the right edge", () => {
  expect(placeMarks([{ x: 390, word: "switch" }], wide, 400)).toEqual([{ x: 390, word: "switch", left: 350, row: 0 }]);
});

it("labels no two ticks of a time axis alike", () => {
  const at = (...times: string[]): number[] => times.map((time) => Date.parse(`2026-03-${time}Z`));
  expect(momentTexts(at("01T16:28:00", "01T16:28:30", "01T16:29:00"), "utc")).toEqual([
    "16:28:00",
    "16:28:30",
    "16:29:00",
  ]);
  expect(momentTexts(at("01T16:28:00", "01T16:30:00"), "utc")).toEqual(["16:28", "16:30"]);
  expect(momentTexts(at("01T12:00:00", "01T18:00:00", "02T00:00:00", "02T06:00:00"), "utc")).toEqual([
    "03-01 12:00",
    "18:00",
    "03-02 00:00",
    "06:00",
  ]);
  expect(momentTexts(at("01T00:00:00", "02T00:00:00"), "utc")).toEqual(["03-01", "03-02"]);
  expect(momentTexts([], "utc")).toEqual([]);
  expect(momentTexts(at("01T16:28:00"), "utc")).toEqual(["16:28:00"]);
});
