import type { UpgradeState } from "../../wire/model";
import { t } from "../../words/text";

export type Phase =
  "Plan" | "Preflight" | "Backfill" | "Evidence" | "Approvals" | "Cutover" | "Rollback window" | "Complete";

/** The steps of an upgrade, from plan to end, in the words of every page. */
export const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  Plan: t`Plan`,
  Preflight: t`Preflight`,
  Backfill: t`Backfill`,
  Evidence: t`Evidence`,
  Approvals: t`Approvals`,
  Cutover: t`Cutover`,
  "Rollback window": t`Rollback window`,
  Complete: t`Complete`,
};

export const PHASES = Object.keys(PHASE_TITLES) as Phase[];

const OF_STATE: Record<UpgradeState, number> = {
  PLANNED: 0,
  SYNCING: 2,
  READY: 4,
  SWITCHING: 5,
  HALTED: 5,
  REVERSIBLE: 6,
  REVERTING: 6,
  REVERTED: 6,
  COMPLETED: PHASES.length,
  ABORTED: 2,
  HANDED_OVER: 1,
};

/** The number of the step that a state belongs to; past the last where everything is done. */
export function phaseOf(state: UpgradeState): number {
  return OF_STATE[state];
}
