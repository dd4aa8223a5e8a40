import { t } from "../words/text";

/** The parts of the system and its controllers, by the keys that the server and `swy` use. */
const NAMES: Record<string, string> = {
  approvals: t`Approvals`,
  broker: t`Message broker`,
  channels: t`Notification channels`,
  clock: t`Clocks`,
  compatibility: t`Compatibility reports`,
  controllers: t`Controllers`,
  data: t`Data databases`,
  database: t`Control database`,
  "definition-rollouts": t`Rollouts of definitions`,
  deleting: t`Deletion of resources`,
  "deletion-watches": t`Watched deletions`,
  evictions: t`Requests to evict a region`,
  "feed-watch": t`Resource changes`,
  fixtures: t`Fixtures`,
  health: t`Health checks`,
  housekeeping: t`Removal of expired records`,
  ledger: t`Audit log seal`,
  "left-copies": t`Removal of unused read copies`,
  "log-retention": t`Removal of old log entries`,
  mirror: t`Copy of the regional registry`,
  outbox: t`Live updates to send`,
  parity: t`Verification`,
  pending: t`Pending references`,
  prune: t`Removal of processed changes`,
  "read-copies": t`Read copies`,
  registry: t`Registry upkeep`,
  "registry-watch": t`Registry changes`,
  rollouts: t`Rollouts`,
  "safety-net": t`Search for missed work`,
  search: t`Search index`,
  stream: t`Live updates to browsers`,
  "subscribed-deletions": t`Deletions in other deployments`,
  sweep: t`Scheduler of missed work`,
  switch: t`Version switch`,
  sync: t`Replication`,
  "syncing-meta": t`Metadata after policy changes`,
  "upgrade-blockages": t`Causes of blocked upgrades`,
  webhooks: t`Webhooks`,
  work: t`Work queue`,
  workers: t`Workers`,
};

/** The classes of work, by the keys of the server. */
const CLASSES: Record<string, string> = {
  switch: t`Version switch`,
  "catch-up": t`Catch-up`,
  "constraint-answers": t`Answers to reference checks`,
  backfill: t`Backfill`,
  verification: t`Verification`,
  "read-copies": t`Read copies`,
  upkeep: t`Upkeep`,
};

export const workClassName = (key: string): string => CLASSES[key] ?? key;

/** What an operator calls a part of the system; one that this console does not know keeps its key. */
export function componentName(key: string): string {
  if (key.startsWith("data ")) return t`Data database ${key.slice("data ".length)}`;
  return NAMES[key] ?? key;
}
