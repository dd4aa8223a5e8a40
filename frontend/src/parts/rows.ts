import { useRef, type RefObject } from "react";
import { useKeys } from "../shell/keys";

/** `j` and `k` walk the links of a list's rows; Enter then opens the one in focus by itself. */
export function useRows(): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  const step = (by: number): void => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  return body;
}
