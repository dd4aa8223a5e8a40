/** What a channel may be told of. */
import { t } from "../../words/text";

export const events = [
  { value: "upgrade.*", label: t`every event of an upgrade` },
  { value: "upgrade.caught-up", label: t`all shards of an upgrade are caught up` },
  { value: "upgrade.blocked", label: t`an upgrade is blocked: cause and remedy` },
  { value: "upgrade.unblocked", label: t`an upgrade is no longer blocked` },
  { value: "upgrade.halted", label: t`an upgrade halted` },
  { value: "approval.changed", label: t`approvals: requested, voted, decided` },
  { value: "emergency.opened", label: t`an emergency override was used` },
  { value: "policy.changed", label: t`an approval policy changed` },
  { value: "window.changed", label: t`a window or freeze changed` },
  { value: "health.changed", label: t`a component failed or recovered` },
  { value: "usage.deadline", label: t`what a client still uses will be removed` },
  { value: "usage.brown-out", label: t`a share of deprecated requests is refused` },
  { value: "deletion.clear", label: t`a watched resource can be deleted` },
  { value: "registry.changed", label: t`a service, region or deployment changed` },
  { value: "audit.entry", label: t`every activity entry` },
];

/** What a channel may be sent, in words; a pattern of one's own stays as it is. */
export const eventText = (pattern: string): string => events.find((each) => each.value === pattern)?.label ?? pattern;
