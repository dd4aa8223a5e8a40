import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";
import { noteGone } from "../../api/build";

/** A part whose code is fetched after the first load; where it cannot be, only a reload brings it. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Fetched = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      noteGone();
      return { default: () => null };
    }
  }) as unknown as ComponentType<P>;
  return function Later(props: P) {
    return (
      <Suspense>
        <Fetched {...props} />
      </Suspense>
    );
  };
}

const AFTER_MS = 1000;

/** Becomes true once the page is there and the browser is idle: then what may be needed next is fetched. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let waiting = 0;
    const timer = setTimeout(() => {
      // Not every browser says when it is idle.
      if (typeof requestIdleCallback === "undefined") setIdle(true);
      else waiting = requestIdleCallback(() => setIdle(true), { timeout: 5000 });
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      if (waiting) cancelIdleCallback(waiting);
    };
  }, []);
  return isIdle;
}
