import type { components } from "./schema";

export type { Approval, ApprovalState, ApprovalSummary, Vote } from "./approvals";
export type { Emergency, Policy, Ruling, WindowRule } from "./rules";

/** What the REST API and the stream carry. Lists answer with a page; errors with a problem. */

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
  has_more: boolean;
}

/** A refusal; where there was no answer, the front end makes one that says so. */
export type Problem = Partial<Omit<components["schemas"]["Problem"], "current">> &
  Pick<components["schemas"]["Problem"], "title" | "status"> &
  Partial<Record<"current", Record<string, unknown>>>;

export type Account = components["schemas"]["SignedInAccount"];

export type Session = components["schemas"]["Session"];

export type ComponentStatus = "ok" | "degraded" | "down" | "unknown";

export type Component = components["schemas"]["Component"];

export type Health = components["schemas"]["Health"];

/** One thing a person may do, decided by the server with its reason. */
export type Action = components["schemas"]["AvailableAction"];

export type UpgradeState =
  | "PLANNED"
  | "SYNCING"
  | "READY"
  | "SWITCHING"
  | "REVERSIBLE"
  | "COMPLETED"
  | "ABORTED"
  | "REVERTING"
  | "REVERTED"
  | "HALTED"
  | "HANDED_OVER";

export type Overview = components["schemas"]["Overview"];

export type Region = components["schemas"]["FleetRegion"];

export type FleetService = components["schemas"]["FleetService"];

export type Cell = components["schemas"]["Cell"];

export type Fleet = components["schemas"]["Fleet"];

export type Deployment = components["schemas"]["Deployment"];

export type UpgradeSummary = components["schemas"]["UpgradeSummary"];

export type Progress = components["schemas"]["Progress"];

export type StepState = "done" | "current" | "todo" | "failed" | "skipped";

/** A step of an upgrade; `text` is what it went by. */
export type Step = components["schemas"]["Step"];

export type ShardState =
  "pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown";

export type Shard = components["schemas"]["Shard"];

export type ShardTurn = components["schemas"]["ShardTransition"];

export type Check = components["schemas"]["Check"];

export type Upgrade = components["schemas"]["Upgrade"];

export type UpgradeEvent = components["schemas"]["TimelineEntry"];

export type Samples = components["schemas"]["Samples"];

export type QuarantinedResource = components["schemas"]["QuarantinedResource"];

export type DryRun = components["schemas"]["DryRun"];

export type AuditEntry = components["schemas"]["AuditEntry"];

export type Chain = components["schemas"]["AuditChain"];

export type AccountRow = components["schemas"]["Account"];

export type Role = components["schemas"]["Role"];

export type Binding = components["schemas"]["Binding"];

export type Explanation = components["schemas"]["Explanation"];

export type Token = components["schemas"]["Token"];

export type ServiceRow = components["schemas"]["Service"];

export type Retirement = components["schemas"]["Retirement"];

export type ServicePage = components["schemas"]["ServiceDetail"];

export interface LiveEvent {
  op: "event";
  seq: number;
  ts: string;
  topic: string;
  kind: string;
  id: string;
  rev: number | null;
  patch?: Record<string, unknown>;
  full?: Record<string, unknown>;
}

export type LiveMessage =
  | LiveEvent
  | { op: "hello"; server_time: string; seq: number }
  | { op: "heartbeat"; seq: number; server_time: string }
  | { op: "resync"; topic: string }
  | { op: "denied"; topic: string; reason: string };
