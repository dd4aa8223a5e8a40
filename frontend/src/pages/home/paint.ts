import type { HeatClass } from "./heat";
import { type HeatGeometry, type HeatPlan, type Place, widthOf } from "./layout";

/** Cells so wide have room for the version in letters. */
const LETTERS_FROM = 58;

export interface PaintedCell {
  heat: HeatClass;
  text: string;
}

function pixelsOf({ width, height }: HeatGeometry): { width: number; height: number } {
  const ratio = window.devicePixelRatio || 1;
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

/** A canvas sharp on its screen, cleared unless a part of it is drawn anew; null where there is none to draw on. */
function prepared(canvas: HTMLCanvasElement, geometry: HeatGeometry, isPart = false): CanvasRenderingContext2D | null {
  const { width, height } = pixelsOf(geometry);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${geometry.width}px`;
  canvas.style.height = `${geometry.height}px`;
  const context = canvas.getContext("2d");
  const ratio = window.devicePixelRatio || 1;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!isPart) context?.clearRect(0, 0, geometry.width, geometry.height);
  return context;
}

/** Draw all cells, or those that `changed`; the tokens of colours are read once each. */
export function paintCells(
  canvas: HTMLCanvasElement,
  plan: HeatPlan,
  geometry: HeatGeometry,
  cellOf: (row: number, column: number) => PaintedCell,
  changed: readonly Place[] | null = null,
): void {
  const { width: pixels } = pixelsOf(geometry);
  // A canvas of another size is empty: all of it is drawn.
  const only = canvas.width === pixels ? changed : null;
  const context = prepared(canvas, geometry, only !== null);
  if (!context) return;
  const styles = getComputedStyle(canvas);
  const known = new Map<string, string>();
  const token = (name: string): string => {
    const value = known.get(name) ?? styles.getPropertyValue(name).trim();
    known.set(name, value);
    return value;
  };
  const { cellHeight, gap } = geometry;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.font = `600 11px ${token("--mono")}`;
  const paint = (row: number, column: number): void => {
    const [x, y] = [geometry.lefts[column] ?? 0, row * cellHeight];
    const width = widthOf(plan, geometry, column) - gap;
    const { heat, text } = cellOf(row, column);
    if (only) context.clearRect(x, y, width, cellHeight - gap);
    context.globalAlpha = heat.alpha;
    context.fillStyle = token(heat.token);
    context.fillRect(x, y, width, cellHeight - gap);
    context.globalAlpha = 1;
    if (width < LETTERS_FROM || cellHeight < 18 || !text) return;
    // The letters stand on a plate of the page's own colour: readable on every class.
    const plate = Math.min(width - 6, context.measureText(text).width + 10);
    context.fillStyle = token("--surface");
    context.fillRect(x + (width - plate) / 2, y + 4, plate, cellHeight - gap - 8);
    context.fillStyle = token("--ink");
    context.fillText(text, x + width / 2, y + (cellHeight - gap) / 2, plate);
  };
  if (only) {
    for (const { row, column } of only) paint(row, column);
    return;
  }
  for (let column = 0; column < plan.columns.length; column += 1)
    for (let row = 0; row < plan.rows.length; row += 1) paint(row, column);
}

/** Draw what lies over the cells: those that are selected, the one that is pointed at, and the brush. */
export function paintMarks(
  canvas: HTMLCanvasElement,
  plan: HeatPlan,
  geometry: HeatGeometry,
  marks: { selected: readonly Place[]; at: Place | null; brush: readonly [Place, Place] | null },
): void {
  const context = prepared(canvas, geometry);
  if (!context) return;
  const styles = getComputedStyle(canvas);
  const accent = styles.getPropertyValue("--accent").trim();
  const frame = (one: Place, other: Place, colour: string, width: number): void => {
    const [left, right] = [Math.min(one.column, other.column), Math.max(one.column, other.column)];
    const [top, bottom] = [Math.min(one.row, other.row), Math.max(one.row, other.row)];
    const x = geometry.lefts[left] ?? 0;
    const until = (geometry.lefts[right] ?? 0) + widthOf(plan, geometry, right);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(
      x + width / 2,
      top * geometry.cellHeight + width / 2,
      Math.max(1, until - x - geometry.gap - width),
      Math.max(1, (bottom - top + 1) * geometry.cellHeight - geometry.gap - width),
    );
  };
  for (const place of marks.selected) frame(place, place, accent, Math.min(2, geometry.cellWidth / 2));
  if (marks.at) frame(marks.at, marks.at, styles.getPropertyValue("--ink").trim(), 2);
  if (marks.brush) frame(marks.brush[0], marks.brush[1], accent, 2);
}
