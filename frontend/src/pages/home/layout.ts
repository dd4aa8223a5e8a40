import type { Cell, FleetService, Region } from "../../wire/model";
import { byPlace, continentOf } from "../fleet/fleet";
import { groupNames, NO_LABEL } from "../fleet/groups";

/** A column of the heat map: one service, or a collapsed group of them. */
export interface HeatColumn {
  key: string;
  group: string;
  services: readonly FleetService[];
}

export interface HeatGroup {
  name: string;
  /** Where its columns begin, and how many there are. */
  from: number;
  count: number;
  services: number;
  folded: boolean;
}

export interface HeatPlan {
  columns: HeatColumn[];
  groups: HeatGroup[];
  rows: readonly Region[];
  /** Where another part of the world begins; empty where regions name no time zone. */
  bands: { name: string; from: number; count: number }[];
}

export interface PlanOptions {
  services: readonly FleetService[];
  cells: readonly Cell[];
  regions: readonly Region[];
  by: string;
  folded: ReadonlySet<string>;
  /** How much a service needs attention: the highest comes first within a group, and with its group among labels. */
  attention: (service: string) => number;
}

/** Which columns and rows there are, in their order. */
export function planHeat({ services, cells, regions, by, folded, attention }: PlanOptions): HeatPlan {
  const names = groupNames(services, cells, by);
  const members = new Map<string, FleetService[]>();
  const inOrder = [...services].sort(
    (one, other) =>
      attention(other.name) - attention(one.name) || one.rank - other.rank || one.name.localeCompare(other.name),
  );
  for (const service of inOrder) {
    const name = names.get(service.name) ?? NO_LABEL;
    members.set(name, [...(members.get(name) ?? []), service]);
  }
  const byName = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
  const most = (name: string): number => attention(members.get(name)?.[0]?.name ?? "");
  // Tiers are an order of their own; among labels the group that needs attention most comes first.
  const ordered = [...members.keys()].sort((one, other) =>
    by === "tier" ? byName(one, other) : most(other) - most(one) || byName(one, other),
  );
  const plan: HeatPlan = { columns: [], groups: [], rows: regions, bands: [] };
  for (const name of ordered) {
    const group = members.get(name) ?? [];
    const isFolded = folded.has(name);
    plan.groups.push({
      name,
      from: plan.columns.length,
      count: isFolded ? 1 : group.length,
      services: group.length,
      folded: isFolded,
    });
    if (isFolded) plan.columns.push({ key: `group ${name}`, group: name, services: group });
    else plan.columns.push(...group.map((service) => ({ key: service.name, group: name, services: [service] })));
  }
  for (const [at, region] of regions.entries()) {
    const name = continentOf(region);
    const last = plan.bands.at(-1);
    if (last?.name === name) last.count += 1;
    else plan.bands.push({ name, from: at, count: 1 });
  }
  if (plan.bands.every((band) => !band.name)) plan.bands = [];
  return plan;
}

/** The deployments of a place: one, none, or those of a collapsed group in that region. */
export function cellsAt(plan: HeatPlan, places: ReturnType<typeof byPlace>, row: number, column: number): Cell[] {
  const region = plan.rows[row]?.name ?? "";
  return (plan.columns[column]?.services ?? []).flatMap((service) => places.get(`${service.name} ${region}`) ?? []);
}

/** The deployments within a rectangle of places, both corners included. */
export function cellsWithin(plan: HeatPlan, places: ReturnType<typeof byPlace>, one: Place, other: Place): Cell[] {
  const result: Cell[] = [];
  for (let row = Math.min(one.row, other.row); row <= Math.max(one.row, other.row); row += 1)
    for (let column = Math.min(one.column, other.column); column <= Math.max(one.column, other.column); column += 1)
      result.push(...cellsAt(plan, places, row, column));
  return result;
}

export interface Place {
  row: number;
  column: number;
}

/** Where every column and row lies, in CSS pixels. */
export interface HeatGeometry {
  lefts: number[];
  cellWidth: number;
  foldedWidth: number;
  cellHeight: number;
  gap: number;
  width: number;
  height: number;
}

const GROUP_GAP = 10;
const LEAST = 3;
const FOLDED_LEAST = 24;

/** Cells as large as the room allows, so that 300 × 60 fit on one screen and 5 × 3 fill it. */
export function geometryOf(plan: HeatPlan, room: number): HeatGeometry {
  const folded = plan.groups.filter((group) => group.folded).length;
  const single = plan.columns.length - folded;
  const gaps = Math.max(0, plan.groups.length - 1) * GROUP_GAP;
  const even = Math.floor(Math.max(0, room - gaps) / Math.max(1, plan.columns.length));
  // Where a collapsed group gets less than its name takes, single services share what is left.
  const left = Math.max(0, room - gaps - folded * FOLDED_LEAST);
  const cellWidth = Math.max(LEAST, even >= FOLDED_LEAST || !single ? even : Math.floor(left / single));
  const foldedWidth = Math.max(FOLDED_LEAST, cellWidth);
  const rows = Math.max(1, plan.rows.length);
  const cellHeight = Math.min(30, Math.max(6, Math.floor(480 / rows)));
  const lefts: number[] = [];
  let x = 0;
  for (const [at, group] of plan.groups.entries()) {
    if (at) x += GROUP_GAP;
    for (let column = 0; column < group.count; column += 1) {
      lefts.push(x);
      x += group.folded ? foldedWidth : cellWidth;
    }
  }
  return {
    lefts,
    cellWidth,
    foldedWidth,
    cellHeight,
    gap: cellWidth >= 5 && cellHeight >= 6 ? 1 : 0,
    width: x,
    height: rows * cellHeight,
  };
}

export function widthOf(plan: HeatPlan, geometry: HeatGeometry, column: number): number {
  return plan.columns[column]?.key.startsWith("group ") ? geometry.foldedWidth : geometry.cellWidth;
}

/** The place under a point; null between groups and outside. */
export function placeAt(plan: HeatPlan, geometry: HeatGeometry, x: number, y: number): Place | null {
  const row = Math.floor(y / geometry.cellHeight);
  if (row < 0 || row >= plan.rows.length || x < 0) return null;
  let [low, high] = [0, geometry.lefts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((geometry.lefts[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  const left = geometry.lefts[low];
  if (left === undefined || x < left || x >= left + widthOf(plan, geometry, low)) return null;
  return { row, column: low };
}

/** The place that a key leads to; the edge holds. */
export function placeAfter(plan: HeatPlan, from: Place, key: string): Place | null {
  const [rows, columns] = [plan.rows.length - 1, plan.columns.length - 1];
  const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  switch (key) {
    case "ArrowLeft":
      return { ...from, column: clamp(from.column - 1, columns) };
    case "ArrowRight":
      return { ...from, column: clamp(from.column + 1, columns) };
    case "ArrowUp":
      return { ...from, row: clamp(from.row - 1, rows) };
    case "ArrowDown":
      return { ...from, row: clamp(from.row + 1, rows) };
    case "Home":
      return { ...from, column: 0 };
    case "End":
      return { ...from, column: columns };
    case "PageUp":
      return { ...from, row: 0 };
    case "PageDown":
      return { ...from, row: rows };
    default:
      return null;
  }
}

/** The places whose deployments are not what they were; a patched fleet keeps those that did not change. */
export function changedPlaces(
  plan: HeatPlan,
  before: ReturnType<typeof byPlace>,
  after: ReturnType<typeof byPlace>,
): Place[] {
  const rows = new Map(plan.rows.map((region, at) => [region.name, at]));
  const columns = new Map(plan.columns.flatMap((column, at) => column.services.map((service) => [service.name, at])));
  const result: Place[] = [];
  const note = (cell: Cell): void => {
    const [row, column] = [rows.get(cell.region), columns.get(cell.service)];
    if (row !== undefined && column !== undefined) result.push({ row, column });
  };
  for (const [key, cell] of after) if (before.get(key) !== cell) note(cell);
  if (before.size !== after.size) for (const [key, cell] of before) if (!after.has(key)) note(cell);
  return result;
}
