import { useState } from "react";

interface Kept {
  by: string;
  keys: string[];
}

/** Rows in the places they had; what is new comes after them, and what is gone leaves its place. */
export function inPlaces<T>(rows: readonly T[], keys: readonly string[], keyOf: (row: T) => string): T[] {
  const place = new Map(keys.map((key, at) => [key, at]));
  const at = (row: T): number => place.get(keyOf(row)) ?? keys.length;
  return [...rows].sort((one, other) => at(one) - at(other));
}

/**
 * Rows whose order changes by itself stay where they are while the pointer is over them, and come into order when it leaves.
 * Another `by` (what is sorted by, what is filtered) is somebody's own wish and holds at once.
 */
export function useSteady<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  by: string,
): { rows: T[]; over: { onPointerEnter: () => void; onPointerLeave: () => void } } {
  const [kept, keep] = useState<Kept | null>(null);
  const hold = (): void => keep({ by, keys: rows.map(keyOf) });
  if (kept && kept.by !== by) hold();
  const held = kept?.by === by ? kept : null;
  return {
    rows: held ? inPlaces(rows, held.keys, keyOf) : [...rows],
    over: { onPointerEnter: hold, onPointerLeave: () => keep(null) },
  };
}
