import { useFilters } from "../../../parts/search";

/** The moment that the run sheet shows, in the address as `?at=`; null: now. */
export function useReplay(): { at: number | null; setAt: (at: number | null) => void } {
  const { filters, set } = useFilters(["at"]);
  const at = Date.parse(filters.at);
  return {
    at: Number.isNaN(at) ? null : at,
    setAt: (moment) => set("at", moment === null ? "" : new Date(moment).toISOString()),
  };
}
