import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { waiver } from "../../../test/samples";
import { serve, show } from "../../../test/show";
import { ChangesPage } from "./ChangesPage";
import { changedTexts, type Decision, storedText } from "./Decisions";

const SERVICE = "shelves.example.com";
const decision: Decision = {
  version: "v1",
  rule: "key-removed",
  path: "Box.title",
  change: "optional → unknown (request)",
  verdict: "refused",
  reasons: ["1 of 1 stored resources hold it"],
  steps: ["server: optional→unknown"],
  phases: [
    {
      side: "client",
      action: "Clients stop sending it.",
      wait: "until it is proved unused",
      lacking: ["it was seen 3 times"],
    },
    { side: "server", action: "Servers no longer know it.", wait: "", lacking: [] },
  ],
  advice: "Deprecate it first.",
  places: ["Box.title"],
  stored: [{ kind: "holding", resources: 1, of: 1, looked_at: 1, by: "count", at_most: 1 }],
  senders: [{ client: "stock", release: "stock/1.4", messages: 3, last_seen_on: "2026-11-20" }],
  readers: [],
  receivers: [],
  newest_evidence: "2026-11-20",
  evidence_is_old: false,
  waiver: null,
};
const asked = waiver({
  id: "v1",
  service: SERVICE,
  before: "v1",
  after: "v1",
  path: "Box.title",
  reason: "Never shown.",
  until: "2027-01-01T00:00:00Z",
  decision,
});
const way = {
  way: "in-place",
  possible: true,
  cost: 13,
  client_deployments: 1,
  server_deployments: 3,
  data_tasks: 0,
  conversions: 0,
  open_conversions: 0,
  pros: ["One version to serve, document and retire."],
  cons: ["Clients must be deployed before it ends: stock."],
};
const advice = {
  recommended: "in-place",
  sentence: "Change it in place, in the steps of each decision: it costs 13, the other way 19.",
  ways: [way, { ...way, way: "new-version", cost: 19, pros: ["The switch can be rolled back."], cons: [] }],
};
const checked = { service: SERVICE, decisions: [decision], may_apply: false, warnings: [], changed: true, advice };
const rollout = {
  id: "d1",
  rev: 1,
  service: SERVICE,
  state: "RUNNING",
  reason: "",
  note: "The title becomes the label.",
  phase: 1,
  phases: [
    {
      side: "server",
      action: "Box.title: Servers stop sending it.",
      wait: "until every deployment serves that definition",
      fingerprint: "f1",
      state: "done",
      lacking: [],
      settled_at: "2026-11-20T00:00:00Z",
    },
    {
      side: "client",
      action: "Box.title: Clients stop sending it.",
      wait: "until it is proved unused",
      fingerprint: "",
      state: "current",
      lacking: ["v1/Box.title: still sent by stock"],
      settled_at: null,
    },
  ],
  created_by: "olga",
  created_at: "2026-11-20T00:00:00Z",
  started_by: "olga",
  checked_at: "2026-11-20T00:00:00Z",
  finished_at: null,
};
const routes = (
  <Routes>
    <Route path="/versions/:service/changes" element={<ChangesPage />} />
  </Routes>
);

function answers(person: string, permissions: string[]): Record<string, unknown> {
  return {
    "GET /session": { account: { name: person, roles: ["x"], permissions }, csrf_token: "" },
    [`GET /services/${SERVICE}/waivers`]: { items: [asked] },
    [`GET /services/${SERVICE}/definitionReviews`]: {
      items: [
        {
          fingerprint: "f2f2",
          against: "f1",
          outcome: "refused",
          by: "olga",
          at: "2026-11-20T00:00:00Z",
          decisions: [decision],
        },
      ],
    },
    "POST /services": checked,
    [`GET /services/${SERVICE}/definition-rollouts`]: { items: [rollout] },
    [`POST /services/${SERVICE}/definition-rollouts`]: rollout,
    "POST /definition-rollouts/d1/pause": { ...rollout, state: "PAUSED" },
    [`POST /services/${SERVICE}/changeWaivers`]: asked,
    "POST /waivers/v1/approve": { ...asked, state: "in-force" },
  };
}

function folder(name = "service.yaml"): File {
  const file = new File(["service: shelves"], name);
  Object.defineProperty(file, "webkitRelativePath", { value: `shelves/${name}` });
  return file;
}

it("checks a folder without applying it, and requests a waiver with the same files", async () => {
  const sent = serve(answers("olga", ["registry.read", "registry.write"]));
  show(routes, `/versions/${SERVICE}/changes`);
  await userEvent.upload(await screen.findByLabelText("Folder of the service"), folder());
  expect(await screen.findByText("1 decision is against this definition.")).toBeTruthy();
  const post = sent.find((each) => each.method === "POST");
  expect(post?.path).toBe("/services?dry_run=true");
  expect(post?.body).toEqual({ files: { "service.yaml": btoa("service: shelves") } });
  expect(screen.getByText(advice.sentence)).toBeTruthy();
  const ways = screen.getByRole("region", { name: "In place or a new version" });
  expect(within(ways).getByText("recommended").closest("th")?.textContent).toContain("In place");
  const table = within(screen.getAllByRole("region", { name: "Decisions" })[0] as HTMLElement).getByRole("table");
  // It is the reason already, and does not stand again among the evidence.
  expect(within(table).getAllByText("1 of 1 stored resources hold it")).toHaveLength(1);
  expect(within(table).getByText("Wait until it is proved unused.")).toBeTruthy();
  expect(within(table).getByText(/stock \(stock\/1.4\) 3 times/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Apply/ }).getAttribute("aria-disabled")).toBe("true");

  await userEvent.click(await within(table).findByRole("button", { name: "Accept…" }));
  await userEvent.type(await screen.findByLabelText(/Reason/), "Never shown.");
  await userEvent.type(screen.getByLabelText(/Until/), "2027-01-01T00:00");
  await userEvent.click(screen.getByRole("button", { name: "Ask for approval" }));
  const asked = sent.filter((each) => each.path.endsWith("/changeWaivers")).at(-1);
  expect(asked?.body).toMatchObject({
    version: "v1",
    rule: "key-removed",
    path: "Box.title",
    reason: "Never shown.",
    until: "2027-01-01T00:00:00Z",
    files: { "service.yaml": btoa("service: shelves") },
  });
});

it("starts a definition in phases by one click, and shows what the next phase waits for", async () => {
  const sent = serve(answers("olga", ["registry.read", "registry.write"]));
  show(routes, `/versions/${SERVICE}/changes`);
  await userEvent.upload(await screen.findByLabelText("Folder of the service"), folder());
  await userEvent.click(await screen.findByRole("button", { name: "Start in phases" }));
  expect(await screen.findByText("Started. Its phases are shown below.")).toBeTruthy();
  const started = sent.find((each) => each.method === "POST" && each.path.endsWith("/definition-rollouts"));
  expect(started?.body).toEqual({ files: { "service.yaml": btoa("service: shelves") }, start: true });
  expect(screen.getByText("v1/Box.title: still sent by stock")).toBeTruthy();
  expect(screen.getAllByText("Wait until it is proved unused.").length).toBeGreaterThan(0);
  await userEvent.click(screen.getByRole("button", { name: "Pause" }));
  expect(sent.some((each) => each.path === "/definition-rollouts/d1/pause")).toBe(true);
});

it("says that a folder is none of a service", async () => {
  serve(answers("olga", ["registry.read", "registry.write"]));
  show(routes, `/versions/${SERVICE}/changes`);
  await userEvent.upload(await screen.findByLabelText("Folder of the service"), folder("notes.txt"));
  expect(await screen.findByText(/has no service.yaml/)).toBeTruthy();
});

it("lets another person approve, and not the one who requested it", async () => {
  const sent = serve(answers("ann", ["registry.read", "approval.vote"]));
  show(routes, `/versions/${SERVICE}/changes`);
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  expect(sent.some((each) => each.path === "/waivers/v1/approve")).toBe(true);
  expect(screen.getByText(/2026-11-20|Nov/, { selector: "summary time" })).toBeTruthy();
});

it("refuses the approval of one's own request with the reason", async () => {
  serve(answers("olga", ["registry.read", "approval.vote"]));
  show(routes, `/versions/${SERVICE}/changes`);
  const button = await screen.findByRole("button", { name: /^Approve/ });
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

it("says how a count was taken", () => {
  const one = decision.stored[0];
  if (!one) throw new Error("no count");
  expect(storedText({ ...one, by: "sample", resources: 0, of: 90000, looked_at: 10000, at_most: 27 })).toBe(
    "at most 27 (95 % confidence) of 90000 stored resources hold it; a sample of 10000 was read",
  );
});

it("says what changes in words of the console, once where requests and responses are alike", () => {
  const side = { before: "optional", after: "unknown", reasons: ["AES128 is not among the values"] };
  const sides = [
    { ...side, where: "request" },
    { ...side, where: "response", before: "required" },
    { ...side, where: "response" },
  ];
  expect(changedTexts({ ...decision, sides })).toEqual([
    "optional → not there (request, response)",
    "required → not there (response)",
    "AES128 is not among the values",
  ]);
  expect(changedTexts(decision)).toEqual(["optional → unknown (request)"]);
});

it("lets who requested a waiver withdraw it, and says who ended one", async () => {
  const ended = { ...asked, id: "v2", state: "ended", ended_by: "ann", ended_at: "2026-11-21T08:00:00Z" };
  serve({
    "GET /session": { account: { name: "olga", roles: ["operator"], permissions: ["registry.write"] } },
    [`GET /services/${SERVICE}/waivers`]: { items: [asked, ended], next_cursor: null, has_more: false },
    [`GET /services/${SERVICE}/definitionReviews`]: { items: [], next_cursor: null, has_more: false },
    [`GET /services/${SERVICE}/definitionRollouts`]: { items: [], next_cursor: null, has_more: false },
  });
  show(
    <Routes>
      <Route path="/versions/:service/changes" element={<ChangesPage />} />
    </Routes>,
    `/versions/${SERVICE}/changes`,
  );
  expect(await screen.findByRole("button", { name: "Withdraw" })).toBeTruthy();
  const row = (await screen.findByText("ended")).closest("tr");
  expect(row?.textContent).toContain("requested by olga, ended by ann 2026-11-21 08:00:00 UTC");
  expect(row?.textContent).not.toContain("until");
});
