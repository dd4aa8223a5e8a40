import type { ApprovalState, Check, ComponentStatus, ShardState, StepState } from "../wire/model";
import type { Tone } from "./Shape";
import { locale } from "../words/language";
import { t } from "../words/text";

/** A status is always a tone (shape and colour) and a word. */
export interface Word {
  tone: Tone;
  word: string;
}

export const states: Record<string, Word> = {
  IDLE: { tone: "ok", word: t`Serving` },
  SERVING: { tone: "ok", word: t`Serving` },
  PLANNED: { tone: "plain", word: t`Planned` },
  SYNCING: { tone: "run", word: t`Syncing` },
  READY: { tone: "wait", word: t`Ready to switch` },
  SWITCHING: { tone: "run", word: t`Switching` },
  REVERSIBLE: { tone: "ok", word: t`Rollback open` },
  COMPLETED: { tone: "ok", word: t`Completed` },
  ABORTED: { tone: "unknown", word: t`Aborted` },
  REVERTING: { tone: "run", word: t`Rolling back` },
  REVERTED: { tone: "unknown", word: t`Rolled back` },
  HALTED: { tone: "blocked", word: t`Halted` },
  HANDED_OVER: { tone: "unknown", word: t`Handed over` },
  DISABLED: { tone: "unknown", word: t`Disabled` },
  SILENT: { tone: "bad", word: t`No reports` },
};

export function stateWord(state: string): Word {
  return (
    states[state.toUpperCase()] ?? {
      tone: "unknown",
      word: state ? state.toLowerCase().replaceAll("_", " ") : t`unknown`,
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
  if (upgrade.paused) return { tone: "wait", word: t`${stateWord(upgrade.state).word}, paused` };
  return upgrade.stall || upgrade.blockages?.length ? heldUp(upgrade.state) : stateWord(upgrade.state);
}

export function heldUp(state: string): Word {
  return { tone: "blocked", word: t`${stateWord(state).word}, blocked` };
}

export const shardWords: Record<ShardState, Word> = {
  pending: { tone: "plain", word: t`waiting` },
  syncing: { tone: "run", word: t`copying` },
  ready: { tone: "ok", word: t`caught up` },
  switching: { tone: "run", word: t`switching` },
  switched: { tone: "ok", word: t`switched` },
  regressed: { tone: "wait", word: t`behind again` },
  failed: { tone: "bad", word: t`failed` },
  unknown: { tone: "unknown", word: t`no report` },
};

export const verdictWords: Record<Check["verdict"], Word> = {
  pass: { tone: "ok", word: t`passed` },
  skipped: { tone: "plain", word: t`not needed` },
  pending: { tone: "plain", word: t`waiting` },
  warn: { tone: "wait", word: t`warning` },
  fail: { tone: "bad", word: t`failed` },
  unknown: { tone: "unknown", word: t`unknown` },
};

/** The check is no reason to look: it passed, or was not needed. */
export const passes = (check: Pick<Check, "verdict">): boolean =>
  check.verdict === "pass" || check.verdict === "skipped";

/** The check stops the step; waiting and unknown ones do too, but are no faults. */
export const stops = (check: Pick<Check, "verdict">): boolean =>
  check.verdict === "fail" || check.verdict === "unknown" || check.verdict === "pending";

export const componentWords: Record<ComponentStatus, Word> = {
  ok: { tone: "ok", word: t`ok` },
  degraded: { tone: "wait", word: t`degraded` },
  down: { tone: "bad", word: t`down` },
  unknown: { tone: "unknown", word: t`unknown` },
};

export const approvalWords: Record<ApprovalState, Word> = {
  OPEN: { tone: "wait", word: t`Open` },
  CHANGES: { tone: "blocked", word: t`Changes requested` },
  APPROVED: { tone: "ok", word: t`Approved` },
  REJECTED: { tone: "bad", word: t`Rejected` },
  EXPIRED: { tone: "unknown", word: t`Expired` },
  VOID: { tone: "unknown", word: t`Void` },
  USED: { tone: "ok", word: t`Used` },
};

export const stepWords: Record<StepState, string> = {
  done: t`done`,
  current: t`in progress`,
  todo: t`to do`,
  failed: t`failed`,
  skipped: t`not needed`,
};

/** Resource counts and rates, with a thin space every three digits so that columns stay readable. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : Math.round(value).toLocaleString(locale);
}

export function lagText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** `secrets.example.com` reads as `secrets` where room is short. */
export function shortService(service: string): string {
  return service.split(".")[0] ?? service;
}
