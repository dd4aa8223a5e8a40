import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (next: T | ((before: T) => T)) => void;
  subscribe: (listener: () => void) => () => void;
}

const resets = new Set<() => void>();

/** Put every store back to what it was made with; tests, which share their modules, do so after each. */
export function resetStores(): void {
  for (const reset of resets) reset();
}

/** A value outside React that components can follow; with a key it is remembered in this browser. */
export function createStore<T>(initial: T, key?: string): Store<T> {
  const listeners = new Set<() => void>();
  let value = key ? recall(key, initial) : initial;
  const store: Store<T> = {
    get: () => value,
    set: (next) => {
      const after = typeof next === "function" ? (next as (before: T) => T)(value) : next;
      if (Object.is(after, value)) return;
      value = after;
      if (key) localStorage.setItem(key, JSON.stringify(after));
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  resets.add(() => store.set(() => initial));
  return store;
}

function recall<T>(key: string, initial: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
