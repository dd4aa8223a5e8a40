import type { Action, Upgrade } from "../../../wire/model";
import type { Deed } from "./Confirm";
import { isOldKept } from "../kept";
import { rich, t } from "../../../words/text";

/** The deeds that open a dialog, in the words of this upgrade. */
export function actionTextOf(action: string, upgrade: Upgrade): Deed | null {
  const { from_version: from, to_version: to } = upgrade;
  const freeze = upgrade.readiness.predicted_freeze_ms;
  const kept = isOldKept(upgrade);
  switch (action) {
    case "switch":
      return {
        action,
        title: t`Switch to ${to}`,
        button: t`Switch now`,
        danger: false,
        typed: true,
        comment: "none",
        text: (
          <p>
            {t`Writes are paused briefly`}
            {freeze ? <>{rich`, expected ${(<b>{rich`${Math.round(freeze)} ms`}</b>)}`}</> : null}
            {rich`; the last changes are replicated; the two namespaces are compared; then ${to} is served.
              ${from} stays current, so a rollback is possible.`}
          </p>
        ),
      };
    case "rollback":
      return {
        action,
        title: t`Roll back to ${from}`,
        button: t`Roll back`,
        danger: true,
        typed: true,
        comment: "none",
        text: (
          <p>
            {rich`${from} is served again.`}{" "}
            {kept
              ? t`Every write since the switch was replicated back, so no data is lost.`
              : t`Its data are those of the switch: every write since is lost.`}{" "}
            {rich`Writes are paused briefly${kept ? t` while the last ones are replicated` : ""}.`}
          </p>
        ),
      };
    case "complete":
      return {
        action,
        title: t`Close the rollback window`,
        button: t`Complete`,
        danger: true,
        typed: true,
        comment: "none",
        text: <p>{rich`${to} stays. Replication to ${from} ends. A later return requires a new upgrade.`}</p>,
      };
    case "abort":
      return {
        action,
        title: t`Abort this upgrade`,
        button: t`Abort`,
        danger: true,
        typed: upgrade.state !== "PLANNED",
        comment: "required",
        text: <p>{rich`${from} stays in service. The backfilled data of ${to} is no longer updated.`}</p>,
      };
    case "request-approval":
      return {
        action,
        title: t`Request approval`,
        button: t`Request`,
        danger: false,
        typed: false,
        comment: "optional",
        ticket: true,
        text: (
          <p>
            {upgrade.readiness.approvals.void_when_worse
              ? t`Approvers see the current evidence. If the plan changes, or a check that passed fails, votes are void and a new
              request is sent.`
              : t`Approvers see the current evidence. If the plan changes, votes are void and a new request is sent.`}
          </p>
        ),
      };
    case "extend":
      return {
        action,
        title: t`Extend the rollback window`,
        button: t`Extend`,
        danger: false,
        typed: false,
        comment: "none",
        hours: 168,
        unrehearsed: true,
        text: (
          <p>
            {kept
              ? t`Until then every write is replicated to ${from}, so a rollback loses no data. Each write is stored twice.`
              : t`Until then ${from} stays as it was at the switch: a rollback loses every write since.`}
          </p>
        ),
      };
    case "throttle":
      return {
        action,
        title: t`Limit the copy rate`,
        button: t`Set the limit`,
        danger: false,
        typed: false,
        comment: "none",
        limit: upgrade.copy_limit ?? 0,
        unrehearsed: true,
        text: (
          <p>
            {t`The limit is shared by the shards that still copy. Replication of live writes is not limited,
            and the copy still slows down when the database is busy.`}
          </p>
        ),
      };
    case "break-glass":
      return {
        action,
        title: t`Emergency override`,
        button: t`Continue without the votes`,
        danger: true,
        typed: true,
        comment: "required",
        shortest: 20,
        ticket: "required",
        unrehearsed: true,
        text: (
          <p>
            {rich`The ${upgrade.state === "REVERSIBLE" ? t`rollback` : t`switch`} can then continue without its
            votes. All other checks apply. The override is recorded in the activity, followers of approvals
            are notified, and another person must review it before you can use another.`}
          </p>
        ),
      };
    case "enable-reverse-replication":
      return {
        action,
        title: t`Enable reverse replication to ${from}`,
        button: t`Enable reverse replication`,
        danger: false,
        typed: false,
        comment: "none",
        text: (
          <p>
            {rich`Everything is copied back to ${from}, and every later write is replicated to it, so that a
            rollback loses no data. Until every shard is copied and compared, no rollback is possible.
            Each write is stored twice.`}
          </p>
        ),
      };
    case "settle":
      return {
        action,
        title: t`Resolve this upgrade`,
        button: t`Resolve`,
        danger: true,
        typed: true,
        comment: "required",
        text: (
          <p>
            {t`The upgrade halted because the owner of the data was uncertain. Check the fence first: resolving
            accepts the state of the data database and continues from it.`}
          </p>
        ),
      };
    default:
      return further(upgrade).some((each) => each.action === action) ? named(action) : null;
  }
}

/** What the server offers and this page has no words of its own for: rehearsed and asked for like anything else. */
function named(action: string): Deed {
  const word = labelOf(action);
  return {
    action,
    title: word,
    button: word,
    danger: true,
    typed: true,
    comment: "optional",
    text: <p>{t`The dry run below shows the effect.`}</p>,
  };
}

export const labels: Record<string, string> = {
  throttle: t`Throttle…`,
  start: t`Start`,
  edit: t`Change the plan…`,
  pause: t`Pause`,
  resume: t`Resume`,
  "request-approval": t`Request approval`,
  switch: t`Switch now`,
  abort: t`Abort…`,
  rollback: t`Roll back…`,
  complete: t`Complete now…`,
  extend: t`Extend rollback window…`,
  settle: t`Resolve…`,
  "break-glass": t`Emergency override…`,
};

/** Actions without a place of their own on the page; they open a dialog. */
const furtherLabels: Record<string, string> = {
  "enable-reverse-replication": t`Enable reverse replication`,
};

export function labelOf(action: string): string {
  return (
    labels[action] ??
    furtherLabels[action] ??
    `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll("-", " ")}`
  );
}

/** Actions that may be taken now and have no place of their own on the page. */
export function further(upgrade: Pick<Upgrade, "actions">): Action[] {
  return upgrade.actions.filter((each) => each.allowed && !(each.action in labels));
}

/** The actions that make sense in a state, the first of them the one to press. */
export function headline(upgrade: Pick<Upgrade, "state" | "paused">): string[] {
  switch (upgrade.state) {
    case "PLANNED":
      return ["start", "edit", "abort"];
    case "SYNCING":
    case "READY":
      return [upgrade.paused ? "resume" : "pause", ...(upgrade.state === "SYNCING" ? ["throttle"] : []), "abort"];
    case "SWITCHING":
      return ["abort"];
    case "REVERSIBLE":
      return ["rollback", "extend", "complete"];
    case "HALTED":
      return ["settle"];
    default:
      return [];
  }
}
