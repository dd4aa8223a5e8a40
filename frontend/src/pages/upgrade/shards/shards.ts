import type { Progress, Shard, ShardState } from "../../../wire/model";
import { t } from "../../../words/text";

/** The limits of migrations_app/domain/switch/progress.py: after them a report is too old to be believed. */
const LAG_LIMIT_MS = 16_000;
const REPORT_LIMIT_MS = 30_000;
const reportingStates = new Set(["SYNCING", "READY", "SWITCHING", "REVERTING"]);
const reportingShards = new Set<ShardState>(["syncing", "ready", "switching", "switched", "regressed"]);

interface Observed {
  state: string;
  paused?: boolean;
  started_at: string | null;
  shards: { total: number; ready: number; items: Shard[] };
  progress: Progress;
}

/**
 * What is known of the shards at this moment, although no event has come: an old report makes a shard unknown and
 * its lag at least as old.
 */
export function asOf<T extends Observed>(upgrade: T, now: number): T {
  if (!reportingStates.has(upgrade.state) || upgrade.paused || !upgrade.started_at) return upgrade;
  let oldest = 0;
  let unknown = 0;
  const items = upgrade.shards.items.map((shard) => {
    const age = reportingShards.has(shard.state) && shard.reported_at ? now - Date.parse(shard.reported_at) : 0;
    oldest = Math.max(oldest, age);
    if (age <= REPORT_LIMIT_MS) return shard;
    unknown += 1;
    return {
      ...shard,
      state: "unknown" as const,
      rate_per_second: 0,
      lag_seconds: Math.max(shard.lag_seconds ?? 0, age / 1000),
    };
  });
  if (oldest <= LAG_LIMIT_MS) return upgrade;
  const ready = items.filter((shard) => shard.state === "ready" || shard.state === "switched").length;
  const { progress } = upgrade;
  const lag = progress.lag_seconds === null ? null : Math.max(progress.lag_seconds, oldest / 1000);
  const known = { ...progress, lag_seconds: lag };
  if (unknown) {
    Object.assign(known, { eta: null, eta_reason: t`unknown: some shards do not report`, unknown_shards: unknown });
    known.percent = progress.percent === undefined || progress.percent === null ? null : Math.min(99, progress.percent);
  }
  return {
    ...upgrade,
    shards: { ...upgrade.shards, ready: Math.min(ready, upgrade.shards.total), items },
    progress: known,
  };
}

export const SHARD_ORDERS = ["number", "slowest", "newest", "flapping"] as const;

export type ShardOrder = (typeof SHARD_ORDERS)[number];

export interface ShardView {
  order: ShardOrder;
  state: ShardState | "";
}

/** Share of the shard that is copied, in whole percent; 100 only when nothing is left. */
export function percent(shard: Shard): number {
  if (shard.state === "ready" || shard.state === "switched") return 100;
  if (!shard.total) return 0;
  return Math.min(99, Math.floor((100 * shard.copied) / shard.total));
}

export function counts(shards: readonly Shard[]): [ShardState, number][] {
  const result = new Map<ShardState, number>();
  for (const shard of shards) result.set(shard.state, (result.get(shard.state) ?? 0) + 1);
  const order: ShardState[] = [
    "ready",
    "switched",
    "syncing",
    "switching",
    "regressed",
    "failed",
    "unknown",
    "pending",
  ];
  return order.flatMap((state) => (result.has(state) ? [[state, result.get(state) ?? 0] as [ShardState, number]] : []));
}

const orders: Record<ShardOrder, (one: Shard, other: Shard) => number> = {
  number: (one, other) => one.shard - other.shard,
  slowest: (one, other) =>
    percent(one) - percent(other) || (other.lag_seconds ?? 0) - (one.lag_seconds ?? 0) || one.shard - other.shard,
  flapping: (one, other) => (other.falls ?? 0) - (one.falls ?? 0) || one.shard - other.shard,
  newest: (one, other) =>
    Date.parse(other.reported_at ?? "0") - Date.parse(one.reported_at ?? "0") || one.shard - other.shard,
};

export function arrange(shards: readonly Shard[], view: ShardView): Shard[] {
  return shards.filter((shard) => !view.state || shard.state === view.state).sort(orders[view.order]);
}

/** A shard far behind its fellows: copying at under a third of the median rate. */
export function slow(shards: readonly Shard[]): Set<number> {
  const copying = shards.filter((shard) => shard.state === "syncing" && shard.rate_per_second !== null);
  const rates = copying.map((shard) => shard.rate_per_second ?? 0).sort((a, b) => a - b);
  const median = rates[Math.floor(rates.length / 2)] ?? 0;
  return new Set(
    copying
      .filter((shard) => copying.length >= 3 && (shard.rate_per_second ?? 0) < median / 3)
      .map((shard) => shard.shard),
  );
}

/** The shards that failed between two looks at them, by number. */
export function newlyFailed(before: readonly Shard[], now: readonly Shard[]): number[] {
  const known = new Set(before.filter((shard) => shard.state === "failed").map((shard) => shard.shard));
  return now
    .filter((shard) => shard.state === "failed" && !known.has(shard.shard))
    .map((shard) => shard.shard)
    .sort((one, other) => one - other);
}

/** The next shard in trouble after the chosen one, round and round. */
export function nextTrouble(
  shards: readonly Shard[],
  after: number | null,
  troubled: (shard: Shard) => boolean,
): number | null {
  const match = [...shards]
    .sort(orders.number)
    .filter(troubled)
    .map((shard) => shard.shard);
  return match.find((number) => after === null || number > after) ?? match[0] ?? null;
}

/** The neighbour of a shard by number, round and round. */
export function neighbour(shards: readonly Shard[], of: number | null, by: 1 | -1): number | null {
  const numbers = shards.map((shard) => shard.shard).sort((one, other) => one - other);
  if (numbers.length === 0) return null;
  const at = of === null ? (by === 1 ? -1 : 0) : numbers.indexOf(of);
  return numbers[(at + by + numbers.length) % numbers.length] ?? null;
}

export interface Readiness {
  title: string;
  stage: string;
  ready: number;
  /** One part for each range of shards, with how much of it is ready. */
  parts: { from: number; to: number; ready: number }[];
}

const MOST_PARTS = 64;
const FLIPPED = new Set(["REVERSIBLE", "COMPLETED", "REVERTING", "REVERTED"]);

/** Both counts of shards that a registry shows: those ready for the switch, and those that have switched. */
export function readiness(of: { state: string; shards: { items: readonly Shard[] } }): Readiness[] {
  const flipped = FLIPPED.has(of.state);
  const level = new Set<ShardState>(["ready", "switching", "switched"]);
  return [
    row(t`Initial sync`, "INITIAL_SYNCING", of.shards.items, (shard) => flipped || level.has(shard.state)),
    row(
      t`Switch`,
      "SWITCHING",
      of.shards.items,
      (shard) => (flipped && shard.state !== "failed") || shard.state === "switched",
    ),
  ];
}

function row(title: string, stage: string, items: readonly Shard[], is: (shard: Shard) => boolean): Readiness {
  const shards = [...items].sort(orders.number);
  const size = Math.max(1, Math.ceil(shards.length / MOST_PARTS));
  const parts = [];
  for (let at = 0; at < shards.length; at += size) {
    const part = shards.slice(at, at + size);
    parts.push({ from: part[0]?.shard ?? 0, to: part.at(-1)?.shard ?? 0, ready: part.filter(is).length / part.length });
  }
  return { title, stage, ready: shards.filter(is).length, parts };
}

/** When the newest of all reports came; silence means the page may be old. */
export function lastReport(shards: readonly Shard[]): number | null {
  const times = shards.map((shard) => Date.parse(shard.reported_at ?? "")).filter((time) => !Number.isNaN(time));
  return times.length ? Math.max(...times) : null;
}
