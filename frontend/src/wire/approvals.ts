import type { components } from "./schema";

type Schemas = components["schemas"];

export type DecisionImpact = Schemas["Impact"];
export type Duty = Schemas["OnCallTurn"];
export type RiskLevel = DecisionImpact["risk"]["level"];
export type BulkVoteResult = Schemas["BulkVoteAnswer"];

export type ApprovalState = Schemas["ApprovalSummary"]["state"];

export type Vote = Schemas["Vote"];

/** A request for approval as lists show it. */
export type ApprovalSummary = Schemas["ApprovalSummary"];

export type Approval = Schemas["Approval"];
