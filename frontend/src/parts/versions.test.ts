import { expect, it } from "vitest";
import { byAge } from "./versions";

it("orders versions as an API grows up", () => {
  expect(["v2", "v1", "v1alpha10", "v2alpha1", "v1beta1", "v1alpha2"].sort(byAge)).toEqual([
    "v1alpha2",
    "v1alpha10",
    "v1beta1",
    "v1",
    "v2alpha1",
    "v2",
  ]);
});
