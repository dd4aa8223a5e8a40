import type { ApprovalState, Check, ComponentStatus, ShardState, StepState } from "../wire/model";
import type { Tone } from "./Shape";

/** A status is always a tone (shape and colour) and a word. */
export interface Word {
  tone: Tone;
  word: string;
}

const states: Record<string, Word> = {
  IDLE: { tone: "ok", word: "Serving" },
  SERVING: { tone: "ok", word: "Serving" },
  PLANNED: { tone: "plain", word: "Planned" },
  SYNCING: { tone: "run", word: "Syncing" },
  READY: { tone: "wait", word: "Ready to switch" },
  SWITCHING: { tone: "run", word: "Switching" },
  REVERSIBLE: { tone: "ok", word: "Rollback open" },
  COMPLETED: { tone: "ok", word: "Completed" },
  ABORTED: { tone: "unknown", word: "Aborted" },
  REVERTING: { tone: "run", word: "Rolling back" },
  REVERTED: { tone: "unknown", word: "Rolled back" },
  HALTED: { tone: "blocked", word: "Halted" },
  HANDED_OVER: { tone: "unknown", word: "Handed over" },
  DISABLED: { tone: "unknown", word: "Disabled" },
  SILENT: { tone: "bad", word: "No reports" },
};

export function stateWord(state: string): Word {
  return (
    states[state.toUpperCase()] ?? {
      tone: "unknown",
      word: state ? state.toLowerCase().replaceAll("_", " ") : "unknown",
    }
  );
}

/** The state of an upgrade; one that something holds up is never shown as one that gets on. */
export function upgradeWord(upgrade: {
  state: string;
  paused?: boolean;
  stall?: object | null;
  blockages?: readonly object[];
}): Word {
  if (upgrade.paused) return { tone: "wait", word: `${stateWord(upgrade.state).word}, paused` };
  return upgrade.stall || upgrade.blockages?.length ? heldUp(upgrade.state) : stateWord(upgrade.state);
}

export function heldUp(state: string): Word {
  return { tone: "blocked", word: `${stateWord(state).word}, blocked` };
}

export const shardWords: Record<ShardState, Word> = {
  pending: { tone: "plain", word: "waiting" },
  syncing: { tone: "run", word: "copying" },
  ready: { tone: "ok", word: "caught up" },
  switching: { tone: "run", word: "switching" },
  switched: { tone: "ok", word: "switched" },
  regressed: { tone: "wait", word: "behind again" },
  failed: { tone: "bad", word: "failed" },
  unknown: { tone: "unknown", word: "no report" },
};

export const verdictWords: Record<Check["verdict"], Word> = {
  pass: { tone: "ok", word: "passed" },
  skipped: { tone: "plain", word: "nothing to check" },
  pending: { tone: "wait", word: "waiting" },
  warn: { tone: "wait", word: "warning" },
  fail: { tone: "bad", word: "failed" },
  unknown: { tone: "unknown", word: "unknown" },
};

/** The check is no reason to look: it passed, or there was nothing to check. */
export const passes = (check: Pick<Check, "verdict">): boolean =>
  check.verdict === "pass" || check.verdict === "skipped";

/** The check stops the step; waiting and unknown ones do too, but are no faults. */
export const stops = (check: Pick<Check, "verdict">): boolean =>
  check.verdict === "fail" || check.verdict === "unknown" || check.verdict === "pending";

export const componentWords: Record<ComponentStatus, Word> = {
  ok: { tone: "ok", word: "ok" },
  degraded: { tone: "wait", word: "degraded" },
  down: { tone: "bad", word: "down" },
  unknown: { tone: "unknown", word: "unknown" },
};

export const approvalWords: Record<ApprovalState, Word> = {
  OPEN: { tone: "wait", word: "Open" },
  CHANGES: { tone: "blocked", word: "Changes requested" },
  APPROVED: { tone: "ok", word: "Approved" },
  REJECTED: { tone: "bad", word: "Rejected" },
  EXPIRED: { tone: "unknown", word: "Expired" },
  VOID: { tone: "unknown", word: "Void" },
  USED: { tone: "ok", word: "Used" },
};

export const stepWords: Record<StepState, string> = {
  done: "done",
  current: "in progress",
  todo: "to do",
  failed: "failed",
  skipped: "not needed",
};

/** Resource counts and rates, with a thin space every three digits so that columns stay readable. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en-GB");
}

export function lagText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** `secrets.example.com` reads as `secrets` where room is short. */
export function shortService(service: string): string {
  return service.split(".")[0] ?? service;
}
