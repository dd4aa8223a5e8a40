import type { LiveEvent } from "../wire/model";

export type Document = Record<string, unknown>;

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mergeShards(before: unknown, after: unknown[]): unknown[] {
  const known = new Map<unknown, unknown>();
  if (Array.isArray(before)) for (const item of before) if (isDocument(item)) known.set(item.shard, item);
  for (const item of after) {
    if (!isDocument(item)) continue;
    const old = known.get(item.shard);
    known.set(item.shard, isDocument(old) ? { ...old, ...item } : item);
  }
  return [...known.values()].sort((a, b) => Number((a as Document).shard) - Number((b as Document).shard));
}

/** A patch names what changed: documents merge, shards merge by number, any other list is replaced. */
export function merge(before: Document, patch: Document): Document {
  const after: Document = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    const old = before[key];
    if (key === "items" && Array.isArray(value) && value.every((item) => isDocument(item) && "shard" in item)) {
      after[key] = mergeShards(old, value);
    } else if (isDocument(value) && isDocument(old)) {
      after[key] = merge(old, value);
    } else {
      after[key] = value;
    }
  }
  return after;
}

/** Many events on one thing become one, in the order of their numbers; a whole document forgets what came before it. */
export function fold(events: readonly LiveEvent[]): LiveEvent[] {
  const folded = new Map<string, LiveEvent>();
  for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
    const key = `${event.topic} ${event.kind} ${event.id}`;
    const before = folded.get(key);
    folded.delete(key);
    folded.set(key, before ? join(before, event) : event);
  }
  return [...folded.values()];
}

function join(before: LiveEvent, after: LiveEvent): LiveEvent {
  if (after.full || !after.patch) return after;
  if (before.full) return { ...after, full: merge(before.full, after.patch) };
  return { ...after, patch: before.patch ? merge(before.patch, after.patch) : after.patch };
}

/** What the page should now show, or null when the event is older than what it has. */
export function applied(current: Document, event: LiveEvent): Document | null {
  const have = typeof current.rev === "number" ? current.rev : -1;
  if (event.rev !== null && event.rev !== undefined && event.rev <= have) return null;
  const rev = event.rev === null || event.rev === undefined ? {} : { rev: event.rev };
  if (event.full) return { ...merge(current, event.full), ...rev };
  return event.patch ? { ...merge(current, event.patch), ...rev } : null;
}
