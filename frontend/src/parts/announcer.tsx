import { createStore, useStore } from "../state/store";

const polite = createStore("");
const urgent = createStore("");
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

export function Announcer() {
  return (
    <>
      <div className="unseen" role="status" aria-live="polite">
        {useStore(polite)}
      </div>
      <div className="unseen" role="alert">
        {useStore(urgent)}
      </div>
    </>
  );
}
