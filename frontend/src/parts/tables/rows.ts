import { useEffect, useRef, type RefObject } from "react";
import { useLocation, useNavigate } from "react-router";
import { useKeys } from "../keyboard/keys";
import { createStore } from "../../state/store";

/** The addresses of the list that something was last opened from, in its order. */
const opened = createStore<readonly string[]>([]);

/** `j` and `k` walk the links of a list's rows, `x` marks the row in focus where rows can be marked; Enter opens by itself. */
export function useRows(): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  const links = (): HTMLAnchorElement[] => [...(body.current?.querySelectorAll<HTMLAnchorElement>("[data-row]") ?? [])];
  const step = (by: number): void => {
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLAnchorElement);
    all[Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
  };
  const mark = (): void =>
    document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  useKeys({ j: () => step(1), k: () => step(-1), x: mark });
  useEffect(() => {
    const remember = (event: MouseEvent): void => {
      const all = links();
      if (all.some((link) => link.contains(event.target as Node))) opened.set(all.map((link) => link.pathname));
    };
    document.addEventListener("click", remember, true);
    return () => document.removeEventListener("click", remember, true);
  }, []);
  return body;
}

/** The address before or after one in a list; null at its ends and outside it. */
export function beside(list: readonly string[], here: string, by: 1 | -1): string | null {
  const at = list.indexOf(here);
  return at < 0 ? null : (list[at + by] ?? null);
}

/** `[` and `]` go to the item before or after this one, in the list it was opened from. */
export function useNeighbours(): void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const go = (by: 1 | -1): void => {
    const to = beside(opened.get(), pathname, by);
    if (to) void navigate(to);
  };
  useKeys({ "[": () => go(-1), "]": () => go(1) });
}
