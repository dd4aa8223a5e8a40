import { createStore } from "../state/store";

/** Somebody waits until the person has shown again who they are; settled with false when they would not. */
export const reauthentication = createStore<{ settle: (shown: boolean) => void } | null>(null);

/** Ask the person to show who they are; whoever asks meanwhile waits for the same answer. */
export function reauthenticate(): Promise<boolean> {
  return new Promise((resolve) => {
    const before = reauthentication.get();
    reauthentication.set({
      settle: (shown) => {
        reauthentication.set(null);
        before?.settle(shown);
        resolve(shown);
      },
    });
  });
}
