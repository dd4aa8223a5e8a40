import type { Approval, Check } from "../../wire/model";
import { plural, t } from "../../words/text";

/** That votes are still missing is no evidence for the person who is about to vote. */
export function aboutTheData(checks: readonly Check[]): Check[] {
  return checks.filter((check) => !check.check.startsWith("approval"));
}

/** How many votes count: not the void ones. */
function receivedOf({ votes }: Pick<Approval, "votes">): number {
  return votes.filter((vote) => !vote.void_reason && /^approve/i.test(vote.verdict)).length;
}

/** `1 of 2`. */
export function votesText(approval: Pick<Approval, "votes" | "needed">): string {
  return t`${receivedOf(approval)} of ${approval.needed}`;
}

/** `0 of 1 approval`, `1 of 2 approvals`. */
export function approvalsText(received: number, needed: number): string {
  return t`${received} of ${plural(needed, "# approval", "# approvals")}`;
}

/** The same of a request, as a sentence says it. */
export function givenText(approval: Pick<Approval, "votes" | "needed">): string {
  return approvalsText(receivedOf(approval), approval.needed);
}

/** Where a request is decided: on the run sheet of its upgrade. */
export function requestAddress(of: Pick<Approval, "id" | "upgrade_id">): string {
  return `/upgrades/${of.upgrade_id}?request=${of.id}#request`;
}

/** The request still waits for a vote, or for an answer to what a voter asked for. */
export function isPending(request: Pick<Approval, "state">): boolean {
  return request.state === "OPEN" || request.state === "CHANGES";
}
