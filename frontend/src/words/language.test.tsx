import { afterEach, expect, it } from "vitest";
import { ensureLanguageTag } from "./language";

const named = (language: string) =>
  Object.defineProperty(navigator, "language", { value: language, configurable: true });

afterEach(() => {
  Reflect.deleteProperty(navigator, "language");
});

it("loads the charts where the browser names a language that is no tag", async () => {
  named("en-US@posix");
  expect(() => new Intl.NumberFormat(navigator.language)).toThrow(RangeError);
  ensureLanguageTag(navigator);
  expect(navigator.language).toBe("en-GB");
  expect((await import("uplot")).default).toBeTypeOf("function");
});

it("keeps the language that a browser names", () => {
  named("de-AT");
  ensureLanguageTag(navigator);
  expect(navigator.language).toBe("de-AT");
});
