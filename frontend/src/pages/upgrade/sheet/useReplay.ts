import { useEffect, useRef, useState } from "react";
import { useFilters } from "../../../parts/search";

/** Browsers refuse an address that changes with each move of a slider: it follows once the slider rests. */
export const REST_MS = 300;

/** The moment that the run sheet shows, in the address as `?at=`; null: now. */
export function useReplay(): { at: number | null; setAt: (at: number | null) => void } {
  const { filters, set } = useFilters(["at"]);
  /** Where the slider was moved to; null: the moment that the address names. */
  const [moved, setMoved] = useState<{ to: number | null } | null>(null);
  const requested = useRef(filters.at);
  useEffect(() => {
    if (!moved) return;
    const timer = setTimeout(() => {
      requested.current = moved.to === null ? "" : new Date(moved.to).toISOString();
      set("at", requested.current);
    }, REST_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `set` is another function with each address
  }, [moved]);
  useEffect(() => {
    // A link, or the button *Back* of the browser.
    if (filters.at !== requested.current) setMoved(null);
    requested.current = filters.at;
  }, [filters.at]);
  const named = Date.parse(filters.at);
  return {
    at: moved ? moved.to : Number.isNaN(named) ? null : named,
    setAt: (to) => setMoved({ to }),
  };
}
