import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import { VersionMatrix } from "../Matrix";
import { anchor, beyond, byWeight, coverage, type Finding, html, meets, type Report } from "./report";
import { HowToPage } from "../HowTo";
import { ReportPage } from "./ReportPage";

const finding = (more: Partial<Finding>): Finding => ({
  rule: "key-added",
  weight: "ordered",
  classes: ["JSON"],
  buf: [],
  path: "Secret.region",
  where: "request",
  before: "unknown",
  after: "optional",
  order: "server first",
  plan: [],
  transform: "",
  reasons: [],
  losing_updates: [],
  handled: false,
  advice: "Deploy the server first.",
  ...more,
});
const report: Report = {
  service: "secrets.example.com",
  before: "v1alpha2",
  after: "v1",
  client: "filter",
  server: "strict",
  policy: "no-loss",
  counts: {},
  classes: {},
  buf: {},
  verdict: "breaking",
  to_accept: 1,
  sentence: "v1alpha2 → v1: one difference would break clients or servers.",
  findings: [
    finding({ handled: true }),
    finding({ rule: "pattern-removed", weight: "break", path: "Secret", where: "", losing_updates: ["PUT replace"] }),
  ],
  losses: [
    { way: "v1 → v1alpha2", path: "Secret.region", op: "added", kept: "bag" },
    { way: "v1 → v1alpha2", path: "Secret names", op: "resourceName", kept: "hidden", waiver: null },
  ],
};
const routes = (
  <Routes>
    <Route path="/compat/:service/:range" element={<ReportPage />} />
  </Routes>
);
const answers = {
  "GET /services/secrets.example.com/compatibility": report,
  "GET /services/secrets.example.com/compatibility/removedFields": { items: [], next_cursor: null, has_more: false },
  "GET /fleet": { regions: [], services: [], cells: [] },
  "GET /services/secrets.example.com": {
    imported_by: [
      { service: "apps.example.com", for_version: "v1", version: "v1alpha2" },
      { service: "shops.example.com", for_version: "v1", version: "v1" },
    ],
  },
};

it("tells the verdict, every difference, what is kept out of sight and who is affected", async () => {
  serve(answers);
  show(routes, "/compat/secrets.example.com/v1alpha2..v1");
  expect(await screen.findByText(/one difference would break/)).toBeTruthy();
  expect(screen.getByText("pattern removed")).toBeTruthy();
  expect(screen.getByText("Lost by PUT that replaces")).toBeTruthy();
  expect(screen.getByText(/preserved, not shown/)).toBeTruthy();
  expect(screen.getByText("1 of 2 handled by conversions")).toBeTruthy();
  expect(screen.getByRole("link", { name: "SARIF" }).getAttribute("href")).toBe(
    "/api/v1/services/secrets.example.com/compatibility?before=v1alpha2&after=v1&client=filter&server=strict&policy=no-loss&as=sarif",
  );
  expect(screen.getByText("1 finding waits to be accepted")).toBeTruthy();
  expect(screen.getByRole("button", { name: /Accept/ }).getAttribute("aria-disabled")).toBe("true");
  expect(await screen.findByText(/apps.example.com/)).toBeTruthy();
  expect(screen.queryByText(/shops.example.com/)).toBeNull();
});

it("names importers by their version and where it is served, and clients by their calls", async () => {
  const cell = (service: string, region: string, version: string): object => ({
    service,
    region,
    name: `services/${service}/deployments/${region}`,
    current_version: version,
  });
  serve({
    ...answers,
    "GET /fleet": {
      regions: [],
      services: [],
      cells: [
        cell("apps.example.com", "eu-1", "v1"),
        cell("apps.example.com", "us-1", "v2"),
        cell("secrets.example.com", "eu-1", "v1alpha2"),
      ],
    },
    "GET /services/secrets.example.com/usage": {
      service: "secrets.example.com",
      days: 35,
      since: "2026-01-01",
      uncounted: 0,
      versions: [
        {
          version: "v1alpha2",
          messages: 9,
          last_seen: "2026-01-02T00:00:00Z",
          clients: [
            {
              client: "billing",
              release: "2.1",
              messages: 9,
              first_seen: "2026-01-01T00:00:00Z",
              last_seen: "2026-01-02T00:00:00Z",
              methods: [
                { method: "Secret.get", messages: 7 },
                { method: "Secret.list", messages: 2 },
              ],
            },
          ],
        },
      ],
    },
  });
  show(routes, "/compat/secrets.example.com/v1alpha2..v1");
  const importers = await screen.findByRole("region", { name: "Importers" });
  expect(
    within(importers)
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(["apps.example.comv1eu-1"]);
  const clients = await screen.findByRole("region", { name: "Clients" });
  expect(
    within(clients)
      .getAllByRole("cell")
      .map((each) => each.textContent)
      .slice(0, 1),
  ).toEqual(["9"]);
  expect(within(clients).getByRole("rowheader").textContent).toBe("billing 2.1");
});

it("counts the differences by class, and leaves those of the chosen one", async () => {
  serve({
    ...answers,
    "GET /services/secrets.example.com/compatibility": {
      ...report,
      findings: [
        finding({ rule: "number-reused", classes: ["wire"], path: "Secret.size" }),
        finding({ rule: "default-changed", classes: ["semantic"], path: "Secret.mode" }),
        finding({ path: "Secret.region" }),
      ],
    },
  });
  show(routes, "/compat/secrets.example.com/v1alpha2..v1");
  const group = await screen.findByRole("group", { name: "Classes of differences" });
  expect([...group.children].map((each) => each.textContent)).toEqual(["1 wire", "1 JSON", "0 source", "1 semantic"]);
  await userEvent.click(screen.getByRole("button", { name: "1 wire" }));
  expect(screen.getByText("Secret.size")).toBeTruthy();
  expect(screen.queryByText("Secret.mode")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "0 source" }));
  expect(screen.getByText("No difference is of the class source.")).toBeTruthy();
});

it("counts the differences by Buf's category, beside the class", async () => {
  serve({
    ...answers,
    "GET /services/secrets.example.com/compatibility": {
      ...report,
      findings: [
        finding({ classes: ["wire", "JSON"], buf: ["FILE", "PACKAGE", "WIRE_JSON"], path: "Secret.size" }),
        finding({ buf: ["FILE", "PACKAGE"], path: "Secret.mode" }),
        finding({ path: "Secret.region" }),
      ],
    },
  });
  show(routes, "/compat/secrets.example.com/v1alpha2..v1?class=wire&buf=FILE");
  const group = await screen.findByRole("group", { name: "Categories of Buf" });
  expect([...group.children].map((each) => each.textContent)).toEqual(["2 FILE", "2 PACKAGE", "1 WIRE_JSON", "0 WIRE"]);
  expect(screen.getByText("wire, JSON; Buf FILE, PACKAGE, WIRE_JSON")).toBeTruthy();
  expect(screen.queryByText("Secret.mode")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "0 WIRE" }));
  expect(screen.getByText("No difference is of the class wire and Buf's category WIRE.")).toBeTruthy();
});

it("says what only one of two reports finds, and gives the report as a page", () => {
  const older: Report = { ...report, findings: [finding({}), finding({ path: "Secret.title" })] };
  expect([beyond(report, older).map((each) => each.path), beyond(older, report).map((each) => each.path)]).toEqual([
    ["Secret"],
    ["Secret.title"],
  ]);
  const page = html({ ...report, sentence: "a < b" });
  expect(page).toContain("a &lt; b");
  expect(page.match(/<tr><td>/g)).toHaveLength(4);
  expect(page).toContain("<td>key added</td><td>JSON</td>");
});

it("leaves the differences that one client meets by what it was seen to use", async () => {
  const client = {
    client: "billing",
    release: "1",
    messages: 3,
    first_seen: "2026-02-01T00:00:00Z",
    last_seen: "2026-03-01T00:00:00Z",
    methods: [{ method: "Secret.create", messages: 3 }],
  };
  const states = { absent: 0, null: 0, empty: 0, value: 3 };
  serve({
    ...answers,
    "GET /services/secrets.example.com/compatibility": {
      ...report,
      findings: [finding({}), finding({ path: "Secret.owner" }), finding({ path: "Grant.member" })],
    },
    "GET /services/secrets.example.com/usage": {
      days: 35,
      versions: [{ version: "v1alpha2", messages: 3, last_seen: "2026-03-01T00:00:00Z", clients: [client] }],
    },
    "GET /services/secrets.example.com/usage/keys": {
      items: [{ method: "Secret.create", path: "owner", messages: 3, states }],
    },
  });
  show(routes, "/compat/secrets.example.com/v1alpha2..v1?consumer=billing");
  expect(await screen.findByText("Differences that billing meets: 1 of 3")).toBeTruthy();
  expect(screen.getByText("Secret.owner")).toBeTruthy();
  expect(meets({ path: "Secret" }, { types: new Set(["Secret"]), keys: new Set() })).toBe(true);
});

it("shows what handles a difference or could, to be copied, and the steps without it", async () => {
  const steps = ["Servers accept the key, present or not.", "Clients may send the key."];
  serve({
    ...answers,
    "GET /services/secrets.example.com/compatibility": {
      ...report,
      findings: [
        finding({
          path: "Secret.owner",
          handled: true,
          plan: steps,
          transform: "- wrap: {from: owner, to: owners}  # edges/a-b.yaml:7",
        }),
        finding({ path: "Secret.size", transform: "- removed: [size]" }),
      ],
    },
  });
  show(routes, "/compat/secrets.example.com/v1alpha2..v1");
  const handled = (await screen.findByText("Secret.owner")).closest("tr") as HTMLElement;
  expect(within(handled).getByText("- wrap: {from: owner, to: owners} # edges/a-b.yaml:7")).toBeTruthy();
  expect(within(handled).getByRole("button", { name: "Copy this transform" })).toBeTruthy();
  expect(
    within(handled)
      .getAllByRole("listitem", { hidden: true })
      .map((each) => each.textContent),
  ).toEqual(steps);
  expect(within(handled).getByText("Manual steps")).toBeTruthy();
  expect(screen.getByText("In a new version: - removed: [size]")).toBeTruthy();
  expect(screen.getByRole("link", { name: "How conversions are written" }).getAttribute("href")).toBe(
    "/versions/how-to",
  );
  expect(html({ ...report, findings: [finding({ transform: "- removed: [size]", plan: steps })] })).toContain(
    "<td>- removed: [size]</td><td>1. Servers accept the key, present or not. 2. Clients may send the key.</td>",
  );
});

it("tells in the console how a version is described", () => {
  serve({});
  show(<HowToPage />);
  expect(screen.getByText("Let the missing lines be proposed.")).toBeTruthy();
  expect(screen.getAllByRole("listitem")).toHaveLength(9);
  expect(screen.queryByText(/\]\(/)).toBeNull();
});

it("shows the finding that a link is about", async () => {
  serve(answers);
  show(routes, "/compat/secrets.example.com/v1alpha2..v1#secret-pattern-removed-");
  const row = (await screen.findByText("pattern removed")).closest("tr");
  expect(row?.classList.contains("meant")).toBe(true);
  expect(document.querySelectorAll(".meant")).toHaveLength(1);
});

it("asks for two different versions", async () => {
  serve(answers);
  show(routes, "/compat/secrets.example.com/v1..v1");
  expect(await screen.findByText("Choose two different versions.")).toBeTruthy();
});

it("shows a verdict for each pair of versions, and nothing for a service with one", async () => {
  serve(answers);
  show(<VersionMatrix service="secrets.example.com" versions={["v1alpha2", "v1"]} />);
  expect((await screen.findByLabelText("Report of v1alpha2 to v1: breaks")).getAttribute("href")).toBe(
    "/compat/secrets.example.com/v1alpha2..v1",
  );
  show(<VersionMatrix service="iam.example.com" versions={["v1"]} />);
  expect(screen.getAllByText("Compatibility")).toHaveLength(1);
});

it("puts what is not handled and weighs most first, and counts", () => {
  const found = byWeight([
    finding({ path: "c", weight: "break", handled: true }),
    finding({ path: "b", weight: "note" }),
    finding({ path: "a", weight: "staged" }),
  ]);
  expect(found.map((each) => each.path)).toEqual(["a", "b", "c"]);
  expect(coverage(found)).toEqual({ handled: 1, total: 3 });
  expect(anchor(finding({}))).toBe("secret-region-key-added-request");
});
