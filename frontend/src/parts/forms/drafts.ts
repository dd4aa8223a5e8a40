import { createStore } from "../../state/store";

export interface Draft {
  title: string;
  /** The address of the form as it was left, without its path. */
  query: string;
  at: string;
  /** Which form it belongs to; plans of one deployment where nothing is said. */
  form?: "rollout";
}

const MOST = 20;

/** Plans that were begun and not created, newest first; remembered in this browser. */
export const drafts = createStore<Draft[]>([], "switchyard.plan-drafts");

export function queryOf(values: Record<string, string>): string {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString();
}

/** What a draft is about: one of the same takes its place. */
function about(query: string): string {
  const said = new URLSearchParams(query);
  return said.get("deployment") ?? `${said.get("target") ?? ""} ${said.get("waves") ?? ""}`;
}

/** A draft of the same deployment takes the place of the one before. */
export function withDraft(kept: readonly Draft[], draft: Draft): Draft[] {
  return [draft, ...kept.filter((each) => about(each.query) !== about(draft.query))].slice(0, MOST);
}

export function keep(draft: Draft): void {
  drafts.set((before) => withDraft(before, draft));
}

/** Leave out the draft of the deployment that a form is about. */
export function withoutDraft(kept: readonly Draft[], query: string): Draft[] {
  return kept.filter((each) => about(each.query) !== about(query));
}

export function discard(query: string): void {
  drafts.set((before) => withoutDraft(before, query));
}
