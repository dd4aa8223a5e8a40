import { cleanup, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { Approvers } from "../pages/access/Approvers";
import { Tokens } from "../pages/access/Tokens";
import { ApprovalPage } from "../pages/Approval";
import { ApprovalsPage } from "../pages/Approvals";
import { FleetPage } from "../pages/fleet/FleetPage";
import { SignInPage } from "../pages/SignIn";
import { UpgradePage } from "../pages/upgrade/UpgradePage";
import { VersionsPage } from "../pages/Versions";
import { WindowsPage } from "../pages/windows/WindowsPage";
import { KeyboardHelp } from "../shell/KeyboardHelp";
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
  "GET /upgrades/u1/samples": { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [] },
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
  keyboard: [<KeyboardHelp opened onClose={() => undefined} />, "/"],
};

it("is longer and accented, and keeps values and commands", () => {
  expect(t`${3} of ${16} shards caught up`).toMatch(/^⟦3 óƒ 16 šĥářďš [^A-Za-z]+·+⟧$/);
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
