import { expect, it } from "vitest";
import { withoutNewRows } from "./NewRows";

const same = (one: string, other: string): boolean => one === other;

it("holds what came in above the first row, and lets older rows follow below", () => {
  expect(withoutNewRows(["d", "c", "b", "a"], "b", same)).toEqual({ fresh: ["d", "c"], shown: ["b", "a"] });
  expect(withoutNewRows(["b", "a", "z"], "b", same)).toEqual({ fresh: [], shown: ["b", "a", "z"] });
});

it("shows everything when the first row is gone, or none was shown yet", () => {
  expect(withoutNewRows(["d"], "b", same)).toEqual({ fresh: [], shown: ["d"] });
  expect(withoutNewRows(["d"], undefined, same)).toEqual({ fresh: [], shown: ["d"] });
});
