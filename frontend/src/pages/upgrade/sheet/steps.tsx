import { Fragment, type ReactNode } from "react";
import { PHASES, type Phase } from "../../../parts/charts/phases";
import { countText, passes, stops } from "../../../parts/status";
import { durationText, rangeText } from "../../../time/clock";
import { Time } from "../../../time/Time";
import type { Check, Step, StepState, Upgrade } from "../../../wire/model";
import { approvalsText } from "../../approval/words";
import { isOldKept } from "../kept";
import type { Moment } from "./replay";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";

/** One step of the run sheet: what is known of it, and when. */
export interface SheetStep {
  phase: Phase;
  state: StepState;
  text: string;
  /** When it began or ended; null while that is not known. */
  at: string | null;
  /** What is expected of a step that is still to come; nothing of others. */
  expected: ReactNode;
}

/** The checks that evidence consists of: votes and windows have steps of their own. */
const OTHERS = new Set(["approval", "window"]);

export function evidenceOf(checks: readonly Check[]): Check[] {
  return checks.filter((check) => !OTHERS.has(check.check));
}

/** The checks to list: votes and windows only while they do not pass, so that what passed is counted as in its row. */
export function listedChecks(checks: readonly Check[]): Check[] {
  return checks.filter((check) => !OTHERS.has(check.check) || !passes(check));
}

/* eslint-disable texts/in-catalogue -- the names that the server gives its steps */
const SERVER_STEPS: Partial<Record<Phase, string>> = {
  Plan: "Planned",
  Preflight: "Preflight",
  Backfill: "Initial sync",
  Cutover: "Switching",
  "Rollback window": "Rollback window",
  Complete: "Done",
};
/* eslint-enable texts/in-catalogue */

const ORDER = ["PLANNED", "SYNCING", "READY", "SWITCHING", "REVERSIBLE", "COMPLETED"];

function approvalsOf(upgrade: Upgrade): { enough: boolean; text: string } {
  const { needed, votes_given: counted, state, sentence, phrases } = upgrade.readiness.approvals;
  if (state === "EMERGENCY") return { enough: true, text: t`An emergency override was used; a review follows.` };
  if (needed === 0)
    return {
      enough: true,
      text: (state === "FREE" && worded(sentence, phrases)) || t`The policy requires no approvals.`,
    };
  return { enough: counted >= needed, text: approvalsText(counted, needed) };
}

function checksText(checks: readonly Check[]): string {
  if (checks.length === 0) return t`not checked yet`;
  const count = (verdict: Check["verdict"]): number => checks.filter((check) => check.verdict === verdict).length;
  return [
    t`${count("pass")} of ${plural(checks.length - count("skipped"), "# check", "# checks")} passed`,
    count("fail") ? t`${count("fail")} failed` : "",
    count("pending") ? t`${count("pending")} pending` : "",
    count("unknown") ? t`${count("unknown")} not checked yet` : "",
    count("skipped") ? t`${count("skipped")} not needed` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** How far each step is. Between the backfill and the cutover the checks and the votes decide which one is present. */
function statesOf(upgrade: Upgrade): StepState[] {
  const at = ORDER.indexOf(upgrade.state);
  const evidence = !evidenceOf(upgrade.readiness.checks).some(stops);
  const { enough } = approvalsOf(upgrade);
  let present: number;
  switch (upgrade.state) {
    case "PLANNED":
      present = 1;
      break;
    case "SYNCING":
      present = 2;
      break;
    case "READY":
      present = !evidence ? 3 : !enough ? 4 : 5;
      break;
    case "SWITCHING":
    case "HALTED":
      present = 5;
      break;
    case "REVERSIBLE":
    case "REVERTING":
    case "REVERTED":
      present = 6;
      break;
    case "COMPLETED":
      present = PHASES.length;
      break;
    case "ABORTED":
      present = upgrade.started_at ? 2 : 1;
      break;
    case "HANDED_OVER":
      present = 1;
      break;
  }
  return PHASES.map((_, step) => {
    if (step < present) return "done";
    if (step > present) return at < 0 && upgrade.state !== "HALTED" ? "skipped" : "todo";
    return upgrade.state === "ABORTED" || upgrade.state === "HALTED" ? "failed" : "current";
  });
}

function rolledBackText({ from_version: old, rollback_freeze_ms: pause }: Upgrade): string {
  return pause === null || pause === undefined
    ? t`Rolled back to ${old}.`
    : t`Rolled back to ${old}; writes were paused for ${Math.round(pause)} ms.`;
}

function rollbackWindowText(upgrade: Upgrade): string {
  const { state, from_version: old } = upgrade;
  if (state === "REVERTED") return rolledBackText(upgrade);
  if (state === "REVERTING") return t`Rolling back to ${old}.`;
  if (state === "COMPLETED") return t`The rollback window is closed.`;
  return isOldKept(upgrade)
    ? t`${old} is kept current; a rollback loses no data.`
    : t`${old} stays as of the switch; a rollback loses every later write.`;
}

function completionText(upgrade: Upgrade): string {
  const { state, from_version: old, to_version: stays } = upgrade;
  if (!isOldKept(upgrade)) return t`${stays} stays.`;
  return state === "COMPLETED"
    ? t`Replication to ${old} has ended; ${stays} stays.`
    : t`Replication to ${old} ends; ${stays} stays.`;
}

function textOf(phase: Phase, upgrade: Upgrade, server: Step | undefined): string {
  const { progress, readiness } = upgrade;
  switch (phase) {
    case "Plan":
      return [t`planned by ${upgrade.requested_by}`, upgrade.comment].filter(Boolean).join(" · ");
    case "Preflight":
      return server ? worded(server.text, server.phrases) : "";
    case "Backfill": {
      const total = progress.total === null ? t`resources` : t`of ${countText(progress.total)} resources`;
      return [
        upgrade.started_at ? `${countText(progress.copied)} ${total}` : t`copy and convert every resource`,
        server?.took_seconds ? t`in ${durationText(server.took_seconds)}` : "",
        upgrade.quarantined_count
          ? t`${upgrade.quarantined_count} quarantined`
          : upgrade.started_at
            ? t`0 quarantined`
            : "",
      ]
        .filter(Boolean)
        .join(" · ");
    }
    case "Evidence":
      return checksText(evidenceOf(readiness.checks));
    case "Approvals":
      return approvalsOf(upgrade).text;
    case "Cutover":
      return upgrade.freeze_ms === null || upgrade.freeze_ms === undefined
        ? t`freeze, catch up, verify, flip, publish, reverse replication`
        : t`Writes were paused for ${Math.round(upgrade.freeze_ms)} ms.`;
    case "Rollback window":
      return rollbackWindowText(upgrade);
    case "Complete":
      return completionText(upgrade);
  }
}

/** How long a rollback stays possible, by the plan. */
export function rollbackHoursOf(upgrade: Pick<Upgrade, "plan">): number {
  return Number(upgrade.plan["rollback_hours"]) || 0;
}

function cutoverExpected({ automatic, readiness }: Upgrade): ReactNode[] {
  return [
    readiness.not_before ? rich`not before ${(<Time at={readiness.not_before} age={false} />)}` : "",
    readiness.predicted_freeze_ms
      ? t`expected pause ${Math.round(readiness.predicted_freeze_ms)} ms`
      : t`pause unknown`,
    automatic ? t`switches automatically` : t`an operator switches`,
  ];
}

function completeExpected(upgrade: Upgrade): ReactNode[] {
  const hours = rollbackHoursOf(upgrade);
  const { reversible_until: until } = upgrade;
  return [
    until ? (
      <Time key="until" at={until} age={false} />
    ) : hours ? (
      t`${durationText(hours * 3600)} after the switch`
    ) : (
      ""
    ),
    t`completes automatically`,
  ];
}

/** When a step that is still to come is expected, and who must be there. */
function expectedOf(phase: Phase, upgrade: Upgrade): ReactNode {
  const { progress, readiness } = upgrade;
  const hours = rollbackHoursOf(upgrade);
  const parts: Partial<Record<Phase, ReactNode[]>> = {
    Backfill: [t`after the start`],
    Evidence: [
      upgrade.state === "SYNCING" && progress.eta
        ? t`in about ${rangeText(progress.eta.low_seconds, progress.eta.high_seconds)}`
        : t`after the backfill`,
      t`checked automatically`,
    ],
    Approvals: [
      readiness.approvals.needed
        ? t`needs ${readiness.approvals.needed} from ${readiness.approvals.groups || t`approvers`}`
        : t`none required`,
    ],
    Cutover: cutoverExpected(upgrade),
    "Rollback window": [
      hours ? t`for ${durationText(hours * 3600)} after the switch` : "",
      t`an operator may roll back`,
    ],
    Complete: completeExpected(upgrade),
  };
  return (parts[phase] ?? [])
    .filter(Boolean)
    .map((part, at) => <Fragment key={at}>{at ? <> · {part}</> : part}</Fragment>);
}

const SWITCHED = new Set(["REVERSIBLE", "REVERTING", "REVERTED", "COMPLETED"]);

function approvedText(votes: Moment["votes"]): string {
  const counted = votes.filter((vote) => vote.purpose === "switch" && vote.verdict === "approve" && !vote.void).length;
  return plural(counted, "# approval", "# approvals");
}

/** After the switch the server judges the rollback: what the switch went by is read from what was recorded. */
function recordedText(phase: Phase, upgrade: Upgrade, recorded: Moment | null): string | null {
  if (!SWITCHED.has(upgrade.state)) return null;
  if (phase === "Approvals") return recorded ? approvedText(recorded.votes) : "";
  if (phase !== "Evidence") return null;
  if (!recorded) return "";
  const checks = evidenceOf((recorded.switchEvidence?.checks ?? []) as Check[]);
  return checks.length ? t`When approval was requested: ${checksText(checks)}` : t`no checks were recorded`;
}

/** When a step came to its end, or began: the evidence when it was recorded last, the approvals with the last vote. */
function timeOf(phase: Phase, upgrade: Upgrade, server: Step | undefined, recorded: Moment | null): string | null {
  switch (phase) {
    case "Plan":
      return upgrade.created_at;
    case "Evidence":
      return recorded?.switchEvidence?.at ?? null;
    case "Approvals":
      return recorded?.votes.findLast((vote) => vote.purpose === "switch" && !vote.void)?.at ?? null;
    default:
      return server?.started_at ?? null;
  }
}

/** The run sheet of an upgrade: eight steps in the order of time. */
export function sheetOf(upgrade: Upgrade, recorded: Moment | null = null): SheetStep[] {
  const states = statesOf(upgrade);
  return PHASES.map((phase, at) => {
    const server = upgrade.steps.find((step) => step.step === SERVER_STEPS[phase]);
    const state = states[at] ?? "todo";
    return {
      phase,
      state,
      text: recordedText(phase, upgrade, recorded) ?? textOf(phase, upgrade, server),
      at: timeOf(phase, upgrade, server, recorded),
      expected: state === "todo" ? expectedOf(phase, upgrade) : "",
    };
  });
}

/** The sheet as it was at a moment, by what was recorded; what was not recorded is said to be unknown. */
export function sheetAt(upgrade: Upgrade, moment: Moment, last: Moment = moment): SheetStep[] {
  const state = moment.state ?? "PLANNED";
  const switched = SWITCHED.has(state);
  // Once it has switched, the gate names the votes of a rollback: the switch needed those that it got.
  const later = SWITCHED.has(upgrade.state);
  const count = (votes: Moment["votes"]): number =>
    votes.filter((vote) => vote.purpose === "switch" && vote.verdict === "approve").length;
  const counted = count(moment.votes);
  const needed = later ? count(last.votes) : upgrade.readiness.approvals.needed;
  const ready = (moment.shards.ready ?? 0) + (moment.shards.switched ?? 0);
  const past: Upgrade = {
    ...upgrade,
    state,
    started_at: state === "PLANNED" ? null : upgrade.started_at,
    freeze_ms: switched ? upgrade.freeze_ms : null,
    rollback_freeze_ms: state === "REVERTED" ? upgrade.rollback_freeze_ms : null,
    readiness: {
      ...upgrade.readiness,
      checks: (moment.evidence?.checks ?? []) as Check[],
      approvals: { ...upgrade.readiness.approvals, needed, votes_given: counted, state: "none" },
    },
  };
  const texts: Partial<Record<Phase, string>> = {
    Backfill: past.started_at ? t`${ready} of ${plural(upgrade.shards.total, "# shard", "# shards")} caught up` : "",
    Evidence: moment.evidence ? checksText(evidenceOf(past.readiness.checks)) : t`no checks were recorded until then`,
    Approvals: later ? approvedText(moment.votes) : needed ? approvalsText(counted, needed) : "",
  };
  return sheetOf(past, moment).map((step) => ({ ...step, text: texts[step.phase] ?? step.text }));
}
