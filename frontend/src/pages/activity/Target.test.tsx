import { expect, it } from "vitest";
import { targetLink } from "./Target";

const planned = { target_kind: "upgradesview", target: "/api/v1/upgrades", service: "iam", region: "eu-1" };

it("names a request that changed nothing by its deployment, and by its address where it has none", () => {
  expect(targetLink(planned)).toEqual({ name: "iam @ eu-1", to: "/d/iam/eu-1" });
  expect(targetLink({ ...planned, service: "", region: "" })).toEqual({ name: "/api/v1/upgrades", to: "" });
});
