import type { Cell, FleetService } from "../../wire/model";
import { shortService } from "../../parts/status";
import { lagText } from "../../parts/status";
import { ageText } from "../../time/clock";
import { cellWord, isMoving, newestOf, versionsBehind } from "../fleet/fleet";
import { plural, t } from "../../words/text";

/** By what the cells of the heat map are coloured. */
export const COLOURS = [
  { value: "behind", label: t`Versions behind` },
  { value: "state", label: t`State` },
  { value: "callers", label: t`Callers of old` },
  { value: "lag", label: t`Lag` },
  { value: "freshness", label: t`Freshness` },
] as const;

export type Colour = (typeof COLOURS)[number]["value"];

/** One entry of the legend: the word, the token of its colour, and how strong it is drawn. */
export interface HeatClass {
  word: string;
  token: string;
  alpha: number;
  /** How much it needs attention; the highest stands for a collapsed group. */
  rank: number;
}

/** Clients of versions before the newest, by service and region; null where they were not read. */
export type Callers = Record<string, Record<string, number>> | null;

const quiet = (word: string, token = "--new", alpha = 0.45): HeatClass => ({ word, token, alpha, rank: 0 });
const loud = (word: string, token: string, rank: number): HeatClass => ({ word, token, alpha: 1, rank });

const ABSENT: HeatClass = { word: t`not deployed`, token: "--sunken", alpha: 1, rank: -1 };
const BLOCKED = loud(t`blocked`, "--bad", 9);
const DECISION = loud(t`needs a decision`, "--wait", 8);
const UPGRADING = loud(t`upgrading`, "--run", 7);
const DISABLED: HeatClass = { word: t`disabled`, token: "--unknown", alpha: 0.5, rank: 1 };
const IDLE = quiet(t`no upgrade`, "--line-strong", 0.6);
const UNKNOWN: HeatClass = { word: t`unknown`, token: "--unknown", alpha: 0.8, rank: 5 };

const LEGENDS: Record<Colour, readonly HeatClass[]> = {
  behind: [
    quiet(t`newest`),
    { word: t`1 behind`, token: "--old", alpha: 0.55, rank: 2 },
    { word: t`2 or more behind`, token: "--old", alpha: 1, rank: 3 },
    UPGRADING,
    DECISION,
    BLOCKED,
    DISABLED,
    ABSENT,
  ],
  state: [
    quiet(t`serving`),
    { word: t`planned`, token: "--control", alpha: 0.8, rank: 3 },
    UPGRADING,
    { word: t`rollback open`, token: "--ok", alpha: 1, rank: 4 },
    DECISION,
    BLOCKED,
    DISABLED,
    ABSENT,
  ],
  callers: [
    quiet(t`none seen`),
    { word: t`1 to 4 callers`, token: "--old", alpha: 0.55, rank: 2 },
    { word: t`5 or more callers`, token: "--old", alpha: 1, rank: 3 },
    UNKNOWN,
    ABSENT,
  ],
  lag: [
    IDLE,
    quiet(t`under 1 s`),
    { word: t`1 s to 10 s`, token: "--run", alpha: 0.8, rank: 2 },
    { word: t`10 s or more`, token: "--wait", alpha: 1, rank: 4 },
    UNKNOWN,
    ABSENT,
  ],
  freshness: [
    IDLE,
    quiet(t`under 30 s`),
    { word: t`30 s to 5 min`, token: "--run", alpha: 0.8, rank: 2 },
    { word: t`5 min or older`, token: "--wait", alpha: 1, rank: 4 },
    UNKNOWN,
    ABSENT,
  ],
};

export function legendOf(colour: Colour): readonly HeatClass[] {
  return LEGENDS[colour];
}

function named(colour: Colour, word: string): HeatClass {
  return LEGENDS[colour].find((entry) => entry.word === word) ?? UNKNOWN;
}

function graded(colour: Colour, value: number | null, limits: readonly [number, number], words: string[]): HeatClass {
  if (value === null) return UNKNOWN;
  return named(colour, (value < limits[0] ? words[0] : value < limits[1] ? words[1] : words[2]) ?? "");
}

/** What an upgrade under way makes of a cell, whatever its versions are; null where none is. */
function upgradeClass(cell: Cell): HeatClass | null {
  if (cell.disabled) return DISABLED;
  if (!isMoving(cell)) return null;
  if (cell.blocked) return BLOCKED;
  const { tone } = cellWord(cell);
  if (tone === "blocked" || tone === "bad") return BLOCKED;
  return tone === "wait" ? DECISION : tone === "run" ? UPGRADING : null;
}

export interface HeatContext {
  colour: Colour;
  behind: (cell: Cell) => number;
  callers: Callers;
  now: number;
}

/** The class of a cell: one rule for the picture, its legend and what is said of the cell. */
export function classOf(cell: Cell | undefined, { colour, behind, callers, now }: HeatContext): HeatClass {
  if (!cell) return ABSENT;
  switch (colour) {
    case "behind": {
      const versions = behind(cell);
      return (
        upgradeClass(cell) ??
        named(colour, versions === 0 ? t`newest` : versions < 2 ? t`1 behind` : t`2 or more behind`)
      );
    }
    case "state": {
      const state = cell.state.toUpperCase();
      return (
        upgradeClass(cell) ??
        named(colour, state === "PLANNED" ? t`planned` : state === "REVERSIBLE" ? t`rollback open` : t`serving`)
      );
    }
    case "callers":
      return graded(
        colour,
        callers ? (callers[cell.service]?.[cell.region] ?? 0) : null,
        [1, 5],
        [t`none seen`, t`1 to 4 callers`, t`5 or more callers`],
      );
    case "lag":
      if (!cell.upgrade_id || !isMoving(cell)) return IDLE;
      return graded(colour, cell.lag_seconds ?? null, [1, 10], [t`under 1 s`, t`1 s to 10 s`, t`10 s or more`]);
    case "freshness": {
      if (!cell.upgrade_id || !isMoving(cell)) return IDLE;
      const at = Date.parse(cell.oldest_report_at ?? "");
      const age = Number.isNaN(at) ? null : (now - at) / 1000;
      return graded(colour, age, [30, 300], [t`under 30 s`, t`30 s to 5 min`, t`5 min or older`]);
    }
  }
}

/** The cell in words, for the pointer and for screen readers. */
export function cellSentence(cell: Cell, context: HeatContext): string {
  const word = cellWord(cell).word.toLowerCase();
  const versions = context.behind(cell);
  const callers = context.callers?.[cell.service]?.[cell.region];
  return [
    `${shortService(cell.service)} @ ${cell.region}: ${cell.current_version || t`no version`}` +
      (cell.target_version && cell.target_version !== cell.current_version ? t` to ${cell.target_version}` : ""),
    isMoving(cell) && cell.total ? t`${word}, ${cell.ready} of ${plural(cell.total, "# shard", "# shards")}` : word,
    versions ? t`${plural(versions, "# version", "# versions")} behind` : t`newest version`,
    cell.lag_seconds === null || cell.lag_seconds === undefined ? "" : t`lag ${lagText(cell.lag_seconds)}`,
    callers === undefined ? "" : t`${plural(callers, "# caller", "# callers")} of old versions in 14 days`,
    cell.oldest_report_at ? t`reported ${ageText(Date.parse(cell.oldest_report_at), context.now)}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Deployments with a newer version and no upgrade under way, by service; most deployments first. */
export function available(services: readonly FleetService[], cells: readonly Cell[]): Available[] {
  const behind = versionsBehind(services);
  const newest = new Map(services.map((service) => [service.name, newestOf(service)]));
  const result = new Map<string, Available>();
  for (const cell of cells) {
    if (cell.disabled || isMoving(cell) || behind(cell) === 0) continue;
    const entry = result.get(cell.service) ?? {
      service: cell.service,
      version: newest.get(cell.service) ?? "",
      deployments: [],
    };
    entry.deployments.push(cell.name);
    result.set(cell.service, entry);
  }
  return [...result.values()].sort(
    (one, other) => other.deployments.length - one.deployments.length || one.service.localeCompare(other.service),
  );
}

export interface Available {
  service: string;
  version: string;
  deployments: string[];
}
