/** What a channel may be told of. */
export const events = [
  { value: "upgrade.*", label: "every line of an upgrade's story" },
  { value: "upgrade.level", label: "all shards of an upgrade are level" },
  { value: "upgrade.blocked", label: "something holds an upgrade up: the cause and what helps" },
  { value: "upgrade.unblocked", label: "nothing holds an upgrade up any more" },
  { value: "upgrade.halted", label: "an upgrade halted" },
  { value: "approval.changed", label: "approvals: asked for, voted, decided" },
  { value: "emergency.opened", label: "somebody broke the glass" },
  { value: "policy.changed", label: "an approval policy changed" },
  { value: "window.changed", label: "a window or freeze changed" },
  { value: "health.changed", label: "a part of the system went down or came back" },
  { value: "deletion.clear", label: "a resource that somebody waits for may be deleted" },
  { value: "registry.changed", label: "a service, region or deployment changed" },
  { value: "audit.entry", label: "every entry of the activity" },
];
