import type { ResourceImage } from "../../wire/logs";

export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

function text(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** The fields of two documents that differ, and of one that came or went all its fields. */
export function fieldChanges(
  before: Record<string, unknown> | null | undefined,
  after: Record<string, unknown> | null | undefined,
): FieldChange[] {
  const one = before ?? {};
  const other = after ?? {};
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .map((field) => ({ field, before: text(one[field]), after: text(other[field]) }))
    .filter((change) => change.before !== change.after);
}

/** The fields of a resource that a write changed, those of its metadata among them. */
export function imageChanges(before: ResourceImage | null, after: ResourceImage | null): FieldChange[] {
  const metadata = fieldChanges(before?.metadata, after?.metadata).map((change) => ({
    ...change,
    field: `metadata.${change.field}`,
  }));
  return [...fieldChanges(before?.body, after?.body), ...metadata];
}

/** The address of a log of a deployment. */
export function logAddress(
  log: "changes" | "activity" | "conversions" | "conversions/one",
  service: string,
  region: string,
  more: Record<string, string> = {},
): string {
  return `/logs/${log}?${new URLSearchParams({ service, region, ...more }).toString()}`;
}
