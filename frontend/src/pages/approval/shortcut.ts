import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useLocation } from "react-router";
import { useKeys } from "../../parts/keys";

/** What somebody came to do, by key; nothing is done by it, only reached. */
export type Deed = "approve" | "reject";

/** `a` reaches the button that approves, `r` the comment that a rejection needs; also when the list was left by one of them. */
export function useShortcut(): RefObject<HTMLDivElement | null> {
  const card = useRef<HTMLDivElement>(null);
  const state = useLocation().state as { dialog?: Deed } | null;
  const reach = useCallback((pendingAction: Deed): void => {
    const result =
      pendingAction === "approve"
        ? card.current?.querySelector<HTMLElement>("[data-deed=approve] button")
        : card.current?.querySelector<HTMLElement>("textarea");
    result?.focus();
    result?.scrollIntoView({ block: "center" });
  }, []);
  useEffect(() => {
    const operation = state?.dialog;
    if (!operation) return;
    // A page that was opened takes the focus to its heading first.
    const later = setTimeout(() => reach(operation));
    return () => clearTimeout(later);
  }, [reach, state]);
  useKeys({ a: () => reach("approve"), r: () => reach("reject") });
  return card;
}
