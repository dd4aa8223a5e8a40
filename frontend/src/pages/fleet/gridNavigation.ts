import type { KeyboardEvent } from "react";
import { letterKeys } from "../../parts/keyboard/keys";

export interface Field {
  rows: number;
  columns: number;
  /** The deployment at a place; undefined where none is. */
  nameAt: (row: number, column: number) => string | undefined;
  selected: ReadonlySet<string>;
  onSelect: (name: string) => void;
  /** Bring the focus to a place, which may be out of sight. */
  go: (row: number, column: number) => void;
}

const steps: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, 1],
  End: [0, -1],
};

/** The next place with a deployment; places without one are stepped over. */
export function nextPlace(
  key: string,
  from: readonly [number, number],
  field: Pick<Field, "rows" | "columns" | "nameAt">,
): [number, number] | null {
  const step = steps[key];
  if (!step) return null;
  const row = from[0] + (key.startsWith("Arrow") ? step[0] : 0);
  const column = key === "Home" ? 0 : key === "End" ? field.columns - 1 : from[1] + step[1];
  for (
    let [r, c] = [row, column];
    r >= 0 && c >= 0 && r < field.rows && c < field.columns;
    r += step[0], c += step[1]
  ) {
    if (field.nameAt(r, c) !== undefined) return [r, c];
  }
  return null;
}

/** Arrows walk the grid, Home and End go to the ends of the row, Space or x selects, Shift selects a range. */
export function nextSelection(event: KeyboardEvent<HTMLDivElement>, field: Field): void {
  const here = document.activeElement?.closest<HTMLElement>("[data-at]");
  if (!here) return;
  const [row = 0, column = 0] = (here.dataset["at"] ?? "").split(",").map(Number);
  const name = here.dataset["name"];
  if (event.key === " " || (event.key === "x" && letterKeys.get())) {
    event.preventDefault();
    if (name) field.onSelect(name);
    return;
  }
  if (!(event.key in steps)) return;
  event.preventDefault();
  const next = nextPlace(event.key, [row, column], field);
  if (!next) return;
  if (event.shiftKey)
    for (const each of [name, field.nameAt(...next)]) if (each && !field.selected.has(each)) field.onSelect(each);
  field.go(...next);
}
