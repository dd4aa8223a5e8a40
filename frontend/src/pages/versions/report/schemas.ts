/** A schema document as lines of plain text, and two of them side by side. */

export type Doc = Record<string, unknown>;

const PAD = "  ";

/** What was read from where does not differ between versions in a way that says anything. */
const LEFT_OUT = new Set(["sources", "loaderLosses", "service", "version", "ordinal", "nextVersion", "hints"]);

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** A list's item begins on the line of its dash. */
function item(value: unknown, pad: string): string[] {
  const [first = "", ...rest] = isPlain(value) ? [String(value)] : lines(value, pad + PAD);
  return [`${pad}- ${first.trimStart()}`, ...rest];
}

function lines(value: unknown, pad: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => item(each, pad));
  if (isPlain(value)) return [`${pad}${String(value)}`];
  return Object.entries(value as Doc).flatMap(([key, each]) =>
    isPlain(each) ? [`${pad}${key}: ${String(each)}`] : [`${pad}${key}:`, ...lines(each, pad + PAD)],
  );
}

export interface Part {
  title: string;
  lines: string[];
}

/** One part for each type, resource type and method; fields that are lists of objects with a name read as such. */
export function partsOf(document: { schema: Doc }): Part[] {
  return Object.entries(document.schema)
    .filter(([key]) => !LEFT_OUT.has(key))
    .flatMap(([key, value]) =>
      isPlain(value) || Array.isArray(value)
        ? [{ title: key, lines: lines(value, "") }]
        : Object.entries(value as Doc).map(([name, each]) => ({ title: `${key} ${name}`, lines: lines(each, "") })),
    );
}

export interface Row {
  before: string | null;
  after: string | null;
  same: boolean;
}

/** The longest common run of lines stays level; what is only on one side stands alone. */
export function align(before: readonly string[], after: readonly string[]): Row[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [row, next] = [table[i], table[i + 1]];
      if (row && next)
        row[j] = before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j])
      rows.push({ before: before[i++] ?? "", after: after[j++] ?? "", same: true });
    else if (j >= after.length || (i < before.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)))
      rows.push({ before: before[i++] ?? "", after: null, same: false });
    else rows.push({ before: null, after: after[j++] ?? "", same: false });
  }
  return rows;
}

/** A line that went and one that came in its place share a row. */
export function paired(rows: readonly Row[]): Row[] {
  const result: Row[] = [];
  let at = 0;
  while (at < rows.length) {
    const row = rows[at];
    if (!row) break;
    if (row.same) {
      result.push(row);
      at += 1;
      continue;
    }
    const end = rows.findIndex((each, index) => index > at && each.same);
    const run = rows.slice(at, end < 0 ? rows.length : end);
    const gone = run.flatMap((each) => (each.before === null ? [] : [each.before]));
    const come = run.flatMap((each) => (each.after === null ? [] : [each.after]));
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1)
      result.push({ before: gone[index] ?? null, after: come[index] ?? null, same: false });
    at += run.length;
  }
  return result;
}

export interface Compared {
  title: string;
  rows: Row[];
  changed: number;
}

/** Every part of either version, those that differ first. */
export function compareSchemas(before: { schema: Doc }, after: { schema: Doc }): Compared[] {
  const [old, now] = [
    new Map(partsOf(before).map((part) => [part.title, part.lines])),
    new Map(partsOf(after).map((part) => [part.title, part.lines])),
  ];
  const titles = [...new Set([...old.keys(), ...now.keys()])].sort();
  const all = titles.map((title) => {
    const rows = paired(align(old.get(title) ?? [], now.get(title) ?? []));
    return { title, rows, changed: rows.filter((row) => !row.same).length };
  });
  return [...all.filter((part) => part.changed), ...all.filter((part) => !part.changed)];
}

const CONTEXT = 3;

/** Which rows are shown while the rest is folded: what differs, and three lines around it. */
export function near(rows: readonly Row[]): boolean[] {
  const shown = rows.map(() => false);
  rows.forEach((row, at) => {
    if (row.same) return;
    for (let index = Math.max(0, at - CONTEXT); index <= Math.min(rows.length - 1, at + CONTEXT); index += 1)
      shown[index] = true;
  });
  return shown;
}
