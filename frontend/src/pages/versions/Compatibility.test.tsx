import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { byWeight, CompatibilityCard, type Compatibility, type Finding } from "./Compatibility";

const finding = (more: Partial<Finding>): Finding => ({
  rule: "key-added", weight: "ordered", path: "Secret.region", where: "request", before: "unknown", after: "optional", order: "server first",
  reasons: [], losing_updates: [], handled: false, advice: "Deploy the server first.", ...more,
});
const report: Compatibility = {
  verdict: "breaking",
  sentence: "v1alpha2 → v1: one difference would break clients or servers.",
  findings: [finding({}), finding({ rule: "pattern-removed", weight: "break", path: "Secret", where: "", losing_updates: ["PUT replace"] })],
  losses: [{ way: "v1 → v1alpha2", path: "Secret.region", op: "added", kept: "bag" }],
};

it("tells the verdict, every difference and what is kept out of sight", async () => {
  serve({ "GET /services/secrets.example.com/compatibility": report });
  show(<CompatibilityCard service="secrets.example.com" versions={["v1alpha2", "v1"]} />);
  expect(await screen.findByText(/one difference would break/)).toBeTruthy();
  expect(screen.getByText("pattern removed")).toBeTruthy();
  expect(screen.getByText("Lost by PUT replace")).toBeTruthy();
  expect(screen.getByText(/nothing is lost/)).toBeTruthy();
});

it("does not show for a service with one version", () => {
  show(<CompatibilityCard service="iam.example.com" versions={["v1"]} />);
  expect(screen.queryByText("Compatibility")).toBeNull();
});

it("puts what is not handled and weighs most first", () => {
  const found = byWeight([finding({ path: "c", weight: "break", handled: true }), finding({ path: "b", weight: "note" }), finding({ path: "a", weight: "staged" })]);
  expect(found.map((each) => each.path)).toEqual(["a", "b", "c"]);
});
