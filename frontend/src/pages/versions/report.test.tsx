import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { VersionMatrix } from "./Matrix";
import { anchor, byWeight, coverage, type Finding, type Report, sarif } from "./report";
import { ReportPage } from "./ReportPage";

const finding = (more: Partial<Finding>): Finding => ({
  rule: "key-added", weight: "ordered", path: "Secret.region", where: "request", before: "unknown", after: "optional", order: "server first", plan: "",
  reasons: [], losing_updates: [], handled: false, advice: "Deploy the server first.", ...more,
});
const report: Report = {
  service: "secrets.example.com", before: "v1alpha2", after: "v1", client: "filter", server: "strict", policy: "no-loss", counts: {},
  verdict: "breaking", to_accept: 1,
  sentence: "v1alpha2 → v1: one difference would break clients or servers.",
  findings: [finding({ handled: true }), finding({ rule: "pattern-removed", weight: "break", path: "Secret", where: "", losing_updates: ["PUT replace"] })],
  losses: [{ way: "v1 → v1alpha2", path: "Secret.region", op: "added", kept: "bag" }, { way: "v1 → v1alpha2", path: "Secret names", op: "resourceName", kept: "hidden", waiver: null }],
};
const routes = <Routes><Route path="/compat/:service/:range" element={<ReportPage />} /></Routes>;
const answers = { "GET /services/secrets.example.com/compatibility": report, "GET /fleet": { regions: [], services: [], cells: [] }, "GET /services/secrets.example.com": { importers: ["apps.example.com"] } };

it("tells the verdict, every difference, what is kept out of sight and who is affected", async () => {
  serve(answers);
  show(routes, "/compat/secrets.example.com/v1alpha2..v1");
  expect(await screen.findByText(/one difference would break/)).toBeTruthy();
  expect(screen.getByText("pattern removed")).toBeTruthy();
  expect(screen.getByText("Lost by PUT replace")).toBeTruthy();
  expect(screen.getByText(/nothing is lost/)).toBeTruthy();
  expect(screen.getByText("1 of 2 handled by the conversions")).toBeTruthy();
  expect(screen.getByText("1 place waits to be accepted")).toBeTruthy();
  expect(screen.getByRole("button", { name: /Accept/ }).getAttribute("aria-disabled")).toBe("true");
  expect(await screen.findByText(/apps.example.com/)).toBeTruthy();
});

it("asks for two different versions", async () => {
  serve(answers);
  show(routes, "/compat/secrets.example.com/v1..v1");
  expect(await screen.findByText("Choose two different versions.")).toBeTruthy();
});

it("shows a verdict for each pair of versions, and nothing for a service with one", async () => {
  serve(answers);
  show(<VersionMatrix service="secrets.example.com" versions={["v1alpha2", "v1"]} />);
  expect((await screen.findByLabelText("Report of v1alpha2 to v1: breaks")).getAttribute("href")).toBe("/compat/secrets.example.com/v1alpha2..v1");
  show(<VersionMatrix service="iam.example.com" versions={["v1"]} />);
  expect(screen.getAllByText("Compatibility")).toHaveLength(1);
});

it("puts what is not handled and weighs most first, counts, and writes for other tools", () => {
  const found = byWeight([finding({ path: "c", weight: "break", handled: true }), finding({ path: "b", weight: "note" }), finding({ path: "a", weight: "staged" })]);
  expect(found.map((each) => each.path)).toEqual(["a", "b", "c"]);
  expect(coverage(found)).toEqual({ handled: 1, total: 3 });
  expect(anchor(finding({}))).toBe("secret-region-key-added-request");
  const runs = (sarif(report) as { runs: { results: { level: string }[] }[] }).runs;
  expect(runs[0]?.results.map((each) => each.level)).toEqual(["note", "error"]);
});
