import type { components } from "../../../wire/schema";
import { byWeight, type Finding, ruleText } from "./report";
import { plural, t } from "../../../words/text";

export type ChangedLines = components["schemas"]["ChangedLines"];
export type SourceExcerpt = components["schemas"]["SourceExcerpt"];
export type UsedPlace = components["schemas"]["UsedPlace"];

/** What one line of an edge, or one place, changes: its findings are the directions of the one change. */
export interface Change {
  key: string;
  title: string;
  paths: string[];
  findings: Finding[];
  handled: boolean;
  /** It waits to be accepted by a person. */
  decision: boolean;
}

const OP = /^- (\w+): (.*?)(?: {2}# .*)?$/;
/** The line of an edge by which one type becomes several, or several one; its groups are the one, the field, the several. */
const TYPES = {
  split: /^resources: \{split: \{(\w+): \{by: ([\w.]+), into: \{(.*)\}\}\}\}/,
  merge: /^resources: \{merge: \{(\w+): \{by: ([\w.]+), from: \{(.*)\}\}\}\}/,
} as const;

function fieldsOf(text: string, name: string): string[] {
  const match = new RegExp(`\\b${name}: (?:\\[([^\\]]*)\\]|([^,}]+))`).exec(text);
  return (match?.[1] ?? match?.[2] ?? "").split(",").flatMap((each) => each.trim() || []);
}

/** `title renamed to display_name`, out of the line of the edge that converts it; null where it says something else. */
export function opTitle(transform: string): string | null {
  const match = OP.exec(transform.split("\n")[0] ?? "");
  if (!match) return null;
  const [, op = "", args = ""] = match;
  const [from, to] = [fieldsOf(args, "from").join(", "), fieldsOf(args, "to").join(", ")];
  const paths = /^\[(.*)\]$/.exec(args)?.[1] ?? fieldsOf(args, "path").join(", ");
  if (op === "rename" && from && to) return t`${from} renamed to ${to}`;
  if (op === "resourceName") return t`Names of resources changed`;
  if (from && to && !from.startsWith('"')) return t`${from} becomes ${to} (${op})`;
  if (op === "added" && paths) return t`${paths} added`;
  if (op === "removed" && paths) return t`${paths} removed`;
  return null;
}

/** `Target split by kind into HttpTarget, QueueTarget`. */
export const splitText = (whole: string, by: string, types: string): string => t`${whole} split by ${by} into ${types}`;

/** `EmailChannel, PagerChannel merged into Channel, by kind`. */
export const mergeText = (types: string, whole: string, by: string): string =>
  t`${types} merged into ${whole}, by ${by}`;

/** `Target split by kind into HttpTarget, QueueTarget`, out of the line of the edge; null where it says something else. */
export function typesTitle(transform: string): string | null {
  const listOf = (parts = ""): string => [...parts.matchAll(/(\w+): \[/g)].map(([, type]) => type).join(", ");
  const [, whole, by, into] = TYPES.split.exec(transform) ?? [];
  if (whole) return splitText(whole, by ?? "", listOf(into));
  const [, target, field, from] = TYPES.merge.exec(transform) ?? [];
  return target ? mergeText(listOf(from), target, field ?? "") : null;
}

function groupOf(finding: Finding): string {
  if (finding.handled && typesTitle(finding.transform)) return finding.transform;
  const type = finding.path.split(/[.\s]/)[0] ?? "";
  return finding.handled && OP.test(finding.transform) ? `${type} ${finding.transform}` : finding.path;
}

const needs = (finding: Finding): boolean =>
  "waiver" in finding && !(finding.waiver && ["in-force", "used"].includes(finding.waiver.state));

/** Findings as changes, one for each line of an edge or place: what needs a decision comes first, then what weighs most. */
export function changesOf(findings: readonly Finding[]): Change[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of byWeight(findings)) {
    const key = groupOf(finding);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const changes = [...groups].map(([key, of]): Change => {
    const [first] = of;
    const type = first?.path.split(/[.\s]/)[0] ?? "";
    const title = (first?.handled && opTitle(first.transform)) || null;
    const types = (first?.handled && typesTitle(first.transform)) || null;
    return {
      key,
      title: types ?? (title ? `${type}: ${title}` : `${first?.path}: ${first ? ruleText(first.rule) : ""}`),
      paths: [...new Set(of.map((each) => each.path))],
      findings: of,
      handled: of.every((each) => each.handled),
      decision: of.some(needs),
    };
  });
  return [...changes.filter((change) => change.decision), ...changes.filter((change) => !change.decision)];
}

/** The excerpts of one side of a change, each declaration once. */
export function excerptsOf(change: Change, lines: readonly ChangedLines[], side: "before" | "after"): SourceExcerpt[] {
  const excerpts = lines.filter((each) => change.paths.includes(each.path)).flatMap((each) => each[side] ?? []);
  return excerpts.filter(
    (one, at) => excerpts.findIndex((other) => other.file === one.file && other.line === one.line) === at,
  );
}

/** Who still uses the places of a change in the older version; null where their use is not counted. */
export function usageOf(change: Change, places: readonly UsedPlace[]): UsedPlace | null {
  return places.find((each) => each.kind !== "version" && change.paths.includes(each.place)) ?? null;
}

/** `sent by 3 clients · returned to 1 client · last used 2026-03-01`. */
export function usageText(of: UsedPlace): string {
  const clients = (list: readonly { client: string }[]): string => {
    const count = new Set(list.map((each) => each.client)).size;
    return plural(count, "# client", "# clients");
  };
  const parts = [
    of.senders.length ? t`sent by ${clients(of.senders)}` : "",
    of.readers.length ? t`returned to ${clients(of.readers)}` : "",
    of.last_used_on ? t`last used ${of.last_used_on}` : "",
  ].filter(Boolean);
  if (parts.length) return parts.join(" · ");
  if (of.observed_days === 0) return t`not observed yet`;
  return of.proved_unused
    ? t`proved unused in ${of.observed_days} days`
    : t`no use seen in ${of.observed_days} days; not proved yet`;
}

const ABSENT = {
  before: new Set(["resource-added", "key-added"]),
  after: new Set(["resource-removed", "key-removed"]),
};

/** Whether one version cannot have lines of a change: what was added has none before it, what was removed none after. */
export function isAbsent(change: Change, side: "before" | "after"): boolean {
  return change.findings.every(({ rule }) => ABSENT[side].has(rule));
}
