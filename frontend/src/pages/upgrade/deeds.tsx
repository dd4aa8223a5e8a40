import type { Action, Upgrade } from "../../wire/model";
import type { Deed } from "./Confirm";

/** The deeds that open a dialog, in the words of this upgrade. */
export function deedOf(action: string, upgrade: Upgrade): Deed | null {
  const { from_version: from, to_version: to } = upgrade;
  const freeze = upgrade.gate.predicted_freeze_ms;
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
            Writes are held for a moment
            {freeze ? (
              <>
                , expected <b>{Math.round(freeze)} ms</b>
              </>
            ) : null}
            ; the last changes cross; the two namespaces are compared; then {to} is served. {from} stays in step, so you
            can go back.
          </p>
        ),
      };
    case "rollback":
      return {
        action,
        title: `Go back to ${from}`,
        button: "Go back",
        danger: true,
        typed: true,
        comment: "none",
        text: (
          <p>
            {from} is served again. Every write made since the switch was copied back, so nothing is lost; writes are
            held for a moment while the last ones cross.
          </p>
        ),
      };
    case "complete":
      return {
        action,
        title: "Close the way back",
        button: "Finish",
        danger: true,
        typed: true,
        comment: "none",
        text: (
          <p>
            {to} stays. The copy into {from} ends, so afterwards going back would need a new upgrade.
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
            {from} goes on being served, as now. What was copied for {to} is no longer followed.
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
        text: (
          <p>
            The people who may decide see the evidence of this moment. If it changes, their votes are void and they are
            asked again.
          </p>
        ),
      };
    case "extend":
      return {
        action,
        title: "Keep the way back open",
        button: "Move the end",
        danger: false,
        typed: false,
        comment: "none",
        hours: 168,
        unrehearsed: true,
        text: (
          <p>
            Until its end every write is copied back into {from}, so that going back loses nothing. It costs a second
            copy of each write.
          </p>
        ),
      };
    case "throttle":
      return {
        action,
        title: "Hold the copy to a rate",
        button: "Set the bound",
        danger: false,
        typed: false,
        comment: "none",
        limit: upgrade.copy_limit ?? 0,
        unrehearsed: true,
        text: (
          <p>
            The copy takes at most so many resources a second, shared by the shards that still copy. Live writes are
            followed as fast as ever, and the copy still rests by itself when the database is busy.
          </p>
        ),
      };
    case "break-glass":
      return {
        action,
        title: "Break the glass",
        button: "Go on without the votes",
        danger: true,
        typed: true,
        comment: "required",
        shortest: 20,
        ticket: "required",
        unrehearsed: true,
        text: (
          <p>
            The {upgrade.state === "REVERSIBLE" ? "way back" : "switch"} may then go on without its votes; every other
            check stays. It is written into the activity, everybody who follows approvals is told, and somebody else has
            to review it before you can do it again.
          </p>
        ),
      };
    case "settle":
      return {
        action,
        title: "Settle this upgrade",
        button: "Settle",
        danger: true,
        typed: true,
        comment: "required",
        text: (
          <p>
            The upgrade halted because it was uncertain which version owns the data. Look at the fence first: settling
            takes what the data database says as the truth and lets the work go on from there.
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
    text: <p>The dry run below says what follows from it.</p>,
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
  rollback: "Go back…",
  complete: "Finish early…",
  extend: "Move the end…",
  settle: "Settle…",
  "break-glass": "Break the glass…",
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
