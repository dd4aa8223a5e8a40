/** What a channel may be told of. */
export const events = [
  { value: "upgrade.*", label: "every event of an upgrade" },
  { value: "upgrade.caught-up", label: "all shards of an upgrade are caught up" },
  { value: "upgrade.blocked", label: "an upgrade is blocked: cause and remedy" },
  { value: "upgrade.unblocked", label: "an upgrade is no longer blocked" },
  { value: "upgrade.halted", label: "an upgrade halted" },
  { value: "approval.changed", label: "approvals: requested, voted, decided" },
  { value: "emergency.opened", label: "an emergency override was used" },
  { value: "policy.changed", label: "an approval policy changed" },
  { value: "window.changed", label: "a window or freeze changed" },
  { value: "health.changed", label: "a component failed or recovered" },
  { value: "usage.deadline", label: "what a client still uses will be removed" },
  { value: "usage.brown-out", label: "a share of deprecated requests is refused" },
  { value: "deletion.clear", label: "a watched resource can be deleted" },
  { value: "registry.changed", label: "a service, region or deployment changed" },
  { value: "audit.entry", label: "every activity entry" },
];
