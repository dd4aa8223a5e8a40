import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { Approvers } from "../pages/access/Approvers";
import { Tokens } from "../pages/access/Tokens";
import { Explain } from "../pages/access/Explain";
import { ApprovalPage } from "../pages/Approval";
import { ApprovalsPage } from "../pages/Approvals";
import { FleetPage } from "../pages/fleet/FleetPage";
import { HealthTable } from "../pages/Health";
import { SignInPage } from "../pages/SignIn";
import { UpgradePage } from "../pages/upgrade/UpgradePage";
import { VersionsPage } from "../pages/Versions";
import { HowToPage } from "../pages/versions/HowTo";
import { WindowsPage } from "../pages/windows/WindowsPage";
import { KeyboardHelp } from "../shell/KeyboardHelp";
import { pseudo } from "../words/pseudo";
import { plural, t } from "../words/text";
import { approval, check, upgrade } from "./samples";
import { serve, show } from "./show";

const NOTHING = { items: [], next_cursor: null, has_more: false };
const CELL = {
  service: "iam.example.com",
  region: "eu-1",
  name: "services/iam.example.com/deployments/eu-1",
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: { team: "core" },
  data_version: "",
};
const FLEET = {
  regions: [{ name: "eu-1", title: "", zone: "Europe/Brussels" }],
  services: [
    { name: "iam.example.com", display_name: "", versions: ["v1", "v2"], rank: 0, imports: [], import_versions: [] },
    {
      name: "web.example.com",
      display_name: "",
      versions: ["v1"],
      rank: 1,
      imports: ["iam.example.com"],
      import_versions: [{ service: "iam.example.com", version: "v1", for_version: "v1" }],
    },
  ],
  cells: [
    CELL,
    { ...CELL, service: "web.example.com", name: "services/web.example.com/deployments/eu-1", state: "SYNCING" },
  ],
};
const POLICY = {
  name: "default-switch",
  purpose: "switch",
  service: "*",
  region: "*",
  environment: "*",
  needed: 2,
  group: "approver",
  then: [],
  rev: 0,
};
const REQUEST = approval({
  evidence_now: [check("lag", "fail", "us-west2 is 258 s behind."), check("shards", "pass", "All shards are ready.")],
});
const ANSWERS: Record<string, unknown> = {
  "GET /session": {
    account: null,
    providers: [],
    local_sign_in: "on",
    environment: "local",
    session_limits: { idle_minutes: 30, hours: 12 },
  },
  "GET /fleet": FLEET,
  "GET /fleet/windows": { outlooks: [], of: {} },
  "GET /fleet/callers": { days: 14, callers: { "iam.example.com": { "eu-1": 3 } } },
  "GET /fleet/versions": { since: { "iam.example.com": { v1: null } } },
  "GET /views/fleet": NOTHING,
  "GET /services": {
    ...NOTHING,
    items: [{ name: "iam.example.com", display_name: "", versions: ["v1", "v2"], imports: [], regions: ["eu-1"] }],
  },
  "GET /approvals": { ...NOTHING, items: [REQUEST] },
  "GET /approvals/a1": REQUEST,
  "GET /duty": NOTHING,
  "GET /upgrades/u1": upgrade(),
  "GET /upgrades/u1/events": NOTHING,
  "GET /upgrades/u1/samples": { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] },
  "GET /windows": NOTHING,
  "GET /tokens": NOTHING,
  "GET /policies/explain": POLICY,
  "POST /policies/preview": { seen: 0, upgrades: [], voters: ["ann"] },
};

const PAGES: Record<string, [ReactElement, string]> = {
  matrix: [<FleetPage />, "/fleet"],
  table: [<FleetPage />, "/fleet?view=table"],
  map: [<FleetPage />, "/fleet?view=map"],
  "map in groups": [<FleetPage />, "/fleet?view=map&group=team"],
  versions: [<VersionsPage />, "/versions"],
  approvals: [<ApprovalsPage />, "/approvals"],
  approval: [
    <Routes>
      <Route path="/approvals/:id" element={<ApprovalPage />} />
      <Route path="/upgrades/:id" element={<UpgradePage />} />
    </Routes>,
    "/approvals/a1",
  ],
  upgrade: [
    <Routes>
      <Route path="/upgrades/:id" element={<UpgradePage />} />
    </Routes>,
    "/upgrades/u1",
  ],
  windows: [<WindowsPage />, "/windows"],
  tokens: [<Tokens />, "/settings/access"],
  approvers: [<Approvers />, "/settings/access?tab=approvers"],
  "sign-in": [<SignInPage />, "/sign-in"],
  "how-to": [<HowToPage />, "/versions/how-to"],
  keyboard: [<KeyboardHelp opened onClose={() => undefined} />, "/"],
};

it("is longer and accented, and keeps values and commands", () => {
  expect(t`${7} and ${16} more`).toMatch(/^⟦7 áñď 16 [^A-Za-z]+·+⟧$/);
  expect(plural(2, "# caller", "# callers")).toMatch(/^⟦2 [^A-Za-z]+·+⟧$/);
});

it.each(Object.entries(PAGES))("shows no text outside the catalogue: %s", async (_, [page, at]) => {
  serve(ANSWERS);
  show(page, at);
  // Titles and headings come first, what is fetched after them.
  await waitFor(() => expect(document.body.textContent).toMatch(/⟦/));
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  await waitFor(() => expect(screen.queryAllByText(/./).length).toBeGreaterThan(2));
  expect(outsideTexts(document.body, `${JSON.stringify(ANSWERS)} Not found`)).toEqual([]);
  cleanup();
});

it("words the timeline, the preflight and why something was not done, and leaves what a person wrote", async () => {
  const held = {
    key: "{passed} of {count} check held|{passed} of {count} checks held",
    values: { passed: 6, count: 6 },
  };
  const step = { step: "Preflight", state: "done" as const, started_at: null, took_seconds: null, who: "olga" };
  const goesOn = { key: "{version} goes on:", values: { version: "v1alpha2" } };
  const reason = { key: "{text}", values: { text: "the driver's own words" } };
  const line = { seq: 1, at: "2026-03-01T14:00:00Z", who: "", kind: "writes-resumed", details: {} };
  serve({
    ...ANSWERS,
    "GET /upgrades/u1": upgrade({
      steps: [{ ...step, text: "6 of 6 checks held", phrases: [held] }],
      undone: { at: line.at, text: "v1alpha2 goes on: the driver's own words", phrases: [goesOn, reason] },
    }),
    "GET /upgrades/u1/events": {
      ...NOTHING,
      items: [
        { ...line, text: "v1alpha2 goes on: the driver's own words", phrases: [goesOn, reason] },
        { ...line, seq: 2, kind: "comment", who: "ann", text: "what a person wrote" },
      ],
    },
  });
  const [page, at] = PAGES.upgrade ?? [<></>, ""];
  show(page, at);
  await screen.findByText(/what a person wrote/);
  const worded = `${pseudo(goesOn.key).replace("{version}", "v1alpha2")} the driver's own words`;
  expect(document.body.textContent.split(worded)).toHaveLength(3);
  expect(document.body.textContent).not.toMatch(/v1alpha2 goes on|checks held/);
  cleanup();
});

it("words why an action cannot be taken, where it is offered and in the list of actions", async () => {
  const phrases = [
    { key: "The upgrade is ready to switch.", values: {} },
    { key: "Starting is possible only while it is planned.", values: {} },
  ];
  const reason = "The upgrade is ready to switch. Starting is possible only while it is planned.";
  const actions = ["switch", "start"].map((action) => ({ action, allowed: false, reason, phrases, who_can: [] }));
  serve({ ...ANSWERS, "GET /upgrades/u1": upgrade({ actions }) });
  const [page, at] = PAGES.upgrade ?? [<></>, ""];
  show(page, at);
  const [whyNot] = await screen.findAllByText(pseudo("why not?"));
  if (whyNot) fireEvent.click(whyNot);
  fireEvent.click(screen.getByRole("button", { name: pseudo("Show the list of actions") }));
  const shown = phrases.map(({ key }) => pseudo(key)).join(" ");
  await waitFor(() => expect(document.body.textContent.split(shown)).toHaveLength(4));
  expect(document.body.textContent).not.toContain("is possible only");
  cleanup();
});

it("words the steps of the switch and names the curves of charts", async () => {
  const carried = "{count} last change was replicated.|{count} last changes were replicated.";
  const phrases = [{ key: carried, values: { count: 2 } }];
  serve({
    ...ANSWERS,
    "GET /upgrades/u1": upgrade({
      state: "SWITCHING",
      switch_steps: [
        { step: "catch-up", state: "done", took_seconds: 0.01, text: "2 last changes were carried across.", phrases },
      ],
    }),
    "GET /upgrades/u1/samples": {
      at: ["2026-03-01T14:00:00Z"],
      ready: [1],
      lag_p50: [0.1],
      lag_p95: [0.2],
      lag_max: [0.3],
      rate: [3],
      write_p95: [0.01],
    },
  });
  const [page, at] = PAGES.upgrade ?? [<></>, ""];
  show(page, at);
  await screen.findByText(pseudo(carried).split("|")[1]?.replace("{count}", "2") ?? "");
  await waitFor(() => expect(document.querySelectorAll(".readout")).toHaveLength(5));
  const row = screen.getByRole("row", { name: new RegExp(pseudo("catch up")) });
  expect(outsideTexts(row, "")).toEqual([]);
  const curves = [...document.querySelectorAll(".readout")].map((curve) => outsideTexts(curve, ""));
  expect(curves.flat()).toEqual([]);
  cleanup();
});

it("words what the server says of checks and blockages, with the server's values in it", async () => {
  const behind = "The slowest shard is {behind} s behind; at most {bound} s are allowed.";
  const wait = "Wait, or find what slows the followers down.";
  const late = "{count} worker cannot keep up.|{count} workers cannot keep up.";
  const lag = {
    ...check("lag", "fail", "The slowest shard is 12.5 s behind; at most 10 s are allowed."),
    phrases: [{ key: behind, values: { behind: "12.5", bound: "10" } }],
    remedy_phrases: [{ key: wait, values: {} }],
  };
  const cause = {
    kind: "worker-late" as const,
    sentence: "1 worker cannot keep up.",
    since: null,
    remedy: "",
    needs_person: false,
    phrases: [{ key: late, values: { count: 1 } }],
  };
  const { readiness } = upgrade();
  serve({
    ...ANSWERS,
    "GET /upgrades/u1": upgrade({ blockages: [cause], readiness: { ...readiness, checks: [lag] } }),
  });
  const [page, at] = PAGES.upgrade ?? [<></>, ""];
  show(page, at);
  await screen.findByText(pseudo(wait));
  const shown = document.body.textContent;
  expect(shown).toContain(pseudo(behind).replace("{behind}", "12.5").replace("{bound}", "10"));
  expect(shown).toContain(pseudo(late).split("|")[0]?.replace("{count}", "1"));
  expect(shown).not.toContain("worker cannot keep up");
  cleanup();
});

it("words how components are, and what mends them", async () => {
  const late = { key: "No tick in {seconds} s: wake-ups that were lost are not sent again.", values: { seconds: 40 } };
  const start = { key: "Start `celery -A celery_worker.app beat`.", values: {} };
  const component = {
    name: "sweep",
    status: "down" as const,
    detail: "No tick in 40 s: wake-ups that were lost are not sent again.",
    phrases: [late],
    since: null,
    remedy: start.key,
    remedy_phrases: [start],
    runbook: "/runbooks#sweep",
  };
  show(<HealthTable components={[component]} />, "/health");
  await screen.findByText(pseudo(late.key).replace("{seconds}", "40"));
  expect(outsideTexts(document.body, "sweep")).toEqual([]);
  cleanup();
});

it("words the roles that an access check rests on", async () => {
  const grant = { service: "*", region: "*", environment: "*", through: "group sre" };
  const refusal = { key: "Your role {role} does not count now:", values: { role: "operator" } };
  const there = {
    key: "it counts from {networks}, and you are at {address}.",
    values: { networks: "10.0.0.0/8", address: "192.0.2.7" },
  };
  serve({
    "GET /session": { account: { name: "ann", roles: [], permissions: [], reach: [], zone: "", bounds: {} } },
    "POST /access/explain": {
      account: "ann",
      action: "upgrade.switch",
      target: "*",
      allowed: false,
      reason: "Your role operator does not count now: it counts from 10.0.0.0/8, and you are at 192.0.2.7.",
      phrases: [refusal, there],
      who_can: [],
      bindings: ["operator of everything through group sre (on Monday UTC, from 10.0.0.0/8)"],
      grants: [{ ...grant, role: "operator", conditions: { days: [1], zone: "UTC", networks: ["10.0.0.0/8"] } }],
    },
  });
  show(<Explain />);
  fireEvent.change(screen.getByLabelText(pseudo("Permission")), { target: { value: "upgrade.switch" } });
  fireEvent.click(screen.getByRole("button", { name: pseudo("Check") }));
  const answer = await screen.findByText(/192\.0\.2\.7/);
  expect(answer.textContent).toContain(pseudo(refusal.key).replace("{role}", "operator"));
  const [row] = await screen.findAllByRole("listitem");
  expect(row?.textContent).toContain(pseudo("everywhere"));
  expect(outsideTexts(answer.parentElement ?? document.body, "operator sre 10.0.0.0/8 192.0.2.7")).toEqual([]);
  cleanup();
});

it("words why a vote does not count any more, and what got worse since a vote", async () => {
  const redefined = [
    { key: "The evidence changed.", values: {} },
    { key: "The conversion was redefined.", values: {} },
  ];
  const LAST =
    "The last verification found {count} differing resource.|The last verification found {count} differing resources.";
  const differ = { key: LAST, values: { count: 3 } };
  const vote = { who: "bob", verdict: "approve" as const, comment: "", at: "2026-03-01T14:05:00Z", round: 1 };
  const voided = { void_reason: "The evidence changed. The conversion was redefined.", void_phrases: redefined };
  const worse = {
    check: "parity",
    who: "ann",
    at: vote.at,
    then: "0 resources differ.",
    now: "The last verification found 3.",
  };
  const values = { place: "iam @ eu", source: "v1", target: "v2" };
  const ASKED = {
    what: "Switch iam @ eu from v1 to v2",
    what_phrases: [{ key: "Switch {place} from {source} to {target}", values }],
  };
  serve({
    ...ANSWERS,
    "GET /approvals/a1": {
      ...REQUEST,
      ...ASKED,
      votes: [{ ...vote, ...voided }],
      worse: [{ ...worse, now_phrases: [differ] }],
    },
  });
  const [page, at] = PAGES.approval ?? [<></>, ""];
  show(page, at);
  await screen.findByText(new RegExp(pseudo("The conversion was redefined.")));
  const since = await screen.findByRole("list", { name: pseudo("Worse since a vote") });
  expect(since.textContent).not.toContain("verification found");
  expect(document.body.textContent).not.toMatch(/evidence changed|redefined|Switch iam/);
  cleanup();
});
