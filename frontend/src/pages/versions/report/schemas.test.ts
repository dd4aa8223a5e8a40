import { expect, it } from "vitest";
import { align, compareSchemas, near, paired, partsOf } from "./schemas";

it("writes a part for each type and leaves out where things were read from", () => {
  const parts = partsOf({
    schema: {
      version: "v1",
      sources: [{ kind: "proto" }],
      types: { Secret: { fields: [{ name: "title", required: true }] } },
      imports: [],
    },
  });
  expect(parts).toEqual([
    { title: "types Secret", lines: ["fields:", "  - name: title", "    required: true"] },
    { title: "imports", lines: [] },
  ]);
});

it("keeps common lines level and puts a changed line beside what it was", () => {
  const rows = paired(align(["a", "b", "c"], ["a", "x", "c", "d"]));
  expect(rows).toEqual([
    { before: "a", after: "a", same: true },
    { before: "b", after: "x", same: false },
    { before: "c", after: "c", same: true },
    { before: null, after: "d", same: false },
  ]);
});

it("puts what differs first, with what only one version has", () => {
  const found = compareSchemas(
    { schema: { types: { A: { x: 1 }, B: { x: 1 } } } },
    { schema: { types: { A: { x: 1 }, B: { x: 2 }, C: { x: 3 } } } },
  );
  expect(found.map((part) => [part.title, part.changed])).toEqual([
    ["types B", 1],
    ["types C", 1],
    ["types A", 0],
  ]);
});

it("folds what is more than three lines from a difference", () => {
  const rows = Array.from({ length: 9 }, (_, at) => ({ before: `${at}`, after: `${at}`, same: at !== 0 }));
  expect(near(rows)).toEqual([true, true, true, true, false, false, false, false, false]);
});
