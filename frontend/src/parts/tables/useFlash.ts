import { useEffect, useRef, type RefObject } from "react";

/** Flash an element for a moment when its value changes under the reader's eyes. */
export function useFlash<T extends HTMLElement>(value: unknown): RefObject<T | null> {
  const element = useRef<T>(null);
  const before = useRef(value);
  useEffect(() => {
    if (Object.is(before.current, value)) return;
    before.current = value;
    const { current } = element;
    if (!current) return;
    current.classList.remove("flash");
    void current.offsetWidth;
    current.classList.add("flash");
  }, [value]);
  return element;
}
