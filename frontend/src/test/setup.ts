import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { resetStores } from "../state/store";

configure({ asyncUtilTimeout: 30_000 });

// jsdom has no layout: these three are what Mantine asks a browser for.
class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver = Observer;
// jsdom draws nothing: a canvas there has no context.
HTMLCanvasElement.prototype.getContext = () => null;
Element.prototype.scrollIntoView = () => undefined;
Object.defineProperty(window, "matchMedia", {
  configurable: true,
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }),
});

Object.defineProperty(document, "fonts", {
  configurable: true,
  value: { addEventListener: () => undefined, removeEventListener: () => undefined, ready: Promise.resolve() },
});

afterEach(() => {
  cleanup();
  resetStores();
  localStorage.clear();
});
