import type { Approval, Check } from "../../wire/model";
import { t } from "../../words/text";

/** That votes are still missing is no evidence for the person who is about to vote. */
export function aboutTheData(checks: readonly Check[]): Check[] {
  return checks.filter((check) => !check.check.startsWith("approval"));
}

/** `1 of 2`: only votes that count, not the void ones. */
export function votesText(approval: Pick<Approval, "votes" | "needed">): string {
  const received = approval.votes.filter((vote) => !vote.void_reason && /^approve/i.test(vote.verdict)).length;
  return t`${received} of ${approval.needed}`;
}
