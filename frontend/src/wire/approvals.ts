import type { Action, Check } from "./model";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type DecisionImpact = Schemas["Impact"];
export type Duty = Schemas["OnCallTurn"];
export type RiskLevel = DecisionImpact["risk"]["level"];
export type BulkVoteResult = Schemas["BulkVoteAnswer"];

export type ApprovalState = "OPEN" | "CHANGES" | "APPROVED" | "REJECTED" | "EXPIRED" | "VOID" | "USED";

export interface Vote {
  who: string;
  verdict: string;
  comment: string;
  at: string;
  void_reason: string;
}

/** A request for approval as lists show it. */
export interface ApprovalSummary {
  id: string;
  rev: number;
  digest: string;
  upgrade_id: string;
  what: string;
  purpose: "switch" | "revert";
  deployment: string;
  from_version: string;
  to_version: string;
  asked_by: string;
  comment: string;
  ticket: string;
  created_at: string;
  deadline: string | null;
  state: ApprovalState;
  needed: number;
  /** Whose votes are taken, in order. */
  stages?: Schemas["StageVotes"][];
  votes: Vote[];
  votes_given?: number;
  /** Null in lists once it is settled. */
  impact_summary: Schemas["ImpactSummary"] | null;
  delegations: { who: string; to: string; comment: string; at: string }[];
  on_approve: string;
  undo: string;
  who_can: string[];
  actions: Action[];
}

export interface Approval extends ApprovalSummary {
  evidence_then: Check[];
  evidence_now: Check[];
  differences: { check: string; then: Check | null; now: Check }[];
  impact: DecisionImpact;
  excluded: { who: string; reason: string }[];
  on_duty: Duty[];
}
