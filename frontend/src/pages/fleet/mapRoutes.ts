import { plural } from "../../words/text";
import type { MapLayout, MapLine, MapNode } from "./mapLayout";

/** The measures of the map: columns with gaps between them, rows with channels between them. */
export const [WIDE, HIGH, NODE, TALL, LEFT] = [252, 62, 182, 48, 112];
const TOP = 14;
const MARGIN = 8;
const GAP = WIDE - NODE;
const ARROW = 9;
/** Beside the boxes a line needs room for its arrow; between that, so many lines run side by side. */
const TRACKS = 7;
const CHANNELS = 4;
/** Lines leave a box so far from its upper and lower edge: with so many, the versions beside each have room of their own. */
const EDGE = 4;
const LABELS = 4;
/** A label in the picture: its height, the width of a letter, and how many fit between a box and the arrows of its neighbour. */
export const [LETTER_HIGH, LETTER_WIDE, LETTERS] = [13, 5.7, 10];
const BESIDE = 4;

export const xOf = (node: MapNode): number => LEFT + node.column * WIDE;
/** How wide the picture is: to the right of the last column only where lines run there. */
export const fieldWidthOf = (columns: number, routes: readonly MapRoute[]): number =>
  Math.max(LEFT + (columns - 1) * WIDE + NODE, ...routes.flatMap(({ corners }) => corners.map(([x]) => x))) + MARGIN;
export const yOf = (node: MapNode): number => TOP + node.row * HIGH;

export interface MapRoute {
  line: MapLine;
  from: MapNode;
  to: MapNode;
  /** Corner by corner, from who imports to what is imported; each piece is level or upright. */
  corners: [number, number][];
  /** The imported versions and where they end; null where too many lines leave the box. */
  label: { text: string; x: number; y: number } | null;
}

/** The gap right of a column; what leads to one target runs in one track, so that it reads as one trunk. */
function trackOf(column: number, track: number): number {
  const room = GAP - 2 * ARROW - 6;
  return LEFT + column * WIDE + NODE + ARROW + 3 + (room * (track % TRACKS)) / (TRACKS - 1);
}

/** The versions that are imported along a line, as far as there is room beside a box. */
function labelText({ versions }: MapLine): string {
  const all = versions.join(", ");
  const text = versions.length > 1 && all.length > LETTERS ? plural(versions.length, "# version", "# versions") : all;
  return text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;
}

/** Where one of the lines leaves a box: in the middle if it is alone, else spread over its height. */
function startAt(from: MapNode, at: number, count: number): number {
  return yOf(from) + (count === 1 ? TALL / 2 : EDGE + ((TALL - 2 * EDGE) * at) / (count - 1));
}

/** Lines leave a box side by side, in the order of what they lead to. */
function startsOf(lines: readonly MapLine[]): Map<MapLine, { y: number; count: number }> {
  const leaving = new Map<MapNode, MapLine[]>();
  for (const line of lines) leaving.set(line.from, [...(leaving.get(line.from) ?? []), line]);
  const starts = new Map<MapLine, { y: number; count: number }>();
  for (const [from, own] of leaving) {
    own.sort((one, other) => one.to.row - other.to.row || one.to.column - other.to.column);
    for (const [at, line] of own.entries()) starts.set(line, { y: startAt(from, at, own.length), count: own.length });
  }
  return starts;
}

/** Lines that run in the gaps between columns and the channels between rows: none passes behind a box. */
export function routesOf(layout: Pick<MapLayout, "lines">): MapRoute[] {
  const tracks = new Map<MapNode, number>();
  const counts = new Map<number, number>();
  for (const { to } of [...layout.lines].sort((one, other) => one.to.row - other.to.row)) {
    if (tracks.has(to)) continue;
    const count = counts.get(to.column) ?? 0;
    tracks.set(to, count);
    counts.set(to.column, count + 1);
  }
  const starts = startsOf(layout.lines);
  return layout.lines.map((line) => {
    const { from, to } = line;
    const track = tracks.get(to) ?? 0;
    const { y: start, count } = starts.get(line) ?? { y: yOf(from) + TALL / 2, count: 1 };
    const end = yOf(to) + TALL / 2;
    const trunk = trackOf(to.column, track);
    const corners: [number, number][] =
      from.column - to.column === 1
        ? [
            [trunk, start],
            [trunk, end],
          ]
        : longWay(from, to, start, track, trunk);
    return {
      line,
      from,
      to,
      corners: [[xOf(from), start], ...corners, [xOf(to) + NODE, end]],
      label: count <= LABELS ? { text: labelText(line), x: xOf(from) - BESIDE, y: start - 3 } : null,
    };
  });
}

/** Past the columns between: down the gap beside the importer, along the channel above the target's row. */
function longWay(from: MapNode, to: MapNode, start: number, track: number, trunk: number): [number, number][] {
  const gap = trackOf(from.column - 1, track);
  const channel = yOf(to) - (HIGH - TALL) + 3 + ((HIGH - TALL - 6) * (track % CHANNELS)) / (CHANNELS - 1);
  return [
    [gap, start],
    [gap, channel],
    [trunk, channel],
    [trunk, yOf(to) + TALL / 2],
  ];
}

export const pathOf = (route: MapRoute): string => `M${route.corners.map((corner) => corner.join(" ")).join("L")}`;

/** The head of the arrow, which points at what is imported. */
export function headOf(route: MapRoute): string {
  const [x, y] = [xOf(route.to) + NODE, yOf(route.to) + TALL / 2];
  return `${x},${y} ${x + ARROW},${y - 4.5} ${x + ARROW},${y + 4.5}`;
}
