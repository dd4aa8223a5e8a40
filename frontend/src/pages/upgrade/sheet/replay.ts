import type { Samples, ShardState, UpgradeState } from "../../../wire/model";
import type { components } from "../../../wire/schema";
import { t } from "../../../words/text";

export type History = components["schemas"]["History"];

/** A shard in one state, from one moment to another, in milliseconds. */
export interface Span {
  shard: number;
  state: ShardState;
  from: number;
  to: number;
}

/** What people did, at its moment. */
export interface Deed {
  at: number;
  text: string;
}

export const VERDICTS: Record<string, string> = {
  approve: t`approved`,
  reject: t`rejected`,
  changes: t`requested changes`,
};

const parsed = new WeakMap<readonly string[], number[]>();

/** The moments of the changes in milliseconds: thousands of texts are read once, not for each moment that is replayed. */
function timesOf(texts: readonly string[]): readonly number[] {
  const known = parsed.get(texts) ?? texts.map((text) => Date.parse(text));
  parsed.set(texts, known);
  return known;
}

/** The changes of shards as spans; each lasts until the next change of its shard, the last one until `end`. */
export function spansOf(history: History, end: number): Span[] {
  const open = new Map<number, Span>();
  const result: Span[] = [];
  const times = timesOf(history.shards.at);
  for (const [at, shard] of history.shards.shard.entries()) {
    const from = times[at] ?? Number.NaN;
    const before = open.get(shard);
    if (before) before.to = from;
    const span = { shard, state: history.shards.state[at] as ShardState, from, to: end };
    open.set(shard, span);
    result.push(span);
  }
  return result;
}

/** Requests, votes and starts by people, oldest first. */
export function deedsOf(history: History): Deed[] {
  const first = history.transitions[0];
  return [
    ...(first ? [{ at: Date.parse(first.at), text: t`${first.who} planned` }] : []),
    ...history.requests.map((request) => ({
      at: Date.parse(request.at),
      text: request.purpose === "revert" ? t`approval of rollback requested` : t`approval requested`,
    })),
    ...history.votes.map((vote) => ({
      at: Date.parse(vote.at),
      text: `${vote.who} ${VERDICTS[vote.verdict] ?? vote.verdict}`,
    })),
  ].sort((one, other) => one.at - other.at);
}

/** When the freeze began and the whole switch ended, as the steps of the switch tell; null before the switch. */
export function cutoverOf(history: History): { from: number; to: number } | null {
  const flip = history.transitions.filter((transition) => transition.state === "SWITCHING").at(-1);
  const done = history.transitions.filter((transition) => transition.state === "REVERSIBLE").at(0);
  if (!flip || !done) return null;
  return { from: Date.parse(flip.at), to: Date.parse(done.at) };
}

export interface Moment {
  state: UpgradeState | null;
  /** Shards by state; those that had not reported yet are missing. */
  shards: Partial<Record<ShardState, number>>;
  votes: History["votes"];
  /** The checks of the last request or vote before the moment: between them none are recorded. */
  evidence: { at: string; checks: History["requests"][number]["evidence"] } | null;
  /** The same of the switch alone: a rollback has requests, votes and checks of its own. */
  switchEvidence: Moment["evidence"];
  /** When the last shard caught up for the first time; null before it. */
  caughtUpAt: number | null;
  /** The names of the steps of the switch that were recorded until then; those of a rollback take their places later. */
  switchSteps: ReadonlySet<string>;
  lag: number | null;
  rate: number | null;
}

/** The upgrade as it was at a moment, from what was recorded. */
export function momentOf(history: History, samples: Samples | undefined, at: number): Moment {
  const past = <T extends { at: string }>(rows: readonly T[]): T[] => rows.filter((row) => Date.parse(row.at) <= at);
  const states = new Map<number, ShardState>();
  const times = timesOf(history.shards.at);
  for (const [index, shard] of history.shards.shard.entries()) {
    if ((times[index] ?? Number.NaN) > at) break;
    states.set(shard, history.shards.state[index] as ShardState);
  }
  const shards: Moment["shards"] = {};
  for (const state of states.values()) shards[state] = (shards[state] ?? 0) + 1;
  const recorded = [...past(history.requests), ...past(history.votes)]
    .filter((each) => each.evidence.length)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const evidence = (each: (typeof recorded)[number] | undefined): Moment["evidence"] =>
    each ? { at: each.at, checks: each.evidence } : null;
  const ready = past(history.transitions).find((transition) => transition.state === "READY");
  const back = history.transitions.find((transition) => transition.state === "REVERTING");
  const sample = (samples?.at ?? []).findLastIndex((time) => Date.parse(time) <= at);
  return {
    state: (past(history.transitions).at(-1)?.state as UpgradeState | undefined) ?? null,
    shards,
    votes: past(history.votes),
    evidence: evidence(recorded.at(-1)),
    switchEvidence: evidence(recorded.findLast((each) => each.purpose === "switch")),
    caughtUpAt: ready ? Date.parse(ready.at) : null,
    switchSteps: new Set(
      past(history.switch_steps)
        .filter((each) => !back || Date.parse(each.at) < Date.parse(back.at))
        .map((each) => each.step),
    ),
    lag: samples?.lag_p95[sample] ?? null,
    rate: samples?.rate[sample] ?? null,
  };
}

/** The time that the scale shows: from the plan until shortly after the switch, or all of it. */
export function scopeOf(history: History, whole: boolean): { from: number; to: number } {
  const from = Date.parse(history.transitions[0]?.at ?? history.as_of);
  const end = Date.parse(history.as_of);
  const last = history.transitions.at(-1);
  const ended =
    last && ["COMPLETED", "ABORTED", "REVERTED", "HANDED_OVER"].includes(last.state) ? Date.parse(last.at) : end;
  const cutover = cutoverOf(history);
  if (whole || !cutover) return { from, to: Math.max(ended, from + 1000) };
  return { from, to: Math.min(ended, cutover.to + Math.max(60_000, (cutover.to - from) / 5)) };
}

const STEPS_MS = [1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000];

/** Round moments for the axis, at most `most` of them. */
export function ticksOf({ from, to }: { from: number; to: number }, most: number): number[] {
  const step = STEPS_MS.find((each) => (to - from) / each <= most) ?? (to - from) / most;
  const result: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) result.push(at);
  return result;
}
