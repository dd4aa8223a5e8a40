import { focusManager } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { live } from "./stream";

afterEach(() => live.pause(false));

it("lets nothing ask again by itself while changes are held", () => {
  expect(focusManager.isFocused()).toBe(true);
  live.pause(true);
  expect(focusManager.isFocused()).toBe(false);
  live.pause(false);
  expect(focusManager.isFocused()).toBe(true);
});
