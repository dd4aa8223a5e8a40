import type { ReactNode } from "react";
import { Checks } from "../../../parts/checks/Checks";
import type { Phase } from "../../../parts/charts/phases";
import { countText } from "../../../parts/status";
import { durationText } from "../../../time/clock";
import { Time } from "../../../time/Time";
import type { Check, Upgrade } from "../../../wire/model";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";
import { SwitchSteps } from "../Evidence";
import { VERDICTS, type Moment } from "./replay";
import { evidenceOf, rollbackHoursOf } from "./steps";

/** What was recorded of an upgrade, until now or until a moment that is replayed. */
interface Recorded {
  upgrade: Upgrade;
  moment: Moment | null;
  isReplayed: boolean;
}

function PlanFacts({ upgrade, isReplayed }: Recorded) {
  const hours = rollbackHoursOf(upgrade);
  const facts = (
    <dl className="facts small">
      <dt>{t`Change`}</dt>
      <dd>{t`${upgrade.from_version} to ${upgrade.to_version}`}</dd>
      <dt>{t`Switch`}</dt>
      <dd>{upgrade.automatic ? t`automatic, once every check passes` : t`by an operator`}</dd>
      {hours ? (
        <>
          <dt>{t`Rollback window`}</dt>
          <dd>{durationText(hours * 3600)}</dd>
        </>
      ) : null}
    </dl>
  );
  return isReplayed ? (
    <>
      <p className="small muted">{t`The plan as it is now; the timeline lists its changes.`}</p>
      {facts}
    </>
  ) : (
    facts
  );
}

function PreflightChecks({ checks }: { checks: Check[] }) {
  return checks.length ? (
    <Checks checks={checks} />
  ) : (
    <p className="small muted">{t`It passed; no check details are stored.`}</p>
  );
}

function BackfillFacts({ upgrade, moment, isReplayed }: Recorded) {
  const step = upgrade.steps.find((each) => each.step === "Initial sync");
  return (
    <dl className="facts small">
      <dt>{isReplayed ? t`Resources copied until now` : t`Resources copied`}</dt>
      <dd>{countText(upgrade.progress.copied)}</dd>
      {step?.took_seconds ? (
        <>
          <dt>{t`Took`}</dt>
          <dd>{durationText(step.took_seconds)}</dd>
        </>
      ) : null}
      {moment?.caughtUpAt ? (
        <>
          <dt>{t`Last shard caught up`}</dt>
          <dd>
            <Time at={new Date(moment.caughtUpAt).toISOString()} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}

function RecordedChecks({ evidence }: { evidence: NonNullable<Moment["evidence"]> }) {
  return (
    <>
      <p className="small muted">{rich`Checks recorded at ${(<Time at={evidence.at} />)}:`}</p>
      <Checks checks={evidenceOf(evidence.checks as Check[])} />
    </>
  );
}

function RecordedVotes({ votes }: { votes: Moment["votes"] }) {
  return (
    <ul className="plain-list small" aria-label={t`Votes on the switch`}>
      {votes.map((vote) => (
        <li key={`${vote.at} ${vote.who}`} className={vote.void ? "void" : ""}>
          <b>{vote.who}</b> {VERDICTS[vote.verdict] ?? vote.verdict} <Time at={vote.at} />
          {vote.void ? <div>{rich`Void: ${worded(vote.void, vote.void_phrases)}`}</div> : null}
        </li>
      ))}
    </ul>
  );
}

/** What was recorded of a step that is done; null where nothing was. */
export function stepRecord(phase: Phase, recorded: Recorded): ReactNode {
  const { upgrade, moment } = recorded;
  switch (phase) {
    case "Plan":
      return <PlanFacts {...recorded} />;
    case "Preflight":
      return <PreflightChecks checks={upgrade.preflight ?? []} />;
    case "Backfill":
      return upgrade.started_at ? <BackfillFacts {...recorded} /> : null;
    case "Evidence":
      return moment?.switchEvidence ? <RecordedChecks evidence={moment.switchEvidence} /> : null;
    case "Approvals": {
      const votes = (moment?.votes ?? []).filter((vote) => vote.purpose === "switch");
      return votes.length ? <RecordedVotes votes={votes} /> : null;
    }
    case "Cutover": {
      const steps = upgrade.switch_steps.filter(({ step }) => moment?.switchSteps.has(step) ?? true);
      return steps.length ? <SwitchSteps steps={steps} /> : null;
    }
    default:
      return null;
  }
}
