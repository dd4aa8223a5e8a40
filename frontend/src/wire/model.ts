import type { components } from "./schema";

export type { Approval, ApprovalState, ApprovalSummary, Vote } from "./approvals";
export type { Emergency, Policy, Ruling, WindowRule } from "./rules";

/** What the REST API and the stream carry. Lists answer with a page; errors with a problem. */

export type Page<T> = Omit<components["schemas"]["AuditEntryPage"], "items"> & Record<"items", T[]>;

/** A refusal; where there was no answer, the front end makes one that says so. */
export type Problem = Partial<Omit<components["schemas"]["Problem"], "current">> &
  Pick<components["schemas"]["Problem"], "title" | "status"> &
  Partial<Record<"current", Record<string, unknown>>>;

export type Account = components["schemas"]["SignedInAccount"];

export type Session = components["schemas"]["Session"];

export type ComponentStatus = components["schemas"]["Component"]["status"];

export type Component = components["schemas"]["Component"];

export type Health = components["schemas"]["Health"];

/** One thing a person may do, decided by the server with its reason. */
export type Action = components["schemas"]["AvailableAction"];

export type UpgradeState = components["schemas"]["Upgrade"]["state"];

export type Overview = components["schemas"]["Overview"];

export type Region = components["schemas"]["FleetRegion"];

export type FleetService = components["schemas"]["FleetService"];

export type Cell = components["schemas"]["Cell"];

export type Fleet = components["schemas"]["Fleet"];

export type Deployment = components["schemas"]["Deployment"];

export type UpgradeSummary = components["schemas"]["UpgradeSummary"];

export type Progress = components["schemas"]["Progress"];

export type StepState = components["schemas"]["Step"]["state"];

/** A step of an upgrade; `text` is what it went by. */
export type Step = components["schemas"]["Step"];

export type ShardState = components["schemas"]["Shard"]["state"];

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

export type LiveEvent = components["schemas"]["StreamEvent"];

export type LiveMessage = components["schemas"]["StreamMessage"];
