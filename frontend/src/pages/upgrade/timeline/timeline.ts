import type { UpgradeEvent } from "../../../wire/model";
import { worded } from "../../../words/server";

export const DENSITIES = ["compact", "grouped", "full"] as const;

export type Density = (typeof DENSITIES)[number];

export interface Entry extends UpgradeEvent {
  /** How many events of the same kind stand behind this one. */
  more: number;
}

const MINOR = /shard|sample|progress|report/;

/** One list in three densities: what matters, neighbours of a kind as one, or everything. What a link names is always there. */
export function entries(
  events: readonly UpgradeEvent[],
  density: Density,
  filter: string,
  linked: number | null = null,
): Entry[] {
  const target = filter.trim().toLowerCase();
  const seen = new Map(events.map((event) => [event.seq, event]));
  const newest = [...seen.values()]
    .filter(
      (event) =>
        !target ||
        event.seq === linked ||
        `${worded(event.text, event.phrases)} ${event.who ?? ""} ${event.kind}`.toLowerCase().includes(target),
    )
    .sort((one, other) => other.seq - one.seq);
  if (density === "full") return newest.map((event) => ({ ...event, more: 0 }));
  const shown: Entry[] = [];
  for (const event of newest) {
    if (density === "compact" && event.seq !== linked && MINOR.test(event.kind)) continue;
    const before = shown.at(-1);
    if (density === "grouped" && event.seq !== linked && before?.kind === event.kind && before.who === event.who)
      before.more += 1;
    else shown.push({ ...event, more: 0 });
  }
  return shown;
}

/** The number of the event that an address names after its `#`, or null. */
export function linkedIn(hash: string): number | null {
  const result = /^#event-(\d+)$/.exec(hash);
  return result ? Number(result[1]) : null;
}
