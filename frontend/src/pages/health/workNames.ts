import { componentName } from "../../parts/componentNames";
import { t } from "../../words/text";

/** What a key of work is about, and the page that shows it. */
export interface WorkTitle {
  text: string;
  to?: string;
  /** The upgrade whose deployment and versions name the work; `text` is the part of it. */
  upgrade?: string;
}

type Namer = (key: string) => WorkTitle | null;

/** `u21bd185d95/forward/3` is a shard of an upgrade, `u21bd185d95` all of it. */
const upgrade: Namer = (key) => {
  const [, id, direction, shard] = /^(u[0-9a-f]+)(?:\/(forward|reverse)\/(.+))?$/.exec(key) ?? [];
  if (!id) return null;
  if (!direction) return { upgrade: id, text: t`the upgrade itself` };
  return { upgrade: id, text: t`shard ${shard}${direction === "reverse" ? t`, reverse replication` : ""}` };
};

/** `services/iam/deployments/eu-1` is a deployment; `<us-1` behind it the region that its data come from. */
const deployment: Namer = (key) => {
  const [, service, region, from] = /^services\/([^/]+)\/deployments\/([^/<]+)(?:<(.+))?$/.exec(key) ?? [];
  if (!service || !region) return null;
  const text = from ? t`Deployment ${service} @ ${region}, from region ${from}` : t`Deployment ${service} @ ${region}`;
  return { text, to: `/d/${service}/${region}` };
};

const feed: Namer = (key) => {
  const [database = "", schema] = key.split(/\/(.*)/s);
  return { text: schema ? t`Namespace ${schema} in data database ${database}` : t`Data database ${database}` };
};

const titled =
  (title: (key: string) => string, page?: string): Namer =>
  (key) => ({ text: title(key), ...(page ? { to: `${page}${key}` } : {}) });

/** Controllers whose keys name a thing. */
const NAMERS: Record<string, Namer> = {
  approvals: titled((key) => t`Approval request ${key}`, "/approvals/"),
  compatibility: titled((key) => t`Compatibility report ${key}`),
  "definition-rollouts": titled((key) => t`Rollout of a definition ${key}`),
  deleting: deployment,
  "deletion-watches": titled((key) => t`Watched deletion ${key}`),
  evictions: titled((key) => t`Eviction ${key}`),
  "feed-watch": feed,
  fixtures: deployment,
  "left-copies": deployment,
  parity: upgrade,
  pending: deployment,
  "read-copies": deployment,
  rollouts: titled((key) => t`Rollout ${key}`, "/rollouts/"),
  "safety-net": titled((key) => t`Missed work of: ${componentName(key)}`),
  search: deployment,
  "subscribed-deletions": deployment,
  switch: upgrade,
  sync: upgrade,
  "syncing-meta": deployment,
  webhooks: titled((key) => t`Notification channel ${key}`),
};

/** Work of which there is one in an installation, by its controller and key. */
const CHORES: Record<string, string> = {
  "health/system": t`State of all components`,
  "housekeeping/answers": t`Answers kept for repeated requests`,
  "housekeeping/attempts": t`Attempts to sign in`,
  "housekeeping/outbox": t`Live updates that were sent`,
  "housekeeping/pulses": t`Reports of processes`,
  "housekeeping/sessions": t`Sessions that ended`,
  "housekeeping/usage": t`Old usage counts`,
  "housekeeping/work": t`Finished tasks`,
  "ledger/chain": t`All entries of the audit log`,
  "log-retention/logs": t`Logs of resources`,
  "mirror/registry": t`Regional registry`,
  "prune/feeds": t`Change feeds of all namespaces`,
  "prune/leftovers": t`Namespaces that are no longer used`,
  "registry-watch/registry": t`All services and deployments`,
  "registry/history": t`Old changes of the registry`,
  "registry/services-info": t`Versions of services by region`,
  "upgrade-blockages/live": t`All running upgrades`,
};

/** What a key of work is about; nothing where this console does not know its kind. */
export function workTitle({ controller, key }: { controller: string; key: string }): WorkTitle | null {
  const chore = CHORES[`${controller}/${key}`];
  return chore === undefined ? (NAMERS[controller]?.(key) ?? null) : { text: chore };
}
