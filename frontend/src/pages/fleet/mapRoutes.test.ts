import { expect, it } from "vitest";
import type { Cell } from "../../wire/model";
import type { MapLine, MapNode } from "./mapLayout";
import { fieldWidthOf, HIGH, LETTER_HIGH, LETTER_WIDE, NODE, pathOf, routesOf, TALL, xOf, yOf } from "./mapRoutes";

const placed = (column: number, row: number): MapNode => ({
  key: `${column} ${row}`,
  group: "",
  cells: [{} as Cell],
  column,
  row,
});

const line = (from: MapNode, to: MapNode): MapLine => ({ from, to, versions: ["v1"], ahead: false });

/** Whether a piece of a line passes through a box; its border is no part of it. */
function crosses([[x1, y1], [x2, y2]]: [[number, number], [number, number]], node: MapNode): boolean {
  const [left, top] = [xOf(node), yOf(node)];
  return (
    Math.max(x1, x2) > left && Math.min(x1, x2) < left + NODE && Math.max(y1, y2) > top && Math.min(y1, y2) < top + TALL
  );
}

it("leads every line through gaps and channels, behind no box", () => {
  const nodes = [0, 1, 2, 3].flatMap((column) => [0, 1, 2, 3, 4].map((row) => placed(column, row)));
  const lines = nodes.flatMap((from) =>
    nodes
      .filter((to) => to.column < from.column || (to.column === from.column && to !== from))
      .map((to) => line(from, to)),
  );
  const routes = routesOf({ lines });
  expect(routes).toHaveLength(lines.length);
  const faults = routes.flatMap((route) =>
    route.corners.slice(1).flatMap((corner, at) => {
      const before = route.corners[at] ?? corner;
      const isStraight = corner[0] === before[0] || corner[1] === before[1];
      return isStraight && !nodes.some((node) => crosses([before, corner], node)) ? [] : [pathOf(route)];
    }),
  );
  expect(faults).toEqual([]);
});

it("ends at the right side of what is imported, and neighbours take the short way", () => {
  const [iam, secrets, devices] = [placed(0, 1), placed(1, 0), placed(2, 1)];
  const [short, long] = routesOf({
    lines: [line(secrets, iam), line(devices, iam)],
  });
  expect(short?.corners).toHaveLength(4);
  expect(long?.corners).toHaveLength(6);
  for (const route of [short, long]) expect(route?.corners.at(-1)).toEqual([xOf(iam) + NODE, yOf(iam) + TALL / 2]);
  expect(long?.corners[2]?.[1]).toBeGreaterThan(yOf(iam) - HIGH + TALL);
  expect(long?.corners[2]?.[1]).toBeLessThan(yOf(iam));
});

it("writes the versions beside the box that imports, each line at its own height, and none where too many leave", () => {
  const [importer, targets] = [placed(1, 0), [0, 1, 2, 3, 4].map((row) => placed(0, row))];
  const few = routesOf({ lines: targets.slice(0, 3).map((to) => line(importer, to)) });
  expect(few.map((route) => route.label?.text)).toEqual(["v1", "v1", "v1"]);
  expect(few.every((route) => (route.label?.x ?? 0) < xOf(importer))).toBe(true);
  const many = routesOf({ lines: targets.map((to) => line(importer, to)) });
  expect(many.map((route) => route.label)).toEqual([null, null, null, null, null]);
});

it("counts the versions that have no room, and cuts a long one off", () => {
  const labels = [["v1", "v2"], ["v1", "v1beta1", "v2"], ["v1alpha2"], ["v2026-11-26"]].map(
    (versions) => routesOf({ lines: [{ ...line(placed(1, 0), placed(0, 0)), versions }] })[0]?.label?.text,
  );
  expect(labels).toEqual(["v1, v2", "3 versions", "v1alpha2", "v2026-11-…"]);
});

/** The same numbers on every run, so that a map that fails can be looked at again. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

type Area = [left: number, top: number, right: number, bottom: number];

const overlap = (one: Area, other: Area): boolean =>
  Math.min(one[2], other[2]) - Math.max(one[0], other[0]) > 0.01 &&
  Math.min(one[3], other[3]) - Math.max(one[1], other[1]) > 0.01;

it("lets no label lie upon another, upon a box or upon the arrow of one: three hundred maps", () => {
  const names = ["v1", "v2", "v1alpha2", "v1beta1", "v2026-11-26"];
  const faults: string[] = [];
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = numbers(seed);
    const below = (limit: number): number => Math.floor(random.next().value * limit);
    const nodes = Array.from({ length: 24 }, (_, at) => placed(at % 4, Math.floor(at / 4))).filter(() => below(4) > 0);
    const lines = nodes.flatMap((from) =>
      nodes
        .filter((to) => to.column < from.column && below(5) === 0)
        .map((to) => ({ ...line(from, to), versions: names.filter(() => below(3) === 0) })),
    );
    const routes = routesOf({ lines });
    const labels = routes.flatMap(({ label }): Area[] =>
      label?.text ? [[label.x - label.text.length * LETTER_WIDE, label.y - LETTER_HIGH + 3, label.x, label.y + 3]] : [],
    );
    const boxes = nodes.map((node): Area => [xOf(node), yOf(node), xOf(node) + NODE, yOf(node) + TALL]);
    const heads = routes.map(({ to }): Area => {
      const [tip, middle] = [xOf(to) + NODE, yOf(to) + TALL / 2];
      return [tip, middle - 4.5, tip + 9, middle + 4.5];
    });
    labels.forEach((label, at) => {
      if ([...labels.slice(at + 1), ...boxes, ...heads].some((area) => overlap(label, area)))
        faults.push(`map ${seed}: ${label.join(" ")}`);
    });
  }
  expect(faults).toEqual([]);
});

it("shows four columns without scrolling on a screen of 1,360 px, and lines beside the last", () => {
  const [importer, imported, beside] = [placed(3, 0), placed(2, 0), placed(3, 1)];
  const fourColumns = fieldWidthOf(4, routesOf({ lines: [line(importer, imported)] }));
  // The navigation takes 212 px, the margins 48, a scroll bar 16.
  expect(fourColumns).toBeLessThan(1360 - 212 - 48 - 16);
  expect(fourColumns).toBeGreaterThan(xOf(importer) + NODE);
  const routes = routesOf({ lines: [line(beside, importer)] });
  const farthest = Math.max(...routes.flatMap(({ corners }) => corners.map(([x]) => x)));
  expect(farthest).toBeGreaterThan(fourColumns);
  expect(fieldWidthOf(4, routes)).toBeGreaterThan(farthest);
});
