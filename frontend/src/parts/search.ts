import { useLayoutEffect, useRef } from "react";
import { useSearchParams } from "react-router";

/** The parameters that were asked for and that the address does not show yet: the router changes it later. */
let requested: URLSearchParams | null = null;

/** A value of the address where it is one of the choices; any other, or none, stands for the usual one. */
export function choiceOf<C extends string>(value: string | null, choices: readonly C[], usual: C): C {
  return choices.find((each) => each === value) ?? usual;
}

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
  const shown = useRef(search);
  useLayoutEffect(() => {
    shown.current = search;
    requested = null;
  }, [search]);
  const put = (changes: [string, string][]): void => {
    // Two changes at once are both kept: the second is based on the first, not on what is shown.
    const next = new URLSearchParams(requested ?? shown.current);
    for (const [name, value] of changes) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    requested = next;
    setSearch(next, { replace: true });
  };
  return {
    filters,
    set: (name, value) => put([[name, value]]),
    put,
    clear: () => put(names.map((name) => [name, ""])),
    any: names.some((name) => filters[name] !== ""),
  };
}
