import type { Core } from "cytoscape";

export const PADDING = 24;
/** Smaller than this, nobody reads what stands in a node. */
const READABLE = 0.55;

/** Whether a width is so different that the same part of the picture cannot be in sight. */
export function isOther(before: number, after: number): boolean {
  return after > 0 && (before <= 0 || Math.abs(after - before) > before * 0.2);
}

/** Bring the picture into view: all of it where it can be read, else what surrounds the focus. */
export function frame(core: Pick<Core, "fit" | "zoom" | "center" | "nodes">, width: number): void {
  core.fit(undefined, PADDING);
  if (core.zoom() > 1) {
    core.zoom(1);
    core.center();
  }
  const focus = core.nodes("[?focus]");
  if (width < 600 && core.zoom() < READABLE && focus.length > 0) {
    core.zoom(READABLE);
    core.center(focus);
  }
}
