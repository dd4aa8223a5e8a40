import type { DecisionImpact } from "../wire/approvals";
import type { Approval, Check, Shard, Upgrade } from "../wire/model";

export const check = (name: string, verdict: Check["verdict"], sentence: string): Check => ({
  check: name,
  verdict,
  sentence,
  remedy: "Wait.",
  at: null,
});

export function upgrade(part: Partial<Upgrade> = {}): Upgrade {
  return {
    id: "u1",
    rev: 7,
    deployment: "services/secrets.example.com/deployments/us-west2",
    service: "secrets.example.com",
    region: "us-west2",
    from_version: "v1alpha2",
    to_version: "v1",
    kind: "version",
    state: "READY",
    paused: false,
    meta_stage: "INITIAL_SYNCING",
    sentence: "secrets @ us-west2 has all 16 shards caught up for v1 and may switch now.",
    automatic: false,
    requested_by: "olga",
    comment: "For the portal.",
    created_at: "2026-03-01T14:00:00Z",
    started_at: "2026-03-01T14:01:00Z",
    finished_at: null,
    plan_digest: "9c1d02aa77e0",
    plan: {},
    steps: [
      { step: "Planned", state: "done", started_at: null, took_seconds: 2, who: "olga" },
      { step: "Readiness", state: "current", started_at: null, took_seconds: null, who: null },
    ],
    shards: {
      total: 2,
      ready: 1,
      items: [0, 1].map((shard) => ({
        shard,
        state: shard ? ("ready" as const) : ("failed" as const),
        stage: "",
        copied: 5,
        total: 10,
        applied: 0,
        failed: 0,
        lag_seconds: 0.2,
        rate_per_second: 3,
        reported_at: null,
        error: shard ? null : "labels[0] is not a string",
      })),
    },
    progress: {
      copied: 15,
      total: 20,
      rate_per_second: 3,
      eta: null,
      eta_reason: "nothing advanced for 6 min",
      lag_seconds: 0.2,
    },
    readiness: {
      checks: [check("shards", "fail", "1 of 2 shards is level.")],
      approvals: { needed: 0, votes_given: 0, request_id: null, state: null },
      predicted_freeze_ms: 210,
    },
    actions: ["pause", "abort", "switch"].map((action) => ({ action, allowed: true, reason: "", who_can: [] })),
    quarantined_count: 0,
    stall: null,
    blockages: [],
    switch_steps: [],
    data_tasks: [],
    reversible_until: null,
    freeze_ms: null,
    ...part,
  };
}

export function shard(number: number, part: Partial<Shard> = {}): Shard {
  return {
    shard: number,
    state: "syncing",
    stage: "INITIAL_SYNCING",
    copied: 0,
    total: 100,
    applied: 0,
    failed: 0,
    lag_seconds: null,
    rate_per_second: 100,
    reported_at: null,
    error: null,
    ...part,
  };
}

export function impact(level: DecisionImpact["risk"]["level"] = "low"): DecisionImpact {
  return {
    when: {
      sentence: "When somebody presses Switch, any time from now on: no window or freeze applies.",
      not_before: null,
    },
    risk: { level, reasons: ["Nothing speaks against it."] },
    blast: {
      resources: 12_000,
      regions: [
        { region: "us-west2", version: "v1alpha2", here: true },
        { region: "eu-1", version: "v1", here: false },
      ],
      dependants: [{ service: "apps.example.com", region: "us-west2", version: "v1", builds_on: "v1alpha2" }],
      callers: [{ client: "portal", messages: 70, last_seen: "2026-03-01T13:00:00Z" }],
      seen_days: 14,
    },
    report: { counts: { break: 0, note: 2 }, breaking: 0, to_accept: 1 },
    references: { breaking: [], unknown: [] },
    change: "c1",
  };
}

export function approval(part: Partial<Approval> = {}): Approval {
  return {
    id: "a1",
    rev: 1,
    digest: "9c1d02aa77e0",
    upgrade_id: "u1",
    what: "Switch secrets @ us-west2 from v1alpha2 to v1",
    purpose: "switch",
    deployment: "services/secrets.example.com/deployments/us-west2",
    from_version: "v1alpha2",
    to_version: "v1",
    asked_by: "olga",
    comment: "For the portal.",
    ticket: "CHG-1",
    created_at: "2026-03-01T14:00:00Z",
    deadline: null,
    state: "OPEN",
    needed: 2,
    votes: [],
    delegations: [],
    impact_summary: { risk: "low", failing: 0, unknown: 0, change: "c1" },
    evidence_then: [check("shards", "fail", "1 of 2 shards is level.")],
    evidence_now: [check("shards", "pass", "2 of 2 shards are caught up.")],
    differences: [],
    impact: impact(),
    on_duty: [],
    excluded: [],
    on_approve: "v1 is served.",
    undo: "Roll back for 72 hours.",
    who_can: ["rosa"],
    actions: ["approve", "reject", "request-changes", "delegate"].map((action) => ({
      action,
      allowed: true,
      reason: "",
      who_can: [],
    })),
    ...part,
  };
}
