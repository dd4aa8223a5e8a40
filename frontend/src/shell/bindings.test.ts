import { expect, it } from "vitest";
import { jumps } from "../parts/keyboard/keymap";
import { bindings } from "./bindings";

it("gives each key one meaning in one place", () => {
  const places = bindings.map((binding) => `${binding.where} ${binding.keys}`);
  expect(new Set(places).size).toBe(places.length);
});

it("lists every key that leads to a page", () => {
  const listed = bindings.map((binding) => binding.keys);
  expect(Object.keys(jumps).filter((keys) => !listed.includes(keys))).toEqual([]);
});
