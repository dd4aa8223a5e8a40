import type { MapLayout, MapLine, MapNode } from "./mapLayout";

/** The measures of the map: columns with gaps between them, rows with channels between them. */
export const [WIDE, HIGH, NODE, TALL, LEFT] = [260, 62, 190, 48, 120];
const TOP = 14;
const GAP = WIDE - NODE;
const ARROW = 9;
/** Beside the boxes a line needs room for its arrow; between that, so many lines run side by side. */
const TRACKS = 7;
const CHANNELS = 4;
/** With more lines than that, the versions of one box would lie upon each other. */
const LABELS = 4;

export const xOf = (node: MapNode): number => LEFT + node.column * WIDE;
export const yOf = (node: MapNode): number => TOP + node.row * HIGH;

export interface MapRoute {
  line: MapLine;
  from: MapNode;
  to: MapNode;
  /** Corner by corner, from who imports to what is imported; each piece is level or upright. */
  corners: [number, number][];
  /** Where the imported versions are written; null where too many lines leave the box. */
  label: [number, number] | null;
}

/** The gap right of a column; what leads to one target runs in one track, so that it reads as one trunk. */
function trackOf(column: number, track: number): number {
  const room = GAP - 2 * ARROW - 6;
  return LEFT + column * WIDE + NODE + ARROW + 3 + (room * (track % TRACKS)) / (TRACKS - 1);
}

/** Lines leave a box side by side, in the order of what they lead to. */
function startsOf(lines: readonly MapLine[]): Map<MapLine, { y: number; count: number }> {
  const leaving = new Map<MapNode, MapLine[]>();
  for (const line of lines) leaving.set(line.from, [...(leaving.get(line.from) ?? []), line]);
  const starts = new Map<MapLine, { y: number; count: number }>();
  for (const [from, own] of leaving) {
    own.sort((one, other) => one.to.row - other.to.row || one.to.column - other.to.column);
    for (const [at, line] of own.entries())
      starts.set(line, { y: yOf(from) + (TALL * (at + 1)) / (own.length + 1), count: own.length });
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
      label: count <= LABELS ? [xOf(from) - 4, start - 3] : null,
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
