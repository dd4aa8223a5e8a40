import type { Cell, FleetService } from "../../wire/model";
import { t } from "../../words/text";

export const NO_LABEL = t`no label`;
const MIXED = t`several`;

/** The keys that deployments carry labels under. */
export function labelKeys(cells: readonly Cell[]): string[] {
  return [...new Set(cells.flatMap((cell) => Object.keys(cell.labels)))].sort();
}

/** The group of each service: its tier, or the value of a label that its deployments agree on. */
export function groupNames(services: readonly FleetService[], cells: readonly Cell[], by: string): Map<string, string> {
  if (by === "tier") return new Map(services.map((service) => [service.name, t`tier ${service.rank}`]));
  const values = new Map<string, Set<string>>();
  for (const cell of cells) {
    const value = cell.labels[by];
    if (value === undefined) continue;
    const known = values.get(cell.service) ?? new Set<string>();
    values.set(cell.service, known.add(value));
  }
  return new Map(
    services.map((service) => {
      const known = [...(values.get(service.name) ?? [])];
      return [service.name, known.length === 0 ? NO_LABEL : known.length > 1 ? MIXED : (known[0] ?? NO_LABEL)];
    }),
  );
}
