import { clockText, dateText, type Zone } from "../../time/clock";

export interface Columns {
  at: string[];
  values: (number | null)[][];
}

/** Reports that lie so many times the usual distance apart have a gap between them. */
const FAR = 4;
/** Whatever comes more often than this is never a gap. */
const SOON_MS = 60_000;

/** Curves with an empty point in each stretch without reports, so that no line is drawn over what nobody knows. */
export function withGaps({ at, values }: Columns): Columns {
  const times = at.map((each) => Date.parse(each));
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = [...steps].sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const most = Math.max(SOON_MS, FAR * usual);
  const after = steps.flatMap((step, index) => (step > most ? [index] : []));
  if (after.length === 0) return { at, values };
  const filled = <T>(list: readonly T[], empty: (index: number) => T): T[] =>
    list.flatMap((each, index) => (after.includes(index) ? [each, empty(index)] : [each]));
  const between = (index: number): string =>
    new Date(((times[index] ?? 0) + (times[index + 1] ?? 0)) / 2).toISOString();
  return { at: filled(at, between), values: values.map((list) => filled(list, () => null)) };
}

/** The points that no line reaches: they are drawn as dots, or they would not be seen. */
export function alone(values: readonly (number | null | undefined)[]): number[] {
  const known = (index: number): boolean => values[index] !== null && values[index] !== undefined;
  return values.flatMap((_, index) => (known(index) && !known(index - 1) && !known(index + 1) ? [index] : []));
}

export interface Mark {
  /** Where the line stands. */
  x: number;
  word: string;
}

export interface PlacedMark extends Mark {
  /** Where the word begins, and on which line of words. */
  left: number;
  row: number;
}

const CLOSE = 3;
const PAD = 4;

/** Words beside their lines: what happened at one moment shares a line, and no word lies on another or outside. */
export function placeMarks(marks: readonly Mark[], width: (word: string) => number, right: number): PlacedMark[] {
  const joined: { x: number; words: Map<string, number> }[] = [];
  for (const mark of [...marks].sort((one, other) => one.x - other.x)) {
    const last = joined.at(-1);
    if (last && mark.x - last.x < CLOSE) last.words.set(mark.word, (last.words.get(mark.word) ?? 0) + 1);
    else joined.push({ x: mark.x, words: new Map([[mark.word, 1]]) });
  }
  const taken: number[][][] = [];
  return joined.map(({ x, words }) => {
    const word = [...words].map(([each, count]) => (count > 1 ? `${count} × ${each}` : each)).join(", ");
    const wide = width(word);
    const left = x + PAD + wide > right ? x - PAD - wide : x + PAD;
    const free = (row: number): boolean =>
      (taken[row] ?? []).every(([from = 0, to = 0]) => left > to || left + wide < from);
    let row = 0;
    while (!free(row)) row += 1;
    (taken[row] ??= []).push([left - PAD, left + wide + PAD]);
    return { x, word, left, row };
  });
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The labels of a time axis, no two of them alike: seconds where ticks are closer than a minute, the day where it changes. */
export function momentTexts(ticks: readonly number[], which: Zone): string[] {
  const steps = ticks.slice(1).map((tick, at) => tick - (ticks[at] ?? tick));
  const step = steps.length ? Math.min(...steps) : 0;
  const days = ticks.map((tick) => dateText(tick, which).slice(5));
  if (step >= DAY_MS) return days;
  const isOneDay = new Set(days).size === 1;
  return ticks.map((tick, at) => {
    const clock = clockText(tick, which).slice(0, step < MINUTE_MS ? 8 : 5);
    return isOneDay || days[at] === days[at - 1] ? clock : `${days[at] ?? ""} ${clock}`;
  });
}
