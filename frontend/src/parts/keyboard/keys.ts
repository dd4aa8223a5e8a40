import { useEffect, useLayoutEffect, useRef } from "react";
import { createStore } from "../../state/store";
import { isTyping, KeyReader } from "./keymap";

/** Single-letter keys can be turned off, for people who speak to their computer. */
export const letterKeys = createStore(true, "switchyard.letter-keys");

type Actions = Record<string, () => void>;

const stack: { current: Actions }[] = [];
const reader = new KeyReader();

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key.length !== 1 || !letterKeys.get()) return;
  if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
  const name = reader.read(event.key, Date.now());
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const run = stack[at]?.current[name];
    if (run) {
      event.preventDefault();
      run();
      return;
    }
  }
}

/** The keys of a page while it is shown; the newest page is asked first. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  // In the commit, not after it: a key may come between the two, and would act on what was shown before.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    stack.push(latest);
    if (stack.length === 1) document.addEventListener("keydown", onKey);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
      if (stack.length === 0) document.removeEventListener("keydown", onKey);
    };
  }, []);
}
