import { expect, it } from "vitest";
import { beside } from "./rows";

it("finds the item beside one, and none beyond the ends or outside the list", () => {
  const list = ["/a", "/b", "/c"];
  expect([
    beside(list, "/b", -1),
    beside(list, "/b", 1),
    beside(list, "/c", 1),
    beside(list, "/a", -1),
    beside(list, "/z", 1),
  ]).toEqual(["/a", "/c", null, null, null]);
});
