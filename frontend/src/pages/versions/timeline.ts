import type { components } from "../../wire/schema";
import { plural, t } from "../../words/text";

export type Served = components["schemas"]["ServingPeriod"];

export interface VersionSeries {
  version: string;
  /** How many regions served it from each moment on; the last lasts until now. */
  steps: { at: number; count: number }[];
  now: number;
  retires: number | null;
}

/** When a span begins; one that nobody noted has always been there. */
function began(span: Served): number {
  return span.since ? Date.parse(span.since) : Number.NEGATIVE_INFINITY;
}

/** A lane for each version: how many regions served it, from moment to moment. */
export function lanesOf(
  versions: readonly string[],
  spans: readonly Served[],
  retires: (version: string) => string | null,
): VersionSeries[] {
  return versions.map((version) => {
    const mine = spans.filter((span) => span.version === version && span.since !== span.until);
    const moments = [
      ...new Set(mine.flatMap((span) => [began(span), ...(span.until ? [Date.parse(span.until)] : [])])),
    ].sort((one, other) => one - other);
    const steps = moments.map((at) => ({
      at,
      count: mine.filter((span) => began(span) <= at && (!span.until || Date.parse(span.until) > at)).length,
    }));
    const day = retires(version);
    return {
      version,
      steps,
      now: mine.filter((span) => !span.until).length,
      retires: day ? Date.parse(`${day}T00:00:00Z`) : null,
    };
  });
}

const HOUR = 3_600_000;

/** So short a time is drawn at least, in milliseconds. */
const SHORTEST = HOUR;

/** In a field so short the hours of its marks are said, and not their days alone. */
const HOURS_UP_TO = 10 * 24 * HOUR;

export function needsHours({ start, end }: { start: number; end: number }): boolean {
  return end - start <= HOURS_UP_TO;
}

/** From the first known moment to now or the last retirement, with a little room on both sides. */
export function reach(columns: readonly VersionSeries[], now: number): { start: number; end: number } {
  const known = columns.flatMap((column) => column.steps.map((step) => step.at)).filter((at) => Number.isFinite(at));
  const first = Math.min(now - SHORTEST, ...known);
  const last = Math.max(now, ...columns.flatMap((series) => series.retires ?? []));
  const room = (last - first) * 0.04;
  return { start: first - room, end: last + room };
}

const MINUTE = 60_000;
const DAY = 24 * HOUR;
/** How far marks may lie apart, so that their times are round. */
const APART = [
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
];
const MOST_MARKS = 6;

/** Marks at round times within a field; `offset` is how far the shown zone is ahead of UTC, in milliseconds. */
export function marksOf({ start, end }: { start: number; end: number }, offset: number): number[] {
  const least = (end - start) / MOST_MARKS;
  // What is written below a mark stays within the field.
  const room = (end - start) * 0.05;
  const apart = APART.find((each) => each >= least) ?? Math.ceil(least / (28 * DAY)) * 28 * DAY;
  const marks: number[] = [];
  for (let at = Math.ceil((start + room + offset) / apart) * apart - offset; at <= end - room; at += apart)
    marks.push(at);
  return marks;
}

/** So wide a time is drawn at least that a version was served for, however short it was: it shows that it was served. */
const NARROWEST = 5;

/** The lane as a line that steps up and down, in a field of 1000 by 100; `most` regions fill its height. */
export function pathOf(
  track: VersionSeries,
  { start, end }: { start: number; end: number },
  now: number,
  most: number,
): string {
  const x = (at: number): number => Math.round((1000 * (Math.max(at, start) - start)) / (end - start));
  const y = (count: number): number => Math.round(100 - (100 * count) / Math.max(most, 1));
  const [first] = track.steps;
  if (!first) return "";
  let last = 0;
  const line = track.steps
    .map((step, at) => {
      const before = track.steps[at - 1];
      last = before?.count ? Math.max(x(step.at), last + NARROWEST) : x(step.at);
      return `H${last}V${y(step.count)}`;
    })
    .join("");
  const until = track.now ? Math.max(x(now), last + NARROWEST) : x(now);
  return `M${x(first.at)} 100${line}H${until}V100Z`;
}

/** The lane in words. */
export function seriesText(layer: VersionSeries, day: (at: number) => string): string {
  const [first] = layer.steps;
  if (!first) return t`${layer.version} was never served`;
  const since = Number.isFinite(first.at) ? t`since ${day(first.at)}` : t`since before the first record`;
  const last = layer.steps.at(-1);
  return layer.now
    ? t`${layer.version} is served in ${plural(layer.now, "# region", "# regions")}, ${since}`
    : t`${layer.version} was served ${since}, until ${day(last?.at ?? first.at)}`;
}
