import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useLocation } from "react-router";
import { useKeys } from "../../parts/keyboard/keys";

/** What somebody came to do, by key; nothing is done by it, only reached. */
export type Decision = "approve" | "reject";

/** `a` reaches the button that approves, `r` the comment that a rejection needs; also when the list was left by one of them. */
export function useShortcut(): RefObject<HTMLDivElement | null> {
  const card = useRef<HTMLDivElement>(null);
  const state = useLocation().state as { decision?: Decision } | null;
  const reach = useCallback((decision: Decision): void => {
    const target =
      decision === "approve"
        ? card.current?.querySelector<HTMLElement>("[data-decision=approve] button")
        : card.current?.querySelector<HTMLElement>("textarea");
    target?.focus();
    target?.scrollIntoView({ block: "center" });
  }, []);
  useEffect(() => {
    const decision = state?.decision;
    if (!decision) return;
    // A page that was opened takes the focus to its heading first.
    const later = setTimeout(() => reach(decision));
    return () => clearTimeout(later);
  }, [reach, state]);
  useKeys({ a: () => reach("approve"), r: () => reach("reject") });
  return card;
}
