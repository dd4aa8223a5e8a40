import { byAge } from "../../parts/versions";
import type { Cell, FleetService, Region } from "../../wire/model";
import { isMoving } from "./fleet";

/** A deployment, or a group of them, at its place: the column is its tier, the row counts through all lanes. */
export interface MapNode {
  key: string;
  /** Empty for a deployment that stands alone. */
  group: string;
  cells: readonly [Cell, ...Cell[]];
  column: number;
  row: number;
}

/** Who imports whom, and which versions of it; `ahead` where one of them is newer than what is served there. */
export interface MapLine {
  from: MapNode;
  to: MapNode;
  versions: readonly string[];
  ahead: boolean;
}

export interface MapLayout {
  nodes: MapNode[];
  seriesList: { region: string; row: number; rows: number }[];
  lines: MapLine[];
  columns: number;
  rows: number;
  hidden: number;
}

export interface MapOptions {
  /** So many boxes are drawn; what is under way stays. */
  budget: number;
  /** The group of each service; null where every deployment stands alone. */
  groups: ReadonlyMap<string, string> | null;
  /** The groups that are drawn as their deployments. */
  opened: ReadonlySet<string>;
}

/** Deployments by the box that they are drawn in: one of their own, or that of their tier, group and region. */
function boxesOf(cells: readonly Cell[], columnOf: (cell: Cell) => number, { groups, opened }: MapOptions) {
  const boxes = new Map<string, { group: string; cells: [Cell, ...Cell[]] }>();
  for (const cell of cells) {
    const group = groups?.get(cell.service) ?? "";
    const collapsed = `${cell.region}/${columnOf(cell)}/${group}`;
    const key = group && !opened.has(collapsed) ? collapsed : cell.name;
    const box = boxes.get(key);
    if (box) box.cells.push(cell);
    else boxes.set(key, { group: key === collapsed ? group : "", cells: [cell] });
  }
  // A group of one is that one.
  return [...boxes].map(([key, box]) => ({ key, ...box, group: box.cells.length > 1 ? box.group : "" }));
}

/** Regions as lanes, tiers as columns; with too many boxes those with an upgrade under way stay, and the rest is counted. */
export function mapLayoutOf(
  services: readonly FleetService[],
  regions: readonly Region[],
  cells: readonly Cell[],
  options: MapOptions,
): MapLayout {
  const known = new Map(services.map((service) => [service.name, service]));
  const ranks = [...new Set(services.map((service) => service.rank))].sort((one, other) => one - other);
  const columnOf = (cell: Cell): number => ranks.indexOf(known.get(cell.service)?.rank ?? 0);
  const target = cells.filter((cell) => known.has(cell.service));
  const all = boxesOf(target, columnOf, options);
  const moving = (box: { cells: readonly Cell[] }): number => Number(box.cells.some(isMoving));
  const boxes =
    all.length > options.budget
      ? [...all].sort((one, other) => moving(other) - moving(one)).slice(0, options.budget)
      : all;
  const inOrder = new Map(all.map((box, at) => [box, at]));
  boxes.sort((one, other) => (inOrder.get(one) ?? 0) - (inOrder.get(other) ?? 0));
  const nodes: MapNode[] = [];
  const tracks: MapLayout["seriesList"] = [];
  let row = 0;
  for (const region of regions) {
    const filled = new Map<number, number>();
    for (const box of boxes) {
      if (box.cells[0].region !== region.name) continue;
      const column = columnOf(box.cells[0]);
      const at = filled.get(column) ?? 0;
      filled.set(column, at + 1);
      nodes.push({ ...box, column, row: row + at });
    }
    if (filled.size === 0) continue;
    const rows = Math.max(...filled.values());
    tracks.push({ region: region.name, row, rows });
    row += rows;
  }
  const drawn = nodes.reduce((sum, node) => sum + node.cells.length, 0);
  return {
    nodes,
    seriesList: tracks,
    lines: linesOf(nodes, known),
    columns: ranks.length,
    rows: row,
    hidden: target.length - drawn,
  };
}

/** One line between two boxes, with every version that is imported along it. */
function linesOf(nodes: readonly MapNode[], known: ReadonlyMap<string, FleetService>): MapLine[] {
  const places = new Map(
    nodes.flatMap((node) => node.cells.map((cell) => [`${cell.service} ${cell.region}`, { node, cell }] as const)),
  );
  const lines = new Map<string, MapLine>();
  for (const from of nodes) {
    for (const cell of from.cells) {
      const service = known.get(cell.service);
      for (const name of service?.imports ?? []) {
        const to = places.get(`${name} ${cell.region}`);
        if (!to || to.node === from) continue;
        const version = service?.import_versions.find(
          (each) => each.service === name && each.for_version === cell.current_version,
        )?.version;
        const line = lines.get(`${from.key} ${to.node.key}`) ?? { from, to: to.node, versions: [], ahead: false };
        lines.set(`${from.key} ${to.node.key}`, {
          ...line,
          versions: version ? [...new Set([...line.versions, version])].sort(byAge) : line.versions,
          ahead: line.ahead || (version !== undefined && byAge(version, to.cell.current_version) > 0),
        });
      }
    }
  }
  return [...lines.values()];
}
