import type { Action, Upgrade } from "../../wire/model";
import type { Deed } from "./Confirm";

/** The deeds that open a dialog, in the words of this upgrade. */
export function actionTextOf(action: string, upgrade: Upgrade): Deed | null {
  const { from_version: from, to_version: to } = upgrade;
  const freeze = upgrade.readiness.predicted_freeze_ms;
  const kept = upgrade.plan["downgrade_sync"] !== false;
  switch (action) {
    case "switch":
      return {
        action,
        title: `Switch to ${to}`,
        button: "Switch now",
        danger: false,
        typed: true,
        comment: "none",
        text: (
          <p>
            Writes are paused briefly
            {freeze ? (
              <>
                , expected <b>{Math.round(freeze)} ms</b>
              </>
            ) : null}
            ; the last changes are replicated; the two namespaces are compared; then {to} is served. {from} stays
            current, so a rollback is possible.
          </p>
        ),
      };
    case "rollback":
      return {
        action,
        title: `Roll back to ${from}`,
        button: "Roll back",
        danger: true,
        typed: true,
        comment: "none",
        text: (
          <p>
            {from} is served again.{" "}
            {kept
              ? "Every write since the switch was replicated back, so no data is lost."
              : "Its data are those of the switch: every write since is lost."}{" "}
            Writes are paused briefly{kept ? " while the last ones are replicated" : ""}.
          </p>
        ),
      };
    case "complete":
      return {
        action,
        title: "Close the rollback window",
        button: "Complete",
        danger: true,
        typed: true,
        comment: "none",
        text: (
          <p>
            {to} stays. Replication to {from} ends. A later return requires a new upgrade.
          </p>
        ),
      };
    case "abort":
      return {
        action,
        title: "Abort this upgrade",
        button: "Abort",
        danger: true,
        typed: upgrade.state !== "PLANNED",
        comment: "required",
        text: (
          <p>
            {from} stays in service. The backfilled data of {to} is no longer updated.
          </p>
        ),
      };
    case "request-approval":
      return {
        action,
        title: "Request approval",
        button: "Request",
        danger: false,
        typed: false,
        comment: "optional",
        ticket: true,
        text: <p>Approvers see the current evidence. If the plan changes, votes are void and a new request is sent.</p>,
      };
    case "extend":
      return {
        action,
        title: "Extend the rollback window",
        button: "Extend",
        danger: false,
        typed: false,
        comment: "none",
        hours: 168,
        unrehearsed: true,
        text: (
          <p>
            {kept
              ? `Until then every write is replicated to ${from}, so a rollback loses no data. Each write is stored twice.`
              : `Until then ${from} stays as it was at the switch: a rollback loses every write since.`}
          </p>
        ),
      };
    case "throttle":
      return {
        action,
        title: "Limit the copy rate",
        button: "Set the limit",
        danger: false,
        typed: false,
        comment: "none",
        limit: upgrade.copy_limit ?? 0,
        unrehearsed: true,
        text: (
          <p>
            The limit is shared by the shards that still copy. Replication of live writes is not limited, and the copy
            still slows down when the database is busy.
          </p>
        ),
      };
    case "break-glass":
      return {
        action,
        title: "Emergency override",
        button: "Continue without the votes",
        danger: true,
        typed: true,
        comment: "required",
        shortest: 20,
        ticket: "required",
        unrehearsed: true,
        text: (
          <p>
            The {upgrade.state === "REVERSIBLE" ? "rollback" : "switch"} can then continue without its votes. All other
            checks apply. The override is recorded in the activity, followers of approvals are notified, and another
            person must review it before you can use another.
          </p>
        ),
      };
    case "enable-reverse-replication":
      return {
        action,
        title: `Bring ${from} in step again`,
        button: "Enable reverse replication",
        danger: false,
        typed: false,
        comment: "none",
        text: (
          <p>
            Everything is copied back to {from}, and every later write is replicated to it, so that a rollback loses no
            data. Until every shard is copied and compared, no rollback is possible. Each write is stored twice.
          </p>
        ),
      };
    case "settle":
      return {
        action,
        title: "Resolve this upgrade",
        button: "Resolve",
        danger: true,
        typed: true,
        comment: "required",
        text: (
          <p>
            The upgrade halted because the owner of the data was uncertain. Check the fence first: resolving accepts the
            state of the data database and continues from it.
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
    text: <p>The dry run below shows the effect.</p>,
  };
}

export const labels: Record<string, string> = {
  throttle: "Throttle…",
  start: "Start",
  edit: "Change the plan…",
  pause: "Pause",
  resume: "Resume",
  "request-approval": "Request approval",
  switch: "Switch now",
  abort: "Abort…",
  rollback: "Roll back…",
  complete: "Complete now…",
  extend: "Extend rollback window…",
  settle: "Resolve…",
  "break-glass": "Emergency override…",
};

export function labelOf(action: string): string {
  return labels[action] ?? `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll("-", " ")}`;
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
