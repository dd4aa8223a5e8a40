import type { Component, ComponentStatus } from "../wire/model";
import { componentName } from "./componentNames";
import { plural, t } from "../words/text";

const order: Record<ComponentStatus, number> = { down: 0, degraded: 1, unknown: 2, ok: 3 };

/** Red rows first; among equals the server's order stays. */
export function bySeverity(components: readonly Component[]): Component[] {
  return [...components].sort((one, other) => order[one.status] - order[other.status]);
}

export function summary(components: readonly Component[]): string {
  const bad = components.filter((component) => component.status !== "ok");
  if (bad.length === 0) return t`All ${components.length} components are healthy.`;
  const names = bad.map((component) => componentName(component.name)).join(", ");
  return t`${bad.length} of ${components.length} components ${plural(bad.length, "is", "are")} not healthy: ${names}.`;
}
