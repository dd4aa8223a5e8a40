import type { Position } from "./layout";

/** So far a line runs level from the box it begins at, at the least. */
const LEAST = 40;

export interface Curve {
  /** Where along the straight line the two control points stand, as shares of its length. */
  weights: [number, number];
  /** How far beside the straight line they stand. */
  distances: [number, number];
}

/** The line of a reference: level where it begins and where it ends, with one bend each way between them. */
export function curveOf(from: Position, to: Position): Curve {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return { weights: [0.25, 0.75], distances: [0, 0] };
  const level = Math.max(LEAST, dx / 2);
  const weight = (level * dx) / length ** 2;
  const beside = (level * dy) / length;
  return { weights: [weight, 1 - weight], distances: [-beside || 0, beside] };
}
