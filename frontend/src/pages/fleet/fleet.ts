import type { Cell, Fleet, FleetService } from "../../wire/model";
import type { components } from "../../wire/schema";
import { byAge } from "../../parts/versions";
import { heldUp, stateWord, type Word } from "../../parts/status";
import type { Tone } from "../../parts/Shape";
import { t } from "../../words/text";

export interface FleetFilter {
  /** Words that all stand somewhere in what is known of the deployment. */
  q?: string;
  service: string;
  region: string;
  state: string;
  version: string;
  /** `key=value`. */
  label: string;
  /** Who planned the upgrade that runs. */
  owner?: string;
  /** The part of the world its region lies in. */
  continent?: string;
  /** At least so many versions behind the newest of its service. */
  behind: string;
}

/** Cells by service and region, so that the matrix finds them at once. */
export function byPlace(cells: readonly Cell[]): Map<string, Cell> {
  return new Map(cells.map((cell) => [`${cell.service} ${cell.region}`, cell]));
}

export function newestOf(service: FleetService): string {
  return [...service.versions].sort(byAge).at(-1) ?? "";
}

/** One word for a cell: disabled first, then its upgrade, else it serves. */
export function cellWord(cell: Cell): Word {
  if (cell.disabled) return { tone: "unknown", word: t`disabled` };
  if (cell.blocked) return heldUp(cell.state);
  return cell.state ? stateWord(cell.state) : { tone: "ok", word: t`Serving` };
}

const quiet = new Set(["", "IDLE", "SERVING", "COMPLETED", "ABORTED", "REVERTED", "HANDED_OVER"]);

export function isMoving(cell: Cell): boolean {
  return !quiet.has(cell.state.toUpperCase());
}

/** How many newer versions each service's deployments could serve, by service and version. */
export function versionsBehind(services: readonly FleetService[]): (cell: Cell) => number {
  const orders = new Map(services.map((service) => [service.name, [...service.versions].sort(byAge)]));
  return (cell) => {
    const order = orders.get(cell.service) ?? [];
    const at = order.indexOf(cell.current_version);
    return at < 0 ? 0 : order.length - 1 - at;
  };
}

/** Every label that deployments carry, as `key=value`. */
export function labelsOf(cells: readonly Cell[]): string[] {
  return [
    ...new Set(cells.flatMap((cell) => Object.entries(cell.labels).map(([key, value]) => `${key}=${value}`))),
  ].sort();
}

function matchesText(cell: Cell, words: string): boolean {
  const labels = Object.entries(cell.labels).map(([key, value]) => `${key}=${value}`);
  const text = [
    cell.service,
    cell.region,
    cell.current_version,
    cell.target_version ?? "",
    cellWord(cell).word,
    cell.owner ?? "",
    cell.data_version,
    ...labels,
  ]
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function matches(cell: Cell, filter: FleetFilter, behind: number): boolean {
  return (
    (!filter.q || matchesText(cell, filter.q.trim())) &&
    (!filter.service || cell.service.includes(filter.service)) &&
    (!filter.region || cell.region === filter.region) &&
    (!filter.version || cell.current_version === filter.version || cell.target_version === filter.version) &&
    (!filter.owner || cell.owner === filter.owner) &&
    (!filter.label ||
      cell.labels[filter.label.split("=", 1)[0] ?? ""] === filter.label.slice(filter.label.indexOf("=") + 1)) &&
    (!filter.behind || behind >= Number(filter.behind)) &&
    (!filter.state || (filter.state === "DISABLED" ? cell.disabled : cell.state.toUpperCase() === filter.state))
  );
}

/** Services by rank, then name; only those with a cell that matches. */
export function shownServices(fleet: Fleet, filter: FleetFilter): FleetService[] {
  const behind = versionsBehind(fleet.services);
  const result = new Set(fleet.cells.filter((cell) => matches(cell, filter, behind(cell))).map((cell) => cell.service));
  const empty =
    !filter.q && !filter.region && !filter.owner && !filter.state && !filter.version && !filter.label && !filter.behind;
  return fleet.services
    .filter(
      (service) =>
        result.has(service.name) ||
        (empty && service.name.includes(filter.service) && !fleet.cells.some((cell) => cell.service === service.name)),
    )
    .sort((one, other) => one.rank - other.rank || one.name.localeCompare(other.name));
}

export function tally(cells: readonly Cell[]): { tone: Tone; word: string; count: number; state: string }[] {
  const match = new Map<string, { tone: Tone; word: string; count: number; state: string }>();
  for (const cell of cells) {
    if (!isMoving(cell) && !cell.disabled) continue;
    const { tone, word } = cellWord(cell);
    const entry = match.get(word) ?? {
      tone,
      word: word.toLowerCase(),
      count: 0,
      state: cell.disabled ? "DISABLED" : cell.state.toUpperCase(),
    };
    entry.count += 1;
    match.set(word, entry);
  }
  return [...match.values()];
}

/** How much a deployment needs attention: what is blocked or failed, then a decision, an upgrade under way, an old version. */
export function attentionOf(cell: Cell, behind: (cell: Cell) => number): number {
  if (cell.disabled) return 1;
  if (isMoving(cell)) {
    const { tone } = cellWord(cell);
    if (tone === "blocked" || tone === "bad") return 5;
    if (tone === "wait") return 4;
    if (tone === "run") return 3;
  }
  return behind(cell) > 0 ? 2 : 0;
}

/** Services with the worst deployment first; among equals the order stays. */
export function worstFirst(
  services: readonly FleetService[],
  cells: readonly Cell[],
  behind: (cell: Cell) => number,
): FleetService[] {
  const worst = new Map<string, number>();
  for (const cell of cells) worst.set(cell.service, Math.max(worst.get(cell.service) ?? 0, attentionOf(cell, behind)));
  return [...services].sort((one, other) => (worst.get(other.name) ?? 0) - (worst.get(one.name) ?? 0));
}

export const FLEET_VIEWS = ["matrix", "heat", "table", "map"] as const;

export type FleetOrder =
  | "attention"
  | "service"
  | "region"
  | "version"
  | "newest"
  | "data"
  | "state"
  | "ready"
  | "lag"
  | "reported"
  | "started"
  | "owner"
  | "switch"
  | "window";

/** The part of the world a region lies in, from its time zone; empty where nobody said. */
export function continentOf(region: { zone: string }): string {
  return region.zone.includes("/") ? (region.zone.split("/")[0] ?? "") : "";
}

/** Regions with those of one part of the world side by side, each part in the order its first region has. */
export function byContinent<R extends { name: string; zone: string }>(regions: readonly R[]): R[] {
  const order = [...new Set(regions.map(continentOf))];
  return [...regions].sort((one, other) => order.indexOf(continentOf(one)) - order.indexOf(continentOf(other)));
}

export type WindowForecast = components["schemas"]["WindowOutlook"];

/** When each deployment may switch next; nothing while nobody knows yet. */
export type Windows = (cell: Cell) => WindowForecast | undefined;

const NO_WINDOWS: Windows = () => undefined;

export function windowsFrom(announced: components["schemas"]["FleetWindows"] | undefined): Windows {
  return (cell) => {
    const number = announced?.of[cell.service]?.[cell.region];
    return number === undefined ? undefined : announced?.outlooks[number];
  };
}

/** Those that may switch now come first, then by when they may; those that never may come last. */
function soonest(of: WindowForecast | undefined): string {
  if (!of) return "9";
  return of.allowed ? `0 ${of.closes ?? "9"}` : `1 ${of.opens ?? "9"}`;
}

const orderKeys: Record<FleetOrder, (cell: Cell) => string | number> = {
  attention: () => 0,
  service: (cell) => cell.service,
  region: (cell) => cell.region,
  version: (cell) => cell.current_version,
  state: (cell) => cellWord(cell).word,
  data: (cell) => cell.data_version,
  lag: (cell) => cell.lag_seconds ?? -1,
  reported: (cell) => cell.oldest_report_at ?? "",
  started: (cell) => cell.started_at ?? "",
  owner: (cell) => cell.owner ?? "",
  ready: (cell) => (cell.total ? cell.ready / cell.total : -1),
  switch: (cell) => (cell.automatic ? 0 : 1),
  window: () => "",
  newest: () => 0,
};

export const FLEET_ORDERS = Object.keys(orderKeys) as FleetOrder[];

/** Changes whenever the deployment does something that a reader should notice. */
export function activityOf(cell: Pick<Cell, "rev" | "state" | "ready" | "current_version">): string {
  return `${cell.rev} ${cell.state} ${cell.ready} ${cell.current_version}`;
}

/** Rows in an order that stays put while numbers move: ties go by name. */
export function sorted(
  cells: readonly Cell[],
  order: FleetOrder,
  down: boolean,
  windows: Windows = NO_WINDOWS,
  behind: (cell: Cell) => number = () => 0,
): Cell[] {
  const key: (cell: Cell) => string | number =
    order === "window"
      ? (cell) => soonest(windows(cell))
      : order === "newest"
        ? behind
        : order === "attention"
          ? (cell) => -attentionOf(cell, behind)
          : orderKeys[order];
  const sign = down ? -1 : 1;
  return [...cells].sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a !== b) return (a < b ? -1 : 1) * sign;
    return one.name < other.name ? -1 : 1;
  });
}
