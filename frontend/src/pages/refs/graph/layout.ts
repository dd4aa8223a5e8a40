import type { DrawnNode, GraphView } from "./graph";

export interface Position {
  x: number;
  y: number;
}

export type Positions = ReadonlyMap<string, Position>;

const WIDE = 230;
const BETWEEN = 110;
const HIGH = 58;
const TALL = 10;

/** Lanes by distance; inside a lane blocking neighbours first, in columns of ten, centred on the focus. */
export function positions(nodes: readonly DrawnNode[]): Map<string, Position> {
  if (nodes.some((node) => node.row !== undefined)) return byRow(nodes);
  const seriesList = new Map<number, DrawnNode[]>();
  for (const node of nodes) seriesList.set(node.series, [...(seriesList.get(node.series) ?? []), node]);
  const result = new Map<string, Position>();
  for (const side of [-1, 1]) {
    let x = 0;
    for (let far = side === 1 ? 0 : -1; seriesList.has(far); far += side) {
      const members = seriesList.get(far) ?? [];
      const columns = Math.ceil(members.length / TALL);
      if (far !== 0) x += side * (WIDE + BETWEEN);
      members.forEach((node, at) => {
        const column = Math.floor(at / TALL);
        const rows = Math.min(TALL, members.length - column * TALL);
        result.set(node.id, { x: x + side * column * WIDE, y: ((at % TALL) - (rows - 1) / 2) * HIGH });
      });
      x += side * (columns - 1) * WIDE;
    }
  }
  return result;
}

/** A map: lanes from left to right, a row for each region; what shares both stands side by side. */
function byRow(nodes: readonly DrawnNode[]): Map<string, Position> {
  const cells = new Map<string, DrawnNode[]>();
  for (const node of nodes) {
    const cell = `${node.series} ${node.row ?? 0}`;
    cells.set(cell, [...(cells.get(cell) ?? []), node]);
  }
  const match = new Map<string, Position>();
  let x = 0;
  for (const track of [...new Set(nodes.map((node) => node.series))].sort((one, other) => one - other)) {
    const rows = [...cells.values()].filter(([first]) => first?.series === track);
    for (const cell of rows)
      cell.forEach((node, at) => match.set(node.id, { x: x + at * WIDE, y: (node.row ?? 0) * HIGH * 2 }));
    x += Math.max(...rows.map((cell) => cell.length)) * WIDE + BETWEEN;
  }
  return match;
}

/** What was placed before stays where it is; what is new takes its lane's next free spot. */
export function placed(nodes: readonly DrawnNode[], before: Positions): Map<string, Position> {
  const fresh = positions(nodes);
  const response = new Map<string, Position>();
  for (const { id } of nodes) {
    const spot = before.get(id);
    if (spot) response.set(id, spot);
  }
  const taken = [...response.values()];
  for (const { id } of nodes) {
    const preference = fresh.get(id);
    if (!preference || response.has(id)) continue;
    let spot = preference;
    while (taken.some((each) => Math.abs(each.x - spot.x) < WIDE - 1 && Math.abs(each.y - spot.y) < HIGH - 1))
      spot = { x: spot.x, y: spot.y + HIGH };
    response.set(id, spot);
    taken.push(spot);
  }
  return response;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** Whom an arrow leads to: left who refers, right what is referred to, up and down the siblings of its lane. */
export function stepFrom(picture: GraphView, spots: Positions, from: string, arrow: Arrow): string | null {
  const here = spots.get(from);
  if (!here) return null;
  const near = (ids: Iterable<string>): string | null => {
    const ranked = [...new Set(ids)].flatMap((id) => {
      const spot = spots.get(id);
      return spot && id !== from ? [{ id, far: Math.hypot(spot.x - here.x, spot.y - here.y) }] : [];
    });
    return ranked.sort((one, other) => one.far - other.far || one.id.localeCompare(other.id))[0]?.id ?? null;
  };
  if (arrow === "ArrowLeft")
    return near(picture.edges.filter((edge) => edge.target === from).map((edge) => edge.source));
  if (arrow === "ArrowRight")
    return near(picture.edges.filter((edge) => edge.source === from).map((edge) => edge.target));
  const layer = picture.nodes.find((node) => node.id === from)?.series;
  const siblings = picture.nodes.filter((node) => node.series === layer).map((node) => node.id);
  const order = siblings.sort((one, other) => rowsInOrder(spots, one) - rowsInOrder(spots, other));
  return order[order.indexOf(from) + (arrow === "ArrowDown" ? 1 : -1)] ?? null;
}

/** Column by column, from top to bottom. */
function rowsInOrder(spots: Positions, id: string): number {
  const spot = spots.get(id);
  return spot ? Math.abs(spot.x) * 10_000 + spot.y : 0;
}
