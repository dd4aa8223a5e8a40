import { cleanup, screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { type Finding, html, type Report, ruleText } from "../pages/versions/report/report";
import { ReportPage } from "../pages/versions/report/ReportPage";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

const NOTHING = { items: [], next_cursor: null, has_more: false };
const MISFIT = { key: "{emitted} does not fit {accepted}", values: { emitted: "i64", accepted: "i32" } };
const STEP = "Servers accept both forms.";
const finding = (more: Partial<Finding>): Finding => ({
  rule: "type-replaced",
  weight: "staged",
  classes: ["wire", "source"],
  buf: [],
  path: "Secret.size",
  where: "request",
  before: "",
  after: "",
  order: "staged",
  plan: [STEP],
  transform: "",
  reasons: ["i64 does not fit i32"],
  reason_phrases: [[MISFIT]],
  losing_updates: [],
  handled: false,
  advice: "Follow the plan; prove the precondition from evidence.",
  ...more,
});
const difference = { key: "{before} → {after}: nothing differs.", values: { before: "v1", after: "v2" } };
const report: Report = {
  service: "iam.example.com",
  before: "v1",
  after: "v2",
  client: "filter",
  server: "strict",
  policy: "no-loss",
  counts: {},
  classes: {},
  buf: {},
  verdict: "breaking",
  to_accept: 1,
  sentence: "v1 → v2: nothing differs.",
  phrases: [difference],
  findings: [
    finding({}),
    finding({
      rule: "key-removed",
      path: "Secret.owner",
      where: "response",
      before: "required",
      after: "unknown",
      reasons: [],
      reason_phrases: [],
      losing_updates: ["PUT replace", "merge patch"],
    }),
    finding({
      rule: "resource-removed",
      weight: "break",
      path: "Key",
      where: "",
      order: "client first",
      plan: [],
      waiver: null,
    }),
  ],
  losses: [{ way: "v2 → v1", path: "Secret.region", op: "added", kept: "bag" }],
};
const candidate = { path: "title", confidence: 0.8, reasons: ["the types fit"], reason_phrases: [] };

it("words the whole page of a compatibility report", async () => {
  serve({
    "GET /session": { account: null, providers: [], local_sign_in: "on" },
    "GET /services/iam.example.com/compatibility": report,
    "GET /services/iam.example.com/compatibility/lines": NOTHING,
    "GET /services/iam.example.com/compatibility/removedFields": {
      ...NOTHING,
      items: [{ source: "v1", target: "v2", type: "Role", path: "name", written: false, candidates: [candidate] }],
    },
    "GET /services/iam.example.com/usage/places": NOTHING,
    "GET /services/iam.example.com/usage": {
      service: "iam.example.com",
      days: 35,
      since: "2026-01-01",
      uncounted: 0,
      versions: [],
    },
    "GET /services/iam.example.com": { imported_by: [] },
    "GET /services/iam.example.com/schemas/v1": { schema: { types: {} } },
    "GET /services/iam.example.com/schemas/v2": { schema: { types: {} } },
    "GET /fleet": { regions: [], services: [], cells: [] },
  });
  show(
    <Routes>
      <Route path="/compat/:service/:range" element={<ReportPage />} />
    </Routes>,
    "/compat/iam.example.com/v1..v2",
  );
  await screen.findByText(/title/);
  await waitFor(() => expect(screen.getAllByText(new RegExp(pseudo("the types fit")))).toHaveLength(1));
  const worded = pseudo(MISFIT.key).replace("{emitted}", "i64").replace("{accepted}", "i32");
  expect(document.body.textContent).toContain(worded);
  expect(document.body.textContent).toContain(pseudo(STEP));
  expect(document.body.textContent).toContain(`${pseudo("required")} → ${pseudo("not there")}`);
  expect(document.body.textContent).toContain(pseudo("merge patch"));
  const served = "iam.example.com Secret.size Secret.owner i64 i32 Key Role.name v1 v2 Buf FILE PACKAGE WIRE_JSON WIRE";
  expect(outsideTexts(document.body, served)).toEqual([]);
  cleanup();
});

it("words the report that is kept as a page of its own", () => {
  const page = new DOMParser().parseFromString(html(report), "text/html");
  expect(page.body.textContent).toContain(ruleText("key-removed"));
  expect(page.body.textContent).not.toMatch(/key removed|required|nothing differs/);
});
