import { createStore } from "../../state/store";

const MOST = 8;

/** What this browser looked at lately, and what it keeps a star for. */
export const recent = createStore<string[]>([], "switchyard.references.recent");
export const starred = createStore<string[]>([], "switchyard.references.starred");

export function remember(name: string): void {
  recent.set((before) =>
    before[0] === name ? before : [name, ...before.filter((each) => each !== name)].slice(0, MOST),
  );
}

export function toggleStar(name: string): void {
  starred.set((before) => (before.includes(name) ? before.filter((each) => each !== name) : [...before, name]));
}
