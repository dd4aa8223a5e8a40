import { useSearchParams } from "react-router";

/** Filters live in the address, so that a list can be shared and the back button works. */
export function useFilters<K extends string>(
  names: readonly K[],
): {
  filters: Record<K, string>;
  set: (name: K, value: string) => void;
  put: (changes: [K, string][]) => void;
  clear: () => void;
  any: boolean;
} {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<K, string>;
  const put = (changes: [string, string][]): void =>
    setSearch(
      (before) => {
        for (const [name, value] of changes) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return {
    filters,
    set: (name, value) => put([[name, value]]),
    put,
    clear: () => put(names.map((name) => [name, ""])),
    any: names.some((name) => filters[name] !== ""),
  };
}
