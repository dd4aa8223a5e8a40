import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ApiError } from "../api/problem";
import { ProblemPanel } from "../parts/states";
import { serve, show } from "../test/show";
import { tokenWord, Tokens } from "./access/Tokens";
import { momentOf } from "../parts/moments";
import { ActivityPage, changes, exportOf, traceOf } from "./Activity";
import { targetLink } from "./activity/Target";
import { releases } from "./Developer";
import { near } from "./errors";
import { perVersion, VersionsPage } from "./Versions";
import { lifecycleOf, retireRefusal } from "./versions/Lifecycle";
import { scopeText, whenText } from "./windows/WindowsPage";

it("shows only the fields that an entry changed", () => {
  expect(changes({ before: { a: 1, b: "x" }, after: { a: 2, b: "x", c: [1] } })).toEqual([
    { field: "a", before: "1", after: "2" },
    { field: "c", before: "", after: "[1]" },
  ]);
  expect(changes({ before: null, after: null })).toEqual([]);
});

it("asks the ledger again once a filter is finished, not at every letter", async () => {
  const page = { items: [], next_cursor: null, has_more: false };
  const sent = serve({
    "GET /audit": page,
    "GET /audit/chain": { intact: true, length: 3, unsealed: 0, broken_at: null, reason: "" },
  });
  show(<ActivityPage />);
  expect(await screen.findByText("chain of 3 entries verified")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Who"), "ann{Enter}");
  await waitFor(() => expect(sent.some((each) => each.path === "/audit?actor=ann&quiet=true")).toBe(true));
  expect(sent.filter((each) => each.path.startsWith("/audit?")).map((each) => each.path)).toEqual([
    "/audit?quiet=true",
    "/audit?actor=ann&quiet=true",
  ]);
});

it("says where and when a rule counts", () => {
  expect(scopeText({ service: "*", region: "*", environment: "*" })).toBe("everywhere");
  expect(scopeText({ service: "secrets.*", region: "*", environment: "production" })).toBe("secrets.* · production");
  expect(whenText({ cron: "0 22 * * *", minutes: 120, starts: "", ends: "", zone: "UTC" })).toBe(
    "0 22 * * *, for 2 h (UTC)",
  );
});

it("knows how a token stands", () => {
  const now = Date.parse("2026-03-01T00:00:00Z");
  expect(tokenWord({ revoked_at: null, expires_at: "2026-03-03T00:00:00Z" }, now).word).toBe("ends soon");
  expect(tokenWord({ revoked_at: null, expires_at: "2026-02-01T00:00:00Z" }, now).word).toBe("expired");
  expect(tokenWord({ revoked_at: null, expires_at: null }, now).word).toBe("valid");
});

it("shows a new token's secret once", async () => {
  const token = {
    id: "t1",
    account: "ann",
    name: "ci",
    scopes: ["*"],
    created_at: "",
    expires_at: null,
    last_used_at: null,
    last_used_from: null,
    revoked_at: null,
  };
  serve({
    "GET /tokens": { items: [], next_cursor: null, has_more: false },
    "POST /tokens": { ...token, secret: "swy_abc" },
  });
  show(<Tokens />);
  await userEvent.click(await screen.findByRole("button", { name: "New token…" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "ci");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect(await screen.findByText("swy_abc")).toBeTruthy();
});

it("counts deployments per version", () => {
  const cell = {
    service: "a",
    region: "r",
    name: "",
    current_version: "v1",
    target_version: null,
    state: "",
    ready: 0,
    total: 0,
    automatic: false,
    disabled: false,
    upgrade_id: null,
    rev: 1,
    labels: {},
    data_version: "",
  };
  expect(perVersion("a", ["v1", "v2"], [cell, { ...cell, service: "b" }])).toEqual([
    { version: "v1", count: 1 },
    { version: "v2", count: 0 },
  ]);
});

it("leads from an entry to everything the same request did, and to what befell the same thing", () => {
  expect(traceOf("request_id", "r 1")).toBe("/activity?request_id=r+1");
  expect(traceOf("target", "u0123456789")).toBe("/activity?target=u0123456789");
  expect(momentOf(" 2026-03-01 ")).toBe("2026-03-01T00:00:00Z");
  expect(momentOf("2026-03-01T14:00:00Z")).toBe("2026-03-01T14:00:00Z");
});

it("exports what the filters leave", () => {
  expect(exportOf({ actor: "olga", action: "", target: "" }, "csv")).toBe("/api/v1/audit/export?actor=olga&as=csv");
});

it("guesses the page that was meant", () => {
  const known = ["/", "/fleet", "/upgrades", "/settings/access", "/settings/hooks"];
  expect(near("/flet", known)).toEqual(["/fleet"]);
  expect(near("/upgrade/u1", known)).toEqual(["/upgrades"]);
  expect(near("/acces", known)).toEqual(["/settings/access"]);
  expect(near("/zzz", known)).toEqual([]);
});

it("leads from what is gone to its traces in the activity", () => {
  show(<ProblemPanel error={new ApiError({ title: "It is gone", status: 410 })} />);
  expect(screen.getByRole("link", { name: "Show in activity" }).getAttribute("href")).toBe("/activity?target=");
});

it("does not send who may not read the ledger there", () => {
  const cache = new QueryClient();
  cache.setQueryData(["session"], {
    account: { name: "vera", email: "", roles: ["viewer"], permissions: ["fleet.read"] },
  });
  show(
    <QueryClientProvider client={cache}>
      <ProblemPanel error={new ApiError({ title: "It is gone", status: 410, link: "/activity?target=x" })} />
    </QueryClientProvider>,
  );
  expect(screen.getByText("It is gone")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Show in activity" })).toBeNull();
});

it("reads the changelog as releases with plain changes", () => {
  expect(releases("# Log\n\n## 0.2\n\n- One *thing* ([how](a.md)).\n- Two\n  lines.\n\n## 0.1\n\n- Old.\n")).toEqual([
    { title: "0.2", changes: ["One thing (how).", "Two lines."] },
    { title: "0.1", changes: ["Old."] },
  ]);
});

it("says how a version stands by who runs and calls it", () => {
  expect([
    lifecycleOf("v1", 2, 0, "2026-03-01", "2026-02-28").word,
    lifecycleOf("v1", 2, 0, "2026-03-01", "2026-03-01").word,
    lifecycleOf("v1", 0, 9, "2026-03-01", "2026-04-01").word,
  ]).toEqual(["deprecated", "retired, but served", "retired"]);
  expect([
    lifecycleOf("v1", 2, 0).word,
    lifecycleOf("v1alpha2", 1, 0).word,
    lifecycleOf("v20140601preview", 1, 0).word,
    lifecycleOf("v1alpha2", 0, 7).word,
    lifecycleOf("v0", 0, 0).word,
  ]).toEqual(["current", "alpha", "preview", "only translated", "not in use"]);
});

it("names what an entry of the activity is about, and leads to it", () => {
  const about = { target: "a3f7", service: "secrets.example.com", region: "eu-1" };
  expect(targetLink({ ...about, target_kind: "upgrade" })).toEqual({
    name: "secrets.example.com @ eu-1",
    to: "/upgrades/a3f7",
  });
  expect(targetLink({ ...about, target_kind: "deployment" }).to).toBe("/d/secrets.example.com/eu-1");
  expect(targetLink({ target_kind: "account", target: "ann", service: "", region: "" })).toEqual({
    name: "ann",
    to: "",
  });
});

it("offers no filters of what may not be read", async () => {
  serve({
    "GET /audit": { title: "Not allowed", status: 403 },
    "GET /audit/chain": { title: "Not allowed", status: 403 },
  });
  show(<ActivityPage />);
  // Not before the answer either.
  expect(screen.queryByRole("searchbox", { name: "Who" })).toBeNull();
  expect(await screen.findByRole("heading", { name: "Not allowed" })).toBeTruthy();
  expect(screen.queryByLabelText("Who")).toBeNull();
});

it("lists the age of each version and the callers of old ones, and says what is unknown", async () => {
  const service = {
    name: "iam",
    display_name: "",
    versions: ["v1", "v2", "v3"],
    imports: [],
    uses: [],
    regions: ["eu"],
    control_region: "eu",
    automatic: false,
    rev: 1,
  };
  serve({
    "GET /services": { items: [service, { ...service, name: "web" }], next_cursor: null, has_more: false },
    "GET /fleet": { regions: [], services: [], cells: [] },
    "GET /fleet/callers": { days: 14, callers: { iam: { eu: 3 } } },
    "GET /fleet/versions": { since: { iam: { v1: "2026-01-01T00:00:00Z", v2: null } } },
  });
  show(<VersionsPage />);
  const row = await screen.findByRole("row", { name: /^iam/ });
  await waitFor(() => expect(row.textContent).toContain("3 in eu"));
  expect(row.textContent).toMatch(/v1.*first served .* ago.*v2.*first served at an unknown time.*v3.*never served/);
  expect(screen.getByRole("row", { name: /^web/ }).textContent).toContain("none seen");
});

it("offers no retirement of the newest version, and says why", () => {
  expect([["v1"], ["v1", "v2"], ["v0", "v1"]].map((versions) => retireRefusal(versions, "v1", ["v1", "v2"]))).toEqual([
    "v1 is the newest version of this service. Apply a newer version before this one retires.",
    "",
    "v1 is the newest version of this service. Apply a newer version before this one retires.",
  ]);
});

it("offers no retirement of the only served version, and says why", () => {
  const refusal = (served: string[]): string => retireRefusal(["v1", "v2"], "v1", served);
  expect(refusal(["v1", "v1"])).toMatch(/^v1 is the only version that is served\./);
  expect([["v1", "v2"], ["v2"], []].map(refusal)).toEqual(["", "", ""]);
});
