import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { check, upgrade } from "../../test/samples";
import { serve, show, type Sent } from "../../test/show";
import { tick } from "../../time/clock";
import { headline } from "./actions/actionTexts";
import type { History } from "./sheet/replay";
import { incidentNote } from "./RollbackPage";
import { blockageNews, politeNews } from "./announcements";
import { UpgradePage } from "./UpgradePage";

const nothing = { items: [], next_cursor: null, has_more: false };
const samples = { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] };

function open(part: Parameters<typeof upgrade>[0] = {}, extra: Record<string, unknown> = {}, query = ""): Sent[] {
  const sent = serve({
    "GET /upgrades/u1": upgrade(part),
    "GET /upgrades/u1/events": nothing,
    "GET /upgrades/u1/samples": samples,
    ...extra,
  });
  show(
    <Routes>
      <Route path="/upgrades/:id" element={<UpgradePage />} />
    </Routes>,
    `/upgrades/u1${query}`,
  );
  return sent;
}

/** Open the menu of what could be done instead, by keyboard, and choose from it. */
async function choose(name: string): Promise<void> {
  (await screen.findByRole("button", { name: "Other actions" })).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name }));
}

it("has what could be done instead in a menu, and says there why it cannot be done now", async () => {
  const actions = [
    { action: "pause", allowed: false, reason: "The switch has begun.", who_can: ["operator"] },
    { action: "abort", allowed: true, reason: "", who_can: [] },
  ];
  const sent = open({ actions });
  await choose("Pause The switch has begun. Allowed for: operator.");
  expect(screen.getByRole("menuitem", { name: /^Pause/ }).getAttribute("aria-disabled")).toBe("true");
  expect(sent.every((each) => each.method === "GET")).toBe(true);
  await userEvent.click(screen.getByRole("menuitem", { name: "Abort…" }));
  expect(await screen.findByRole("dialog", { name: "Abort this upgrade" })).toBeTruthy();
});

it("announces quarters of the shards, not each shard, together with votes and results", () => {
  const at = (ready: number, given: number, state: "SYNCING" | "READY" = "SYNCING") => {
    const sample = upgrade();
    const approvals = { ...sample.readiness.approvals, request_id: "a1", needed: 2, votes_given: given };
    const shards = { ...sample.shards, total: 8, ready };
    return upgrade({ state, shards, readiness: { ...sample.readiness, approvals } });
  };
  expect(politeNews(at(2, 0), at(3, 0))).toBe("");
  expect(politeNews(at(3, 0), at(4, 0))).toBe("secrets @ us-west2: 4 of 8 shards caught up");
  expect(politeNews(at(4, 0), at(8, 1))).toBe("secrets @ us-west2: 1 of 2 approvals; all 8 shards are caught up");
  expect(politeNews(at(8, 1), at(8, 2, "READY"))).toBe(
    "secrets @ us-west2 has all 16 shards caught up for v1 and may switch now. secrets @ us-west2: 2 of 2 approvals",
  );
});

it("says the state in the server's words and why there is no estimate", async () => {
  open();
  expect(
    await screen.findByText("secrets @ us-west2 has all 16 shards caught up for v1 and may switch now."),
  ).toBeTruthy();
  expect(screen.getByText("nothing advanced for 6 min")).toBeTruthy();
  expect(screen.getByText("1 of 2 shards is caught up.")).toBeTruthy();
});

it("opens a shard and shows its error", async () => {
  open();
  await userEvent.click(await screen.findByRole("gridcell", { name: /Shard 00/ }));
  expect(screen.getByText("labels[0] is not a string")).toBeTruthy();
});

it("jumps to the first failed shard with f", async () => {
  open();
  await screen.findByRole("gridcell", { name: /Shard 00/ });
  await userEvent.keyboard("f");
  expect(await screen.findByRole("region", { name: "Shard 0" })).toBeTruthy();
});

it("switches only after the dry run and the typed name, on the revision that was read", async () => {
  const sent = open({}, { "POST /upgrades/u1/switch": { sentence: "Writes would be held for about 210 ms." } });
  await userEvent.click(await screen.findByRole("button", { name: "Switch now" }));
  expect(await screen.findByText("Writes would be held for about 210 ms.")).toBeTruthy();
  const confirm = screen.getAllByRole("button", { name: "Switch now" }).at(-1);
  expect(confirm?.hasAttribute("disabled")).toBe(true);
  await userEvent.type(screen.getByLabelText(/to confirm/), "secrets.example.com@us-west2{Enter}");
  expect(sent.filter((each) => each.method === "POST" && !each.path.includes("dry_run"))).toHaveLength(0);
  await userEvent.click(confirm as HTMLElement);
  await waitFor(() => expect(sent.some((each) => each.path === "/upgrades/u1/switch")).toBe(true));
  expect(sent.find((each) => each.path === "/upgrades/u1/switch")?.headers.get("If-Match")).toBe('"7"');
});

it("says who was faster and what is another than was read, and asks to look again before it is confirmed", async () => {
  const now = upgrade({ rev: 8, paused: true, state: "SYNCING" });
  const sent = open(
    {},
    {
      "POST /upgrades/u1/abort": {
        title: "It was changed meanwhile",
        status: 412,
        current: now,
        changed: { who: "otto", at: new Date(tick.get() - 8000).toISOString(), what: "otto paused it." },
      },
      "POST /upgrades/u1/abort?dry_run=true": upgrade(),
    },
  );
  await choose("Abort…");
  await userEvent.type(screen.getByLabelText(/Reason/), "too slow");
  await userEvent.type(screen.getByLabelText(/to confirm/), "secrets.example.com@us-west2");
  await userEvent.click(screen.getByRole("button", { name: "Abort" }));
  const told = await screen.findByText(/Changed by otto/);
  expect(told.textContent).toBe("Changed by otto 8 s ago.");
  expect(screen.getByText("otto paused it.")).toBeTruthy();
  expect(screen.getByRole("row", { name: "State Syncing, paused Ready to switch" })).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Abort" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Review mine" }));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Abort" }).disabled).toBe(false);
  expect(sent.filter((each) => each.path === "/upgrades/u1/abort")).toHaveLength(1);
});

const history: History = {
  as_of: "2026-03-01T14:10:00Z",
  transitions: [
    { at: "2026-03-01T14:00:00Z", state: "PLANNED", who: "olga" },
    { at: "2026-03-01T14:01:00Z", state: "SYNCING", who: "olga" },
    { at: "2026-03-01T14:05:00Z", state: "READY", who: "switchyard" },
  ],
  shards: {
    shard: [0, 1],
    at: ["2026-03-01T14:02:00Z", "2026-03-01T14:03:00Z"],
    state: ["syncing", "ready"],
    complete: false,
  },
  compared: { shard: [], at: [] },
  callers: { seen_from: "2026-02-22T14:00:00Z", switched_at: null, versions: [] },
  requests: [],
  votes: [],
  switch_steps: [],
};

it("shows the sheet as it was at the moment that the address names, and rolls back to now", async () => {
  open({}, { "GET /upgrades/u1/history": history }, "?at=2026-03-01T14:02:30.000Z");
  const recorded = await screen.findByRole("status", { name: "As recorded" });
  expect(recorded.textContent).toContain("1 copying");
  expect(recorded.textContent).toContain("1 without a report");
  expect(recorded.textContent).toContain("until then none are known");
  expect(screen.queryByRole("button", { name: "Switch now" })).toBeNull();
  expect(screen.getByText(/The oldest changes of shards are not shown/)).toBeTruthy();
  expect(screen.getByRole("slider", { name: /As of/ }).getAttribute("aria-valuetext")).toBe("2026-03-01 14:02:30");
  await userEvent.click(screen.getByRole("button", { name: "Back to now" }));
  expect(await screen.findByRole("button", { name: "Switch now" })).toBeTruthy();
  expect(screen.getByRole("slider", { name: /As of/ }).getAttribute("aria-valuetext")).toBe("now");
});

it("says of a switched upgrade each fact once, and makes the preview of the rollback its one primary action", async () => {
  const allowed = ["rollback", "extend", "complete"].map((action) => ({
    action,
    allowed: true,
    reason: "",
    who_can: [],
  }));
  open({
    state: "REVERSIBLE",
    freeze_ms: 73.2,
    reversible_until: "2026-03-08T14:00:00Z",
    sentence: "secrets @ us-west2 now serves v1; writes were paused for 73 ms.",
    actions: allowed,
  });
  const preview = await screen.findByRole("link", { name: "Preview the rollback" });
  expect(preview.getAttribute("href")).toBe("/upgrades/u1/rollback");
  const present = preview.closest<HTMLElement>(".present") as HTMLElement;
  expect(present.textContent?.match(/73 ms/g)).toHaveLength(1);
  const filled = [...present.querySelectorAll("[data-variant=filled]")].map((button) => button.textContent);
  expect(filled).toEqual(["Preview the rollback"]);
});

it("names the reason of a plan in its step, and its digest among the facts alone", async () => {
  open();
  const plan = await screen.findByText("planned by olga · For the portal.");
  expect(plan.closest("li")?.textContent).not.toContain("9c1d02");
  expect(screen.getByText("9c1d02aa77e0")).toBeTruthy();
});

it("tells why what was asked for last was not done", async () => {
  open({ undone: { at: "2026-03-01T14:02:11Z", text: "The switch was given up: a writer did not pause." } });
  expect(await screen.findByText(/The switch was given up: a writer did not pause\./)).toBeTruthy();
});

it("leads from an upgrade that was handed over to where it goes on", async () => {
  const there = "https://origin.example/services/secrets.example.com/deployments/eu-west1";
  open({ state: "HANDED_OVER", handed_over_to: there });
  const link = await screen.findByRole("link", { name: "Open where it continues" });
  expect(link.getAttribute("href")).toBe(there);
});

it("leads from the present step to what it goes by, and opens one that is done to what was known then", async () => {
  const evidence = [check("lag", "fail", "The slowest shard was 9 s behind.")];
  const vote = { who: "ann", verdict: "approve", purpose: "switch", void: "", evidence: [] };
  const recorded = {
    ...history,
    requests: [{ at: "2026-03-01T14:06:00Z", who: "olga", purpose: "switch", evidence }],
    votes: [{ ...vote, at: "2026-03-01T14:07:00Z" }],
  };
  open(
    {
      state: "REVERSIBLE",
      steps: [
        {
          step: "Initial sync",
          state: "done",
          started_at: "2026-03-01T14:00:00Z",
          took_seconds: 2,
          who: "olga",
          text: "",
        },
        { step: "Done", state: "todo", started_at: null, took_seconds: null, who: "", text: "" },
      ],
    },
    { "GET /upgrades/u1/history": recorded },
  );
  await userEvent.click(await screen.findByRole("link", { name: "Rollback window" }));
  expect(document.activeElement?.id).toBe("gate");
  for (const name of ["Backfill", "Complete"]) expect(screen.queryByRole("link", { name })).toBeNull();
  const steps = screen.getAllByRole("listitem").filter((item) => item.querySelector("details.past"));
  const known = (phase: string) => steps.find((step) => step.textContent?.startsWith(phase))?.textContent;
  await waitFor(() => expect(known("Evidence")).toContain("The slowest shard was 9 s behind."));
  expect(known("Evidence")).toContain("2026-03-01 14:06:00");
  expect(known("Approvals")).toMatch(/2026-03-01 14:07:00.*ann approved/);
});

it("shows before the start what would stop it, and afterwards what it went by", async () => {
  const preflight = [
    {
      check: "enabled",
      verdict: "fail" as const,
      sentence: "The deployment is disabled.",
      remedy: "Enable the deployment first.",
      at: "2026-03-01T14:00:00Z",
    },
  ];
  open({
    state: "PLANNED",
    preflight,
    actions: [{ action: "start", allowed: true, reason: "", who_can: [] }],
    steps: [
      {
        step: "Preflight",
        state: "failed",
        started_at: null,
        took_seconds: null,
        who: "",
        text: "1 of 6 checks would stop the start now",
      },
    ],
  });
  await userEvent.click(await screen.findByRole("link", { name: "Preflight" }));
  expect(document.activeElement?.id).toBe("preflight");
  expect(document.activeElement?.textContent).toContain("The deployment is disabled.");
  // What a plan waits for is its start: that comes first, and no check of the switch is judged yet.
  const start = screen.getByRole("button", { name: "Start" });
  expect(start.compareDocumentPosition(document.activeElement as Element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByText("Readiness checks")).toBeNull();
});

it("names the worker that reported a shard last", async () => {
  const [first, second] = upgrade().shards.items;
  if (!first || !second) throw new Error("no shards");
  open({ shards: { total: 2, ready: 1, items: [{ ...first, node: "yard-1:4242" }, second] } });
  await userEvent.click(await screen.findByRole("gridcell", { name: /Shard 00/ }));
  expect(screen.getByText("yard-1:4242")).toBeTruthy();
});

it("keeps the button of a shard that one may not try again, and says who may", async () => {
  open(
    {},
    {
      "GET /session": {
        account: { name: "vera", email: "", roles: ["viewer"], permissions: [] },
        csrf_token: "",
        server_time: "",
        environment: "",
        version: "",
      },
    },
  );
  await userEvent.click(await screen.findByRole("gridcell", { name: /Shard 00/ }));
  const again = screen.getByRole("button", { name: /Retry this shard/ });
  expect(again.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(again);
  expect(await screen.findByText(/requires permission to repair upgrades/)).toBeTruthy();
});

it("offers what makes sense in each state", () => {
  expect(headline({ state: "PLANNED", paused: false })).toEqual(["start", "edit", "abort"]);
  expect(headline({ state: "SYNCING", paused: true })).toEqual(["resume", "throttle", "abort"]);
  expect(headline({ state: "REVERSIBLE", paused: false })).toEqual(["rollback", "extend", "complete"]);
  expect(headline({ state: "COMPLETED", paused: false })).toEqual([]);
});

it("enables reverse replication in words of its own", async () => {
  const path = "/upgrades/u1/enable-reverse-replication";
  const sent = open(
    { actions: [{ action: "enable-reverse-replication", allowed: true, reason: "", who_can: [] }] },
    { [`POST ${path}`]: { sentence: "The old version is brought up to date." } },
  );
  await choose("Enable reverse replication…");
  expect(await screen.findByText(/no rollback is possible/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Enable reverse replication" }));
  await waitFor(() => expect(sent.some((each) => each.path === path)).toBe(true));
});

it("offers whatever else the server allows, rehearsed and by typed name", async () => {
  const sent = open(
    {
      actions: [
        { action: "retry-shard", allowed: true, reason: "", who_can: [] },
        { action: "enable-reverse-replication", allowed: false, reason: "Denied.", who_can: [] },
      ],
    },
    { "POST /upgrades/u1/retry-shard": { sentence: "The failed shard would start again." } },
  );
  await choose("Retry shard…");
  expect(await screen.findByText("The failed shard would start again.")).toBeTruthy();
  await userEvent.type(await screen.findByLabelText(/to confirm/), "secrets.example.com@us-west2");
  await userEvent.click(screen.getByRole("button", { name: "Retry shard" }));
  await waitFor(() => expect(sent.some((each) => each.path === "/upgrades/u1/retry-shard")).toBe(true));
  expect(screen.queryByRole("button", { name: /Enable reverse/ })).toBeNull();
});

it("refuses an action that it does not know", async () => {
  const sent = open({ actions: [{ action: "archive-it", allowed: true, reason: "", who_can: [] }] });
  await choose("Archive it…");
  expect(await screen.findByText("This console does not know archive-it. Reload the page.")).toBeTruthy();
  expect(sent.some((each) => each.path.includes("archive-it"))).toBe(false);
});

it("writes an incident note from what is known, and leaves the rest to people", () => {
  const note = incidentNote(
    upgrade({
      steps: [
        { step: "Planned", state: "done", started_at: "2026-03-01T14:00:00Z", took_seconds: 2, who: "olga", text: "" },
        { step: "Readiness", state: "skipped", started_at: null, took_seconds: null, who: "", text: "" },
      ],
    }),
    "https://here/upgrades/u1",
  );
  expect(note.split("\n").slice(0, 8)).toEqual([
    "# secrets.example.com @ us-west2 was rolled back from v1 to v1alpha2",
    "",
    "Upgrade: https://here/upgrades/u1",
    "Planned for: For the portal.",
    "",
    "## What happened",
    "",
    "- 2026-03-01T14:00:00Z Planned (olga)",
  ]);
  expect(note).not.toContain("Readiness");
});

it("announces a blockage once when it appears, and when the last one is gone", () => {
  const cause = (kind: "no-worker" | "throttled", needsPerson: boolean) => ({
    kind,
    sentence: `${kind} since a minute.`,
    since: null,
    remedy: "",
    needs_person: needsPerson,
  });
  const [none, one, two] = [[], [cause("throttled", false)], [cause("throttled", false), cause("no-worker", true)]];
  const news = [
    [none, one],
    [one, one],
    [one, two],
    [two, one],
    [one, none],
    [none, none],
  ].map(([was = [], now = []]) => blockageNews({ blockages: was }, { blockages: now }));
  expect(news).toEqual([
    { sentence: "throttled since a minute.", isUrgent: false },
    null,
    { sentence: "no-worker since a minute.", isUrgent: true },
    null,
    { sentence: "no longer blocked", isUrgent: false },
    null,
  ]);
});
