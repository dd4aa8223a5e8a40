import type { Cell, FleetService, Region } from "../../wire/model";
import { isMoving } from "./fleet";

/** A deployment at its place: the column is its service's rank, the row counts through all lanes. */
export interface PlacedCell {
  cell: Cell;
  column: number;
  row: number;
}

export interface MapLayout {
  nodes: PlacedCell[];
  seriesList: { region: string; row: number; rows: number }[];
  lines: { from: PlacedCell; to: PlacedCell }[];
  columns: number;
  rows: number;
  hidden: number;
}

/** Regions as lanes, ranks as columns; with too many deployments those on the move stay, and the rest is counted. */
export function mapLayoutOf(
  services: readonly FleetService[],
  regions: readonly Region[],
  cells: readonly Cell[],
  budget: number,
): MapLayout {
  const known = new Map(services.map((service) => [service.name, service]));
  const ranks = [...new Set(services.map((service) => service.rank))].sort((one, other) => one - other);
  const target = cells.filter((cell) => known.has(cell.service));
  const kept = new Set(
    target.length > budget
      ? [...target].sort((one, other) => Number(isMoving(other)) - Number(isMoving(one))).slice(0, budget)
      : target,
  );
  const nodes: PlacedCell[] = [];
  const tracks: MapLayout["seriesList"] = [];
  let row = 0;
  for (const region of regions) {
    const filled = new Map<number, number>();
    for (const cell of target) {
      if (cell.region !== region.name || !kept.has(cell)) continue;
      const column = ranks.indexOf(known.get(cell.service)?.rank ?? 0);
      const at = filled.get(column) ?? 0;
      filled.set(column, at + 1);
      nodes.push({ cell, column, row: row + at });
    }
    if (filled.size === 0) continue;
    const rows = Math.max(...filled.values());
    tracks.push({ region: region.name, row, rows });
    row += rows;
  }
  const places = new Map(nodes.map((node) => [`${node.cell.service} ${node.cell.region}`, node]));
  const lines = nodes.flatMap((from) =>
    (known.get(from.cell.service)?.imports ?? []).flatMap((name) => {
      const to = places.get(`${name} ${from.cell.region}`);
      return to ? [{ from, to }] : [];
    }),
  );
  return { nodes, seriesList: tracks, lines, columns: ranks.length, rows: row, hidden: target.length - nodes.length };
}
