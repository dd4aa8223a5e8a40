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

it("orders dates after numbers, and what is no version first, as the registry does", () => {
  expect(["v20140601", "v3", "v20140601preview", "v1preview", "v1", "odd", "v20140101", "v1beta1"].sort(byAge)).toEqual(
    ["odd", "v1beta1", "v1preview", "v1", "v3", "v20140101", "v20140601preview", "v20140601"],
  );
});
