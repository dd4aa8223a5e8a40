import { expect, it } from "vitest";
import { curveOf } from "./curve";

/** The control points in the plane, as the drawing makes them of shares and distances. */
function controls(from: { x: number; y: number }, to: { x: number; y: number }) {
  const { weights, distances } = curveOf(from, to);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  return weights.map((weight, at) => ({
    x: Math.round(from.x + weight * dx - ((distances[at] ?? 0) * dy) / length),
    y: Math.round(from.y + weight * dy + ((distances[at] ?? 0) * dx) / length),
  }));
}

it("draws references level at both ends, whichever way they lead", () => {
  expect(controls({ x: 0, y: 0 }, { x: 200, y: 100 })).toEqual([
    { x: 100, y: 0 },
    { x: 100, y: 100 },
  ]);
  expect(controls({ x: 10, y: 90 }, { x: 30, y: -60 })).toEqual([
    { x: 50, y: 90 },
    { x: -10, y: -60 },
  ]);
  expect(curveOf({ x: 0, y: 5 }, { x: 100, y: 5 }).distances).toEqual([0, 0]);
  expect(curveOf({ x: 3, y: 5 }, { x: 3, y: 5 }).distances).toEqual([0, 0]);
});
