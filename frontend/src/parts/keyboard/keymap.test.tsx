import { expect, it } from "vitest";
import { isTyping, KeyReader } from "./keymap";

it("reads g then f as one command", () => {
  const reader = new KeyReader();
  expect([reader.read("g", 0), reader.read("f", 500)]).toEqual(["g", "g f"]);
});

it("forgets the first key after a while", () => {
  const reader = new KeyReader();
  reader.read("g", 0);
  expect(reader.read("f", 2000)).toBe("f");
});

it("leaves fields alone", () => {
  expect(isTyping(document.createElement("input"))).toBe(true);
  expect(isTyping(document.createElement("button"))).toBe(false);
});
