import { bySeverity } from "../../parts/componentHealth";
import type { Component, ComponentStatus } from "../../wire/model";
import { t } from "../../words/text";

/** Components of one kind. */
export interface ComponentGroup {
  name: string;
  status: ComponentStatus;
  components: Component[];
}

const KINDS: Record<string, string> = {
  database: t`Databases`,
  broker: t`Background work`,
  controllers: t`Background work`,
  sweep: t`Background work`,
  work: t`Background work`,
  workers: t`Background work`,
  outbox: t`Live updates`,
  stream: t`Live updates`,
  mirror: t`Registry`,
  channels: t`Notification channels`,
  ledger: t`Audit log`,
  clock: t`Clocks`,
};

function kindOf(name: string): string {
  return name.startsWith("data ") ? t`Databases` : (KINDS[name] ?? t`Other components`);
}

const order: Record<ComponentStatus, number> = { down: 0, degraded: 1, unknown: 2, ok: 3 };

/** Groups that are worst come first; equal ones keep their order. */
export function worstFirst<G extends { status: ComponentStatus }>(groups: readonly G[]): G[] {
  return [...groups].sort((one, other) => order[one.status] - order[other.status]);
}

/** The components by their kind; a group is as its worst component. */
export function groupsOf(components: readonly Component[]): ComponentGroup[] {
  const kinds = new Map<string, Component[]>();
  for (const component of components) {
    const kind = kindOf(component.name);
    kinds.set(kind, [...(kinds.get(kind) ?? []), component]);
  }
  return [...kinds].map(([name, of]) => {
    const sorted = bySeverity(of);
    return { name, status: sorted[0]?.status ?? "unknown", components: sorted };
  });
}
