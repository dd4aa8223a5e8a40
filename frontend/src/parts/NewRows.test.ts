import { expect, it } from "vitest";
import { hold } from "./NewRows";

const same = (one: string, other: string): boolean => one === other;

it("holds what came in above the first row, and lets older rows follow below", () => {
  expect(hold(["d", "c", "b", "a"], "b", same)).toEqual({ fresh: ["d", "c"], shown: ["b", "a"] });
  expect(hold(["b", "a", "z"], "b", same)).toEqual({ fresh: [], shown: ["b", "a", "z"] });
});

it("shows everything when the first row is gone, or none was shown yet", () => {
  expect(hold(["d"], "b", same)).toEqual({ fresh: [], shown: ["d"] });
  expect(hold(["d"], undefined, same)).toEqual({ fresh: [], shown: ["d"] });
});
