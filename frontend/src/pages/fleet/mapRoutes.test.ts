import { expect, it } from "vitest";
import type { Cell } from "../../wire/model";
import type { MapLine, MapNode } from "./mapLayout";
import { HIGH, NODE, pathOf, routesOf, TALL, xOf, yOf } from "./mapRoutes";

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
  const heights = few.map((route) => route.label?.[1] ?? 0);
  expect(few.every((route) => (route.label?.[0] ?? 0) < xOf(importer))).toBe(true);
  expect(new Set(heights).size).toBe(3);
  expect(heights.every((y) => y > yOf(importer) && y < yOf(importer) + TALL)).toBe(true);
  const many = routesOf({ lines: targets.map((to) => line(importer, to)) });
  expect(many.map((route) => route.label)).toEqual([null, null, null, null, null]);
});
