/** What a page asks by itself does not keep a session; what a person does within this time before it, does. */

const ACTIVE_MS = 60_000;
/** Who types for long without sending anything tells the server now and then. */
const TELL_EVERY_MS = 5 * 60_000;
const INPUTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

export const BACKGROUND_HEADER = "X-Background-Request";

let lastInput = Date.now();
let lastTold = Date.now();

/** Name a request as one that no person asked for, or note that one did. */
export function activityHeaders(): Record<string, string> {
  const now = Date.now();
  if (now - lastInput > ACTIVE_MS) return { [BACKGROUND_HEADER]: "true" };
  lastTold = now;
  return {};
}

/** Note what the person does; `tell` asks the server for anything when it has not heard of them for a while. */
export function watchActivity(tell: () => void): () => void {
  const onInput = (): void => {
    lastInput = Date.now();
    if (lastInput - lastTold <= TELL_EVERY_MS) return;
    lastTold = lastInput;
    tell();
  };
  for (const name of INPUTS) window.addEventListener(name, onInput, { capture: true, passive: true });
  return () => {
    for (const name of INPUTS) window.removeEventListener(name, onInput, { capture: true });
  };
}
