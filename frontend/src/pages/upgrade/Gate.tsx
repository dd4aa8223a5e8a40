import { Button } from "@mantine/core";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { Checks } from "../../parts/checks/Checks";
import { FoldedChecks } from "../../parts/checks/FoldedChecks";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Pill } from "../../parts/Status";
import { stops } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Upgrade } from "../../wire/model";
import { EmergencyOverride } from "./actions/Actions";
import { Override } from "./actions/Override";
import { isOldKept } from "./kept";
import { evidenceOf, listedChecks } from "./sheet/steps";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

const BEFORE = new Set(["PLANNED", "SYNCING", "READY", "SWITCHING"]);

/** The readiness checks are those of the switch, until it is done. */
export const isBeforeSwitch = (state: Upgrade["state"]): boolean => BEFORE.has(state);

/** A request in one of these states brings no vote any more: another one is needed. */
const OVER = new Set(["REJECTED", "EXPIRED", "VOID", "USED"]);

/** Whether votes are needed and no request asks for them, or the last one was in vain. */
function needsRequest({ needed, request_id: request, state }: Upgrade["readiness"]["approvals"]): boolean {
  return needed > 0 && state !== "EMERGENCY" && (!request || OVER.has(state));
}

export function Gate({ upgrade, onAct }: { upgrade: Upgrade; onAct: (action: string) => void }) {
  const { checks, approvals } = upgrade.readiness;
  const request = findAction(upgrade.actions, "request-approval");
  const change = findAction(upgrade.actions, "switch");
  const edit = findAction(upgrade.actions, "edit");
  if (!BEFORE.has(upgrade.state)) return null;
  // What a plan waits for is its start; only where approval comes before it are votes asked for here.
  if (upgrade.state === "PLANNED" && !request?.allowed && !approvals.request_id) return null;
  const broken = approvals.state === "EMERGENCY";
  const ready = checks.length > 0 && !evidenceOf(checks).some(stops);
  const enough = broken || approvals.votes_given >= approvals.needed;
  return (
    <Card title={t`Readiness checks`} className="gate">
      <div className="row wrap present-actions">
        {request && needsRequest(approvals) ? (
          <ActionButton of={request} ask={upgrade.id} onAct={() => onAct("request-approval")} primary={ready}>
            {approvals.request_id
              ? t`Request approval again`
              : ready
                ? t`Request approval`
                : t`Request approval in advance`}
          </ActionButton>
        ) : null}
        {change ? (
          <ActionButton of={change} ask={upgrade.id} onAct={() => onAct("switch")} primary={enough}>
            {t`Switch now`}
          </ActionButton>
        ) : null}
        <Override upgrade={upgrade} />
      </div>
      {checks.length ? (
        <FoldedChecks checks={listedChecks(checks)} />
      ) : (
        <p className="muted">{t`The checks start with the backfill.`}</p>
      )}
      <div className="row between gate-approvals">
        <h3>{t`Approvals`}</h3>
        <Pill tone={broken ? "bad" : enough ? "ok" : "wait"}>
          {broken
            ? t`override used`
            : approvals.needed === 0
              ? t`none required`
              : t`${approvals.votes_given} of ${approvals.needed}`}
        </Pill>
      </div>
      <p className="small muted">
        {broken
          ? t`The action continues without votes. Another person reviews it afterwards.`
          : approvals.needed === 0
            ? approvals.state === "FREE"
              ? worded(approvals.sentence, approvals.phrases)
              : t`The policy requires no approvals.`
            : t`From ${approvals.groups}, except the requester. Votes are void if the plan changes${
                approvals.void_when_worse ? t`, or if a check that passed fails` : ""
              }.`}
      </p>
      <EmergencyOverride upgrade={upgrade} onAct={onAct} />
      {upgrade.readiness.not_before ? (
        <p className="small row tight">
          <Shape tone="wait" size={13} /> {rich`Not before ${(<Time at={upgrade.readiness.not_before} />)}`}
        </p>
      ) : null}
      <p className="small muted">
        {upgrade.automatic ? t`It switches automatically when every check passes.` : t`An operator starts the switch.`}
        {edit?.allowed ? (
          <>
            {" "}
            <Button size="compact-xs" variant="subtle" onClick={() => onAct("edit")}>
              {t`Change…`}
            </Button>
          </>
        ) : null}
      </p>
    </Card>
  );
}

/** What would stop the start of a planned upgrade now. */
export function Preflight({ upgrade }: { upgrade: Upgrade }) {
  const step = upgrade.steps.find((each) => each.step === "Preflight");
  if (!step || step.state === "skipped") return null;
  return (
    <Card title={t`Preflight`} {...(step.text ? { aside: worded(step.text, step.phrases) } : {})}>
      <Checks checks={upgrade.preflight ?? []} />
    </Card>
  );
}

/** Rolling back needs votes of its own where the policy says so. */
function RollbackApproval({ upgrade, onAct }: { upgrade: Upgrade; onAct: (action: string) => void }) {
  const { approvals } = upgrade.readiness;
  const { needed, votes_given: received } = approvals;
  const request = findAction(upgrade.actions, "request-approval");
  return (
    <div className="stack buttons">
      <div className="row between">
        <span className="small">{t`Approvals for the rollback`}</span>
        <Pill tone={received >= needed ? "ok" : "wait"}>{rich`${received} of ${needed}`}</Pill>
      </div>
      {request && needsRequest(approvals) ? (
        <ActionButton of={request} onAct={() => onAct("request-approval")} full>
          {t`Request approval for the rollback`}
        </ActionButton>
      ) : null}
    </div>
  );
}

export function RollbackCard({ upgrade, onAct }: { upgrade: Upgrade; onAct: (action: string) => void }) {
  const { state } = upgrade;
  const { approvals } = upgrade.readiness;
  if (state === "ABORTED" || state === "HANDED_OVER" || state === "HALTED" || state === "PLANNED") return null;
  if (state === "COMPLETED")
    return (
      <Card title={t`Rollback`}>
        <p className="small">{rich`The rollback window is closed. To return to ${upgrade.from_version}, plan a new upgrade.`}</p>
      </Card>
    );
  if (state === "REVERTED")
    return (
      <Card title={t`Rollback`}>
        <p className="small">
          {isOldKept(upgrade)
            ? rich`Rolled back. Writes under ${upgrade.to_version} were kept.`
            : rich`Rolled back to the data as of the switch. Writes under ${upgrade.to_version} are not there.`}
        </p>
      </Card>
    );
  return (
    <Card title={t`Effect of a rollback`}>
      <p className="small">
        {isOldKept(upgrade)
          ? rich`Every write after the switch is replicated to ${upgrade.from_version}, so a rollback loses no
        data.`
          : rich`${upgrade.from_version} is not kept current: a rollback brings its data as of the switch, and every
        write since is lost.`}
      </p>
      {/* Right after the switch what is known of votes is still that of the switch, for a moment. */}
      {state === "REVERSIBLE" && approvals.purpose === "revert" && approvals.needed > 0 ? (
        <RollbackApproval upgrade={upgrade} onAct={onAct} />
      ) : null}
      {state === "REVERSIBLE" ? <EmergencyOverride upgrade={upgrade} onAct={onAct} /> : null}
    </Card>
  );
}
