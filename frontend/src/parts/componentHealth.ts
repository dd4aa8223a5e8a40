import type { Component, ComponentStatus } from "../wire/model";

const order: Record<ComponentStatus, number> = { down: 0, degraded: 1, unknown: 2, ok: 3 };

/** Red rows first; among equals the server's order stays. */
export function bySeverity(components: readonly Component[]): Component[] {
  return [...components].sort((one, other) => order[one.status] - order[other.status]);
}

export function summary(components: readonly Component[]): string {
  const bad = components.filter((component) => component.status !== "ok");
  if (bad.length === 0) return `All ${components.length} components are healthy.`;
  const names = bad.map((component) => component.name).join(", ");
  return `${bad.length} of ${components.length} components ${bad.length === 1 ? "is" : "are"} not healthy: ${names}.`;
}
