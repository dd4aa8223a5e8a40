import { createStore } from "./store";

/** What is read to people who listen: when they have a moment, and at once. */
export const polite = createStore("");
export const urgent = createStore("");
const EVERY_MS = 5000;
let saidAt = 0;
let waiting: ReturnType<typeof setTimeout> | null = null;

/** Tell people who listen instead of look; at most one sentence in five seconds, the newest wins. */
export function announce(sentence: string): void {
  if (waiting) clearTimeout(waiting);
  // A clock that was set back must not silence what comes after it.
  const delay = Math.min(EVERY_MS, Math.max(0, saidAt + EVERY_MS - Date.now()));
  waiting = setTimeout(() => {
    saidAt = Date.now();
    waiting = null;
    polite.set(sentence);
  }, delay);
}

export function alert(sentence: string): void {
  urgent.set(sentence);
}
