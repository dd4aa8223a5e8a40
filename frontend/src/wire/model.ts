import type { DecisionImpact } from "./approvals";
import type { components } from "./schema";

export type { Approval, ApprovalState, ApprovalSummary, Vote } from "./approvals";
export type { Emergency, Policy, Ruling, WindowRule } from "./rules";

/** What the REST API and the stream carry. Lists answer with a page; errors with a problem. */

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
  has_more: boolean;
}

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  code?: string;
  remedy?: string;
  request_id?: string;
  errors?: { field?: string; path?: string; message?: string; detail?: string }[];
  who_can?: string[];
  retry_after?: number;
  /** What is gone: the page that tells what became of it. */
  link?: string;
  /** After a conflict: the thing as it is now. */
  current?: Record<string, unknown>;
  /** After a conflict: who was faster; nobody where Switchyard itself was. */
  changed?: { who: string; at: string; what: string } | null;
}

export interface Account {
  name: string;
  email: string;
  roles: string[];
  permissions: string[];
  /** Where what they are shown lies, such as `* @ eu-*`; empty when nothing is left out. */
  reach?: string[];
  /** Where each permission to change something holds that does not hold everywhere, such as `* @ eu-*`. */
  bounds?: Record<string, string[]>;
  /** The time zone they chose to be shown; empty where they never did. */
  zone?: string;
}

export interface Session {
  account: Account | null;
  csrf_token: string;
  server_time: string;
  environment: string;
  version: string;
  /** Ways to sign in besides the local form. */
  providers?: { id: string; name: string; url: string }[];
  /** Whether a name and a password are enough: for everybody, for an admin in an emergency, for nobody. */
  local_sign_in?: "on" | "emergency" | "off";
  /** The host name under which passkeys work; empty where they do not. */
  passkey_host?: string;
  /** When a session ends by itself. */
  session_limits?: { hours: number; idle_minutes: number };
  /** This session signed in by break-glass. */
  emergency?: { reason: string; at: string } | null;
}

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

export interface Overview {
  now: {
    running: number;
    waiting_mine: number;
    waiting_others: number;
    stalled: number;
    failed: number;
    reversible: number;
  };
  /** `put_away`: where an ask is put away. */
  needs_you: { kind: string; id: string; sentence: string; deadline: string | null; link: string; put_away?: string }[];
  running: UpgradeSummary[];
  skew: { service: string; versions: { version: string; count: number }[] }[];
  week: components["schemas"]["Week"];
  /** No upgrade was ever planned within what this person sees. */
  first_use: boolean;
  windows: { name: string; effect: string; opens: string; closes: string; open: boolean }[];
  followed: components["schemas"]["FollowedDeployment"][];
}

export type Region = components["schemas"]["FleetRegion"];

export type FleetService = components["schemas"]["FleetService"];

export type Cell = components["schemas"]["Cell"];

export type Fleet = components["schemas"]["Fleet"];

export interface Deployment extends Cell {
  sentence: string;
  newest_version: string;
  reachable_versions: { version: string; reachable: boolean; reason: string }[];
  db_data_version: number | string | null;
  db_location_tag: string;
  public_domain: string;
  dependants: DecisionImpact["blast"]["dependants"];
  imported_versions: { service: string; version: string; current_version: string | null; mismatch: boolean }[];
  databases: { namespace: string; version: string; disabled: boolean; resources: number | null }[];
  upgrades: UpgradeSummary[];
  active_upgrade: UpgradeSummary | string | null;
  actions: Action[];
  followed: boolean;
  switch_mode_set?: components["schemas"]["ModeChange"] | null;
  resharded?: components["schemas"]["ShardCountChange"] | null;
  raw: unknown;
}

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
