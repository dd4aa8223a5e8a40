import type { components } from "../../../wire/schema";
import { locale } from "../../../words/language";
import { plural, t } from "../../../words/text";

type Schemas = components["schemas"];
export type ReferenceGroup = Schemas["ReferenceGroup"];
export type ReferenceGroups = Schemas["ReferenceGroups"];

const KEY = ["direction", "service", "region", "version", "type", "field", "kind"] as const;
/** So many groups of one side are drawn before the others are asked for. */
export const SHOWN_GROUPS = 40;
const HEAD = 34;
const ROW = 62;

/** What names a group among those of one resource. */
export const keyOf = (group: ReferenceGroup): string => KEY.map((name) => group[name]).join(" ");

/** The question for the single references of a group. */
export function memberQuery(group: ReferenceGroup): Pick<ReferenceGroup, (typeof KEY)[number]> {
  const { direction, service, region, version, type, field, kind } = group;
  return { direction, service, region, version, type, field, kind };
}

export const isBlocking = (group: ReferenceGroup): boolean => group.kind === "BLOCK" || group.kind === "OWNER";

/** A group in a deployment that may not be read: only that, and how often, it refers is known. */
export const isHiddenGroup = (group: ReferenceGroup): boolean => group.type === "hidden";

export const placeOf = (group: ReferenceGroup): string => `${group.service} @ ${group.region}`;

export function countText(count: number, isExact: boolean): string {
  return `${isExact ? "" : t`at least `}${count.toLocaleString(locale)}`;
}

/** How many references, from how many deployments, go one way. */
export function summary(groups: readonly ReferenceGroup[], direction: ReferenceGroup["direction"]): string {
  const side = groups.filter((group) => group.direction === direction);
  const count = side.reduce((sum, group) => sum + group.count, 0);
  const places = new Set(side.map(placeOf)).size;
  if (count === 0) return direction === "in" ? t`no incoming references` : t`no outgoing references`;
  const amount = countText(
    count,
    side.every((group) => group.is_exact),
  );
  const where = plural(places, "# deployment", "# deployments");
  if (direction === "in")
    return `${amount} ${plural(count, "incoming reference", "incoming references")} ${t`from ${where}`}`;
  return `${amount} ${plural(count, "outgoing reference", "outgoing references")} ${t`to ${where}`}`;
}

export interface GroupColumn {
  rows: ({ head: string } | { group: ReferenceGroup; y: number })[];
  height: number;
  left: number;
}

/** The groups of one side under the deployments they lie in, each at its height in the drawing. */
export function columnOf(groups: readonly ReferenceGroup[], most: number): GroupColumn {
  const byPlace = new Map<string, ReferenceGroup[]>();
  for (const group of groups.slice(0, most))
    byPlace.set(placeOf(group), [...(byPlace.get(placeOf(group)) ?? []), group]);
  const rows: GroupColumn["rows"] = [];
  let height = 0;
  for (const [head, members] of byPlace) {
    rows.push({ head });
    height += HEAD;
    for (const group of members) {
      rows.push({ group, y: height + ROW / 2 - 3 });
      height += ROW;
    }
  }
  return { rows, height, left: Math.max(0, groups.length - most) };
}

/** Where the curves meet the resource in the middle. */
export const FOCUS_Y = HEAD + 38;

export function curve(from: number, to: number, width: number): string {
  const half = width / 2;
  return `M 0 ${from} C ${half} ${from}, ${half} ${to}, ${width} ${to}`;
}

/** Thicker for more, so that ten thousand are told from ten and a million still fits. */
export const thickness = (count: number): number => Math.min(6, 1.25 + Math.log10(Math.max(1, count)));
