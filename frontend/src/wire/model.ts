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

export interface Component {
  name: string;
  status: ComponentStatus;
  detail: string;
  since: string | null;
  remedy: string | null;
  /** The address of the page that says what to do. */
  runbook: string;
}

export interface Health {
  status: ComponentStatus;
  components: Component[];
  work_classes: components["schemas"]["WorkClass"][];
}

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
  | "HALTED";

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

export interface Region {
  name: string;
  title: string;
  zone: string;
}

export interface FleetService {
  name: string;
  display_name: string;
  versions: string[];
  rank: number;
  imports: string[];
}

export interface Cell {
  service: string;
  region: string;
  name: string;
  current_version: string;
  target_version: string | null;
  state: string;
  ready: number;
  total: number;
  automatic: boolean;
  disabled: boolean;
  upgrade_id: string | null;
  rev: number;
  labels: Record<string, string>;
  data_version: string;
  lag_seconds?: number | null;
  /** How old the figures of the upgrade are, and whether something holds it up. */
  oldest_report_at?: string | null;
  blocked?: boolean;
  started_at?: string | null;
  owner?: string;
}

export interface Fleet {
  regions: Region[];
  services: FleetService[];
  cells: Cell[];
}

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

export interface UpgradeSummary {
  id: string;
  rev: number;
  deployment: string;
  service: string;
  region: string;
  from_version: string;
  to_version: string;
  state: UpgradeState;
  paused: boolean;
  sentence: string;
  requested_by: string;
  comment: string;
  /** Resources a second that a person lets it copy at most. */
  copy_limit?: number | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  shards: { total: number; ready: number; items: Shard[] };
  progress: Progress;
  stall: { sentence: string; since: string; shards: number[]; causes: string[] } | null;
  blockages: components["schemas"]["Blockage"][];
  reversible_until?: string | null;
}

export interface Progress {
  copied: number;
  total: number | null;
  /** Some shards were not counted yet, so there is at least so much. */
  total_is_minimum?: boolean;
  /** A hundred only when every shard is known to be caught up; null while not every shard was counted. */
  percent?: number | null;
  rate_per_second: number | null;
  eta: { low_seconds: number; high_seconds: number } | null;
  eta_reason: string | null;
  lag_seconds: number | null;
  unknown_shards?: number;
  oldest_report_at?: string | null;
}

export type StepState = "done" | "current" | "todo" | "failed" | "skipped";

/** A step of an upgrade; `text` is what it went by. */
export interface Step {
  step: string;
  state: StepState;
  started_at: string | null;
  took_seconds: number | null;
  who: string | null;
  text?: string;
}

export type ShardState =
  "pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown";

export interface Shard {
  shard: number;
  state: ShardState;
  stage: string;
  copied: number;
  total: number | null;
  applied: number;
  failed: number;
  lag_seconds: number | null;
  rate_per_second: number | null;
  throttled?: string;
  /** How often it fell back after it was caught up. */
  falls?: number;
  node?: string;
  reported_at: string | null;
  error: string | null;
}

export type ShardTurn = components["schemas"]["ShardTransition"];

export interface Check {
  check: string;
  verdict: "pass" | "skipped" | "warn" | "pending" | "fail" | "unknown";
  sentence: string;
  remedy: string | null;
  at: string | null;
}

export interface Upgrade extends UpgradeSummary {
  kind: "version" | "location" | "data";
  meta_stage: string;
  automatic: boolean;
  plan_digest: string;
  plan: Record<string, unknown>;
  steps: Step[];
  preflight?: Check[];
  readiness: {
    checks: Check[];
    approvals: {
      needed: number;
      votes_given: number;
      request_id: string | null;
      state: string | null;
      group?: string;
      groups?: string;
      sentence?: string;
    };
    /** When a window, a freeze or the plan lets it switch at the earliest; null when that is now. */
    not_before?: string | null;
    predicted_freeze_ms: number | null;
  };
  actions: Action[];
  /** That copies and comparisons are slowed for the sake of writes. */
  paced?: components["schemas"]["CopyPacing"] | null;
  quarantined_count: number;
  switch_steps: { step: string; state: string; text: string; took_seconds: number | null }[];
  data_tasks: components["schemas"]["DataTask"][];
  /** Why what was asked for last was not done, as long as nothing else has happened since. */
  undone?: components["schemas"]["UnfulfilledRequest"] | null;
  reversible_until: string | null;
  freeze_ms: number | null;
  /** Only in a dry run of the switch and of rolling back. */
  rehearsal?: { steps: { step: string; text: string }[]; predicted_freeze_ms: number | null; stopped: string };
}

export interface UpgradeEvent {
  seq: number;
  at: string;
  who: string | null;
  kind: string;
  text: string;
  details: Record<string, unknown> | null;
}

export interface Samples {
  at: string[];
  ready: number[];
  lag_p50: (number | null)[];
  lag_p95: (number | null)[];
  lag_max: (number | null)[];
  rate: (number | null)[];
}

export interface QuarantinedResource {
  shard: number;
  type: string;
  name: string;
  revision: number;
  error: string;
  code: string;
  attempts: number;
  retry_at: string | null;
  state: string;
  changes_behind: number;
}

export interface DryRun {
  plan: Record<string, unknown> | null;
  checks: Check[];
  would: string[];
  possible: boolean;
  prospects: components["schemas"]["UpgradeForecast"];
}

export interface AuditEntry {
  id: number;
  seq: number | null;
  digest: string | null;
  at: string;
  actor: string;
  actor_kind: string;
  token: string;
  address: string;
  request_id: string;
  action: string;
  target_kind: string;
  target: string;
  outcome: "done" | "denied" | "failed" | "dry_run";
  reason: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface Chain {
  intact: boolean;
  length: number;
  unsealed: number;
  broken_at: number | null;
  reason: string;
}

export interface AccountRow {
  name: string;
  email: string;
  display_name: string;
  kind: "user" | "service";
  groups: string[];
  active: boolean;
  last_sign_in: string | null;
  roles?: string[];
}

export type Role = components["schemas"]["Role"];

export interface Binding {
  id: number;
  subject_kind: string;
  subject: string;
  role: string;
  service: string;
  region: string;
  environment: string;
  expires_at: string | null;
  /** Days, hours and networks outside of which it does not count. */
  conditions?: { days?: number[]; start?: string; end?: string; zone?: string; networks?: string[] };
  counts: string;
  counts_now: boolean;
  created_by: string;
  tag: string;
}

export interface Explanation {
  account: string;
  action: string;
  target: string;
  allowed: boolean;
  reason: string;
  who_can: string[];
  bindings: string[];
}

export interface Token {
  id: string;
  account: string;
  name: string;
  scopes: string[];
  networks: string[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  last_used_from: string | null;
  revoked_at: string | null;
}

export interface ServiceRow {
  name: string;
  display_name: string;
  versions: string[];
  imports: { service: string; version: string; for_version: string }[];
  uses: string[];
  regions: string[];
  control_region: string;
  automatic: boolean;
  rev: number;
}

export interface Retirement {
  rev: number;
  retires_on: string | null;
  note: string;
  set_by: string;
  set_at: string | null;
}

export interface ServicePage extends ServiceRow {
  resource_types: { type: string; fqn: string; plural: string; versions: string[] }[];
  deployments: { region: string; current_version: string }[];
  importers: string[];
  imported_by: { service: string; for_version: string; version: string }[];
  retirements: Record<string, Retirement>;
  fingerprint: string | null;
}

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
