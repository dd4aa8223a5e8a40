import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ReauthenticationDialog } from "../../shell/ReauthenticationDialog";
import { serve, show } from "../../test/show";
import { EditDialog } from "../../parts/forms/EditDialog";
import type { AccountRow, Token } from "../../wire/model";
import { browserOf, Sessions } from "../account/Sessions";
import { Accounts } from "./AccessPage";
import { Approvers } from "./Approvers";
import { conditionsOf, countsText, daysFrom, daysText } from "./conditions";
import { aboutText, openForm, policyForm, policyRules, stagesFrom, stagesText } from "./forms";
import { Overrides } from "./Overrides";
import { Groups, groupsOrToken } from "./Groups";
import { CustomRoles, roleForm } from "./CustomRoles";
import { PolicyPreview } from "./PolicyPreview";
import { isStale, Tokens } from "./Tokens";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const token = (part: Partial<Token> = {}): Token => ({
  id: "t1",
  account: "ann",
  name: "ci",
  scopes: ["*"],
  networks: [],
  created_by: "ann",
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-06-01T00:00:00Z",
  last_used_at: null,
  last_used_from: null,
  revoked_at: null,
  ...part,
});
const session = {
  account: { name: "ann", email: "", kind: "user", roles: ["operator"], permissions: ["token.own"] },
  csrf_token: "c",
  server_time: "2026-03-01T12:00:00Z",
  environment: "local",
  version: "0.1",
  providers: [],
};

it("calls a token stale that is valid and was not used for a month", () => {
  expect(isStale(token(), NOW)).toBe(true);
  expect(isStale(token({ last_used_at: "2026-02-20T00:00:00Z" }), NOW)).toBe(false);
  expect(isStale(token({ revoked_at: "2026-01-02T00:00:00Z" }), NOW)).toBe(false);
});

it("makes a token that works from some networks only", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /tokens": { items: [], next_cursor: null, has_more: false },
    "POST /tokens": { ...token(), secret: "swy_x" },
  });
  show(<Tokens />);
  await userEvent.click(await screen.findByRole("button", { name: "New token…" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "ci");
  await userEvent.type(screen.getByLabelText(/Allowed networks/), "10.20.0.0/16, 192.0.2.7{Enter}");
  expect(await screen.findByText("swy_x")).toBeTruthy();
  // What is shown this once goes by a button only, and the focus is where it is copied.
  expect(document.activeElement?.textContent).toBe("Copy");
  await userEvent.keyboard("{Escape}");
  expect(screen.getByText("swy_x")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByText("swy_x")).toBeNull());
  expect(sent.find((each) => each.method === "POST")?.body).toMatchObject({ networks: ["10.20.0.0/16", "192.0.2.7"] });
});

it("asks who is there before a token is made, and keeps what was typed", async () => {
  const answers: Record<string, unknown> = {
    "GET /session": session,
    "GET /tokens": { items: [], next_cursor: null, has_more: false },
    "POST /tokens": { title: "Denied", status: 403, code: "step-up" },
    "GET /session/passkeys": { items: [], next_cursor: null, has_more: false },
    "POST /session/proof": {},
  };
  const sent = serve(answers);
  show(
    <>
      <Tokens />
      <ReauthenticationDialog />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "New token…" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "ci");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  await userEvent.type(await screen.findByLabelText(/^Password/), "a long enough sentence");
  answers["POST /tokens"] = { ...token(), secret: "swy_x" };
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("swy_x")).toBeTruthy();
  expect(
    sent
      .filter((each) => each.path === "/tokens" && each.method === "POST")
      .map((each) => (each.body as { name: string }).name),
  ).toEqual(["ci", "ci"]);
});

it("names browsers as people do", () => {
  expect(browserOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36")).toBe(
    "Chrome on Linux",
  );
  expect(browserOf("")).toBe("unknown");
});

it("signs another browser out, and offers that for every one but this", async () => {
  const row = { account: "ann", at: "2026-03-01T11:00:00Z", address: "192.0.2.7", how: "password" };
  const items = [
    { ...row, id: 2, agent: "Firefox/130.0 Android", current: false },
    { ...row, id: 1, agent: "Chrome/130.0 Linux", current: true },
  ];
  const sent = serve({ "GET /sessions": { items, next_cursor: null, has_more: false }, "DELETE /sessions/2": {} });
  show(<Sessions />);
  await userEvent.click(await screen.findByRole("button", { name: "Sign out Firefox on Android" }));
  await waitFor(() => expect(sent.filter((each) => each.path === "/sessions")).toHaveLength(2));
  expect(sent.some((each) => each.method === "DELETE" && each.path === "/sessions/2")).toBe(true);
  expect(screen.queryByRole("button", { name: /Chrome/ })).toBeNull();
});

it("tells a pasted token from names of groups, and says what they would give", async () => {
  expect(groupsOrToken("sre, staff")).toEqual({ groups: ["sre", "staff"] });
  const pasted = `${"a".repeat(30)}.${"b".repeat(40)}.c`;
  expect(groupsOrToken(pasted)).toEqual({ token: pasted });
  serve({
    "POST /access/groups": {
      groups: ["sre", "staff"],
      unbound: ["staff"],
      bindings: ["operator of everything through group sre (on Monday UTC, from 10.0.0.0/8)"],
      grants: [
        {
          role: "operator",
          service: "*",
          region: "*",
          environment: "*",
          through: "group sre",
          conditions: { days: [1], zone: "UTC", networks: ["10.0.0.0/8"] },
        },
      ],
      roles: ["operator"],
      permissions: ["upgrade.plan"],
    },
  });
  show(<Groups />);
  await userEvent.type(screen.getByLabelText(/Groups of the identity provider/), "sre staff");
  await userEvent.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText("Roles: operator.")).toBeTruthy();
  expect(screen.getByText("No role is bound to staff.")).toBeTruthy();
  expect(screen.getByRole("listitem").textContent).toBe(
    "operator everywhere · through the group sre, Mon UTC, from 10.0.0.0/8",
  );
});

it("warns of a policy that nobody could meet", async () => {
  serve({
    "POST /policies/preview": {
      seen: 12,
      upgrades: [
        {
          id: "u1",
          service: "iam",
          region: "eu",
          from_version: "v1",
          to_version: "v2",
          state: "COMPLETED",
          by: "olga",
          decides: true,
          decided_by: "p",
        },
        {
          id: "u2",
          service: "iam",
          region: "us",
          from_version: "v1",
          to_version: "v2",
          state: "COMPLETED",
          by: "olga",
          decides: false,
          decided_by: "us-only",
        },
      ],
      voters: ["ann"],
    },
  });
  show(<PolicyPreview body={{ name: "p", purpose: "switch", needed: 2 }} />);
  expect(await screen.findByText("It matches 2 of the last 12 upgrades, and would apply to 1")).toBeTruthy();
  expect(screen.getByText(", subject to us-only")).toBeTruthy();
  expect(screen.getByText(/fewer than the required 2/)).toBeTruthy();
});

const seeing = { permission: "fleet.read", title: "See the fleet" };
const switching = { permission: "upgrade.switch", title: "Switch a deployment" };
const admin = {
  role: "admin",
  title: "",
  made: false,
  rev: 0,
  permissions: [seeing, switching],
  changed_by: "",
  changed_at: null,
};

it("makes a role of the permissions that are ticked", async () => {
  const manager = {
    ...session,
    account: { ...session.account, permissions: ["access.manage", "fleet.read", "upgrade.switch"] },
  };
  const sent = serve({ "GET /session": manager, "POST /access/roles": admin });
  show(<CustomRoles roles={[admin]} />);
  await userEvent.click(await screen.findByRole("button", { name: "New role…" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "switcher");
  await userEvent.click(screen.getByLabelText(/Switch a deployment/));
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({
      role: "switcher",
      title: "",
      permissions: ["upgrade.switch"],
    }),
  );
});

it("offers only what its maker may give, and keeps what a role has", () => {
  const names = (role: typeof admin | null): string[] =>
    roleForm(role, admin.permissions, ["fleet.read"])
      .fields.filter((each) => each.kind === "check")
      .flatMap((each) => each.description ?? []);
  expect(names(null)).toEqual(["fleet.read"]);
  expect(names({ ...admin, role: "switcher", made: true, permissions: [switching] })).toEqual([
    "fleet.read",
    "upgrade.switch",
  ]);
});

it("writes groups that vote in order as a line, and reads them back", () => {
  const stages = [
    { group: "security", needed: 1 },
    { group: "release", needed: 2 },
  ];
  expect(stagesText(stages)).toBe("security, release:2");
  expect(stagesFrom(" security ,release:2,, ")).toEqual(stages);
});

it("writes days as a line and reads them back, runs and ends of the week too", () => {
  for (const [days, line] of [
    [[1, 2, 3, 4, 5], "mon-fri"],
    [[1, 3, 7], "mon, wed, sun"],
    [[5, 6, 7], "fri-sun"],
    [[], ""],
  ] as const) {
    expect(daysText(days)).toBe(line);
    expect(daysFrom(line)).toEqual(days);
  }
  expect(daysFrom("Sat-Mon")).toEqual([1, 6, 7]);
  expect(daysFrom("someday")).toEqual([0]);
});

it("asks for nothing where nothing is filled in, and for a zone only with a time", () => {
  expect(conditionsOf({ role: "viewer", days: "", start: "", end: "18:00", zone: "UTC", networks: "" })).toEqual({});
  expect(
    conditionsOf({
      days: "mon",
      start: "08:00",
      end: "18:00",
      zone: "Europe/Berlin",
      networks: "10.0.0.0/8 192.0.2.7",
    }),
  ).toEqual({
    days: [1],
    start: "08:00",
    end: "18:00",
    zone: "Europe/Berlin",
    networks: ["10.0.0.0/8", "192.0.2.7"],
  });
});

it("says when a role would count before it is given", () => {
  expect(countsText({ conditions: {}, counts_now: true })).toBe("It always applies.");
  expect(countsText({ conditions: { days: [1], zone: "UTC" }, counts_now: false })).toBe(
    "It applies: Mon UTC. It does not apply at this time.",
  );
});

it("builds which upgrades a policy is about, and leaves out what was not asked for", () => {
  const { start } = policyForm(null, () => null);
  expect(policyRules(start)).toMatchObject({ about: {} });
  const asked = policyRules({ ...start, to_version: " v2* ", kinds: ["location"], without_rollback: true });
  expect(asked.about).toEqual({ to_version: "v2*", kinds: ["location"], without_rollback: true });
  expect(Object.keys(asked)).not.toContain("to_version");
  expect([aboutText(asked.about), aboutText({})]).toEqual(["to v2*, another location, without a rollback", ""]);
});

it("lets somebody in again who lost the second factor, and nobody by their own hand", async () => {
  const manager = { ...session, account: { ...session.account, permissions: ["access.manage", "access.read"] } };
  const row = {
    email: "",
    display_name: "",
    kind: "user",
    groups: [],
    active: true,
    created_at: "2026-01-01T00:00:00Z",
    last_sign_in: null,
    roles: [],
  };
  const items = [
    { ...row, name: "ann" },
    { ...row, name: "eva" },
    { ...row, name: "ci", kind: "service" },
    { ...row, name: "gone", active: false },
  ];
  const sent = serve({
    "GET /session": manager,
    "GET /access/accounts": { items, next_cursor: null, has_more: false },
    "PATCH /access/accounts/eva": items[1],
  });
  show(<Accounts />);
  await userEvent.click(await screen.findByRole("button", { name: "Unlock eva" }));
  expect(screen.getAllByRole("button", { name: /^Unlock eva/, hidden: true })).toHaveLength(1);
  await userEvent.click(await screen.findByLabelText(/Remove the authenticator/));
  await userEvent.click(screen.getByRole("button", { name: "Unlock the account" }));
  await waitFor(() => expect(sent.find((each) => each.method === "PATCH")?.body).toEqual({ lost_second_factor: true }));
});

it("says what disabling an account does before it is disabled", () => {
  const row = { name: "eva", active: true } as AccountRow;
  show(<EditDialog of={openForm(row)} onClose={() => undefined} />);
  expect(screen.getByRole("dialog", { name: "Disable eva" }).textContent).toContain(
    "its sessions and tokens stop working",
  );
});

it("revokes a token only after it is asked", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /tokens": { items: [token({ expires_at: null })], next_cursor: null, has_more: false },
    "DELETE /tokens/t1": {},
  });
  show(<Tokens />);
  await userEvent.click(await screen.findByRole("button", { name: /^Revoke/ }));
  const dialog = await screen.findByRole("dialog", { name: /^Revoke/ });
  const revoke = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Revoke" });
  await waitFor(() => expect(revoke.disabled).toBe(false));
  expect(sent.some((each) => each.method === "DELETE")).toBe(false);
  await userEvent.click(revoke);
  await waitFor(() => expect(sent.some((each) => each.method === "DELETE")).toBe(true));
});

it("tells who reviews a break-glass override where it was and for what", async () => {
  const reviewer = { ...session, account: { ...session.account, permissions: ["approval.vote"] } };
  const broken = {
    id: "e1",
    upgrade_id: "u1",
    service: "secrets.example.com",
    region: "eu-west1",
    purpose: "revert",
    who: "root",
    reason: "orders are lost",
    ticket: "INC-7",
    at: "2026-03-01T11:00:00Z",
    used_at: null,
    reviewed_by: "",
    reviewed_at: null,
    review: "",
  };
  serve({ "GET /session": reviewer, "GET /emergencies": { items: [broken], next_cursor: null, has_more: false } });
  show(<Overrides />);
  expect((await screen.findByRole("link", { name: "the rollback of secrets @ eu-west1" })).getAttribute("href")).toBe(
    "/upgrades/u1",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Review…" }));
  expect((await screen.findByRole("dialog")).textContent).toContain(
    "root used an emergency override for the rollback of secrets @ eu-west1",
  );
});

it("names on one screen who can approve each decision at a deployment, under which policy", async () => {
  const policy = (purpose: string, needed: number) => ({
    name: `default-${purpose}`,
    purpose,
    service: "*",
    region: "*",
    environment: "*",
    needed,
    group: needed ? "approver" : "",
    then: [],
    rev: 0,
    updated_by: "",
  });
  const of = (purpose: string) =>
    `GET /policies/explain?deployment=services%2Fiam%2Fdeployments%2Feu&purpose=${purpose}`;
  const sent = serve({
    "GET /fleet": {
      regions: [],
      services: [],
      cells: [{ name: "services/iam/deployments/eu", service: "iam", region: "eu" }],
    },
    "GET /duty": { items: [], next_cursor: null, has_more: false },
    [of("switch")]: policy("switch", 2),
    [of("revert")]: policy("revert", 0),
    [of("brownout")]: policy("brownout", 3),
    "POST /policies/preview": { seen: 0, upgrades: [], voters: ["ann", "rosa"] },
  });
  show(<Approvers />);
  const row = await screen.findByRole("row", { name: /Switch default-switch 2 approvals from approver ann, rosa/ });
  expect(row).toBeTruthy();
  expect(await screen.findByRole("row", { name: /Rollback default-revert none no vote needed/ })).toBeTruthy();
  expect(await screen.findByRole("row", { name: /Brown-out .*ann, rosa too few: 3 votes are needed/ })).toBeTruthy();
  expect(await screen.findByText("Not found")).toBeTruthy();
  expect(sent.find((each) => each.path === "/policies/preview")?.body).toMatchObject({ service: "iam", region: "eu" });
});
