import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { shard, upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import { tick } from "../../time/clock";
import type { QuarantinedResource, Step, Upgrade, UpgradeSummary } from "../../wire/model";
import { DataTasks, Silence, SwitchSteps } from "./Evidence";
import { QuarantinedResources } from "./Quarantine";
import { incidentNote, lossText, newestFirst, RollbackPage } from "./RollbackPage";
import { go, Sections } from "./Sections";
import { Stepper } from "./Stepper";

const NOW = Date.parse("2026-03-01T14:10:00Z");
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const page = (...items: unknown[]): Record<string, unknown> => ({ items, next_cursor: null, has_more: false });
const session = (...permissions: string[]): Record<string, unknown> => ({
  account: { name: "olga", email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});

beforeEach(() => tick.set(NOW));

describe("what would be lost by a rollback", () => {
  const progress = upgrade().progress;
  it.each([
    [0, 0.3, "ok", "No expected data loss: reverse replication is healthy, lag 0.3 s, and no resource is quarantined."],
    [0, null, "wait", "The lag of the reverse replication is unknown."],
    [1, 0.3, "wait", "1 resource is quarantined: their writes under v1 would be lost."],
    [3, null, "wait", "3 resources are quarantined: their writes under v1 would be lost."],
  ])("with %d quarantined and a lag of %s", (quarantined_count, lag_seconds, tone, text) => {
    expect(
      lossText({ ...upgrade(), quarantined_count, to_version: "v1", progress: { ...progress, lag_seconds } }),
    ).toEqual({
      tone,
      text,
    });
  });
});

it("lists the regions that switched last first, and of the same version alone", () => {
  const row = (id: string, to_version: string, reversible_until: string | null): UpgradeSummary =>
    ({ id, to_version, reversible_until }) as UpgradeSummary;
  const rows = [row("u1", "v1", ago(0)), row("u2", "v1", ago(50)), row("u3", "v2", ago(1)), row("u4", "v1", ago(9))];
  expect(newestFirst([...rows, row("u5", "v1", null)], { id: "u1", to_version: "v1" }).map((each) => each.id)).toEqual([
    "u4",
    "u2",
    "u5",
  ]);
});

it("begins the note of an incident with what was recorded", () => {
  const note = incidentNote(
    upgrade({
      comment: "For the portal.",
      steps: [
        { step: "Planned", state: "done", started_at: "t1", took_seconds: 2, who: "olga", text: "" },
        { step: "Switching", state: "done", started_at: "t2", took_seconds: 1, who: "", text: "" },
        { step: "Done", state: "todo", started_at: null, took_seconds: null, who: "", text: "" },
      ],
    }),
    "https://console/upgrades/u1",
  );
  expect(note.split("\n").slice(0, 9)).toEqual([
    "# secrets.example.com @ us-west2 was rolled back from v1 to v1alpha2",
    "",
    "Upgrade: https://console/upgrades/u1",
    "Planned for: For the portal.",
    "",
    "## What happened",
    "",
    "- t1 Planned (olga)",
    "- t2 Switching",
  ]);
});

describe("the page of a rollback", () => {
  function open(part: Partial<Upgrade>, answers: Record<string, unknown> = {}): void {
    serve({ "GET /upgrades/u1": upgrade(part), "GET /session": session("upgrade.rollback"), ...answers });
    show(
      <Routes>
        <Route path="/upgrades/:id/rollback" element={<RollbackPage />} />
      </Routes>,
      "/upgrades/u1/rollback",
    );
  }

  it("says what a rollback does, until when it is possible and who must agree", async () => {
    open(
      {
        state: "REVERSIBLE",
        freeze_ms: 180.4,
        reversible_until: "2026-03-03T14:00:00Z",
        readiness: {
          ...upgrade().readiness,
          checks: [],
          approvals: {
            ...upgrade().readiness.approvals,
            purpose: "revert",
            needed: 2,
            votes_given: 1,
            group: "approver",
          },
        },
        shards: { total: 2, ready: 2, items: [shard(0, { applied: 700 }), shard(1, { applied: 534 })] },
        actions: [{ action: "rollback", allowed: true, reason: "", who_can: [] }],
      },
      { "GET /upgrades": page() },
    );
    expect(await screen.findByText(/; the switch there took 180 ms/)).toBeTruthy();
    expect(screen.getByText("1 of 2 from approver")).toBeTruthy();
    expect(screen.getByText(/1,234 changes/).textContent).toBe("1,234 changes replicated back");
    expect(screen.getByText("No checks are required.")).toBeTruthy();
    expect(await screen.findByText("No other region can be rolled back from v1.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Roll back…" }));
    expect(await screen.findByRole("dialog", { name: "Roll back to v1alpha2" })).toBeTruthy();
  });

  it("leads to the other regions in the order to roll them back", async () => {
    const row = (id: string, region: string, seconds: number): unknown => ({
      id,
      region,
      to_version: "v1",
      reversible_until: ago(seconds),
    });
    open(
      { state: "REVERSIBLE" },
      {
        "GET /upgrades": page(row("u1", "us-west2", 1), row("u2", "eu-1", 90), row("u3", "ap-1", 30)),
      },
    );
    const links = await screen.findAllByRole("link", { name: /^(eu|ap|us)-/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/upgrades/u3/rollback", "/upgrades/u2/rollback"]);
  });

  it.each<[Upgrade["state"], RegExp, string]>([
    ["COMPLETED", /The rollback window is closed\./, "Plan an upgrade"],
    ["REVERTED", /Rolled back\. Writes made in between were kept\./, "Activity"],
    ["READY", /A rollback is possible only after a switch\./, "Open the upgrade"],
  ])("in %s says why there is none", async (state, text, link) => {
    open({ state });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole("link", { name: link })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Roll back…" })).toBeNull();
  });
});

describe("quarantined resources", () => {
  const item = (part: Partial<QuarantinedResource> = {}): QuarantinedResource =>
    ({
      type: "Secret",
      name: "projects/p/secrets/door",
      shard: 3,
      error: "labels[0] is not a string",
      attempts: 4,
      state: "WAITING",
      retry_at: ago(-90),
      changes_behind: 2,
      ...part,
    }) as QuarantinedResource;
  const table = (part: Partial<Upgrade> = {}): void =>
    void show(<QuarantinedResources upgrade={upgrade({ quarantined_count: 1, ...part })} />);

  it("are read only, and not tried again, by who may not repair", async () => {
    serve({ "GET /session": session(), "GET /upgrades/u1/quarantine": page(item()) });
    table();
    const row = await screen.findByRole("row", { name: /door/ });
    expect(within(row).getByText("in 1 min")).toBeTruthy();
    expect(within(row).getByText("Secret · shard 3 · 2 changes behind")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("are due at any moment once their time has come", async () => {
    serve({ "GET /session": session(), "GET /upgrades/u1/quarantine": page(item({ retry_at: ago(1) })) });
    table();
    expect(await screen.findByText("any moment")).toBeTruthy();
  });

  it.each<[Upgrade["state"], string]>([
    ["SYNCING", "v1alpha2"],
    ["REVERSIBLE", "v1"],
  ])("in %s lead to the resource in %s", async (state, version) => {
    serve({ "GET /session": session(), "GET /upgrades/u1/quarantine": page(item()) });
    table({ state });
    const link = await screen.findByRole("link", { name: "projects/p/secrets/door" });
    expect(link.getAttribute("href")).toContain(version);
  });

  it("are tried again one by one", async () => {
    const sent = serve({
      "GET /session": session("upgrade.repair"),
      "GET /upgrades/u1/quarantine": page(item()),
      "POST /upgrades/u1/quarantine": page(),
    });
    table();
    fireEvent.click(await screen.findByRole("button", { name: "Try again: projects/p/secrets/door" }));
    await waitFor(() => expect(sent.some((one) => one.method === "POST")).toBe(true));
    expect(sent.find((one) => one.method === "POST")?.body).toEqual({
      type: "Secret",
      name: "projects/p/secrets/door",
      verdict: "retry",
      comment: "",
    });
  });

  it("are excluded only with a reason", async () => {
    const sent = serve({
      "GET /session": session("upgrade.repair"),
      "GET /upgrades/u1/quarantine": page(item()),
      "POST /upgrades/u1/quarantine": page(),
    });
    table();
    fireEvent.click(await screen.findByRole("button", { name: "Exclude projects/p/secrets/door" }));
    const dialog = await screen.findByRole("dialog", { name: "Exclude this resource" });
    const exclude = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Exclude" });
    fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: "   " } });
    expect(exclude.disabled).toBe(true);
    fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: " not used " } });
    fireEvent.click(exclude);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent.find((one) => one.method === "POST")?.body).toMatchObject({ verdict: "waive", comment: "not used" });
  });

  it("are nothing to show where there are none", () => {
    const sent = serve({ "GET /session": session() });
    show(<QuarantinedResources upgrade={upgrade()} />);
    expect(screen.queryByRole("table")).toBeNull();
    expect(sent.some((one) => one.path.includes("quarantine"))).toBe(false);
  });
});

describe("the steps", () => {
  const step = (name: string, part: Partial<Step> = {}): Step => ({
    step: name,
    state: "todo",
    started_at: null,
    took_seconds: null,
    who: "",
    text: "",
    ...part,
  });

  it("say in words where each of them stands, how long it took and who did it", () => {
    show(
      <Stepper
        stage="INITIAL_SYNCING"
        steps={[
          step("Planned", { state: "done", started_at: ago(600), took_seconds: 125, who: "olga" }),
          step("Initial sync", { state: "current", text: "15 of 20 resources" }),
          step("Preflight", { state: "skipped" }),
          step("Done"),
        ]}
      />,
    );
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Planned, done14:00:00 UTC2 min · olga",
      "Initial sync, in progress15 of 20 resourcesINITIAL_SYNCING",
      "Preflight, not needednot needed",
      "Done, to do",
    ]);
    expect(screen.getByText("Initial sync").closest("li")?.getAttribute("aria-current")).toBe("step");
  });

  it("lead to the part of the page that they went by", () => {
    show(
      <>
        <Stepper stage="" steps={[step("Readiness", { state: "done", text: "2 checks" }), step("Done")]} />
        <section id="gate" tabIndex={-1}>
          checks
        </section>
      </>,
    );
    fireEvent.click(screen.getByRole("link", { name: "Readiness" }));
    expect(document.activeElement?.id).toBe("gate");
    expect(screen.queryByRole("link", { name: "Done" })).toBeNull();
  });

  it("of the page have a number key each", () => {
    show(
      <>
        <Sections />
        {["shards", "curves", "data", "timeline", "gate"].map((id) => (
          <section key={id} id={id} tabIndex={-1} />
        ))}
      </>,
    );
    const reached = ["1", "5", "3", "9"].map((key) => {
      fireEvent.keyDown(document.body, { key });
      return document.activeElement?.id;
    });
    expect(reached).toEqual(["shards", "gate", "data", "data"]);
    fireEvent.click(screen.getByRole("link", { name: /Timeline/ }));
    expect(document.activeElement?.id).toBe("timeline");
    act(() => go("nowhere"));
    expect(document.activeElement?.id).toBe("timeline");
  });
});

describe("silence", () => {
  const heard = (seconds: number): Partial<Upgrade> => ({
    shards: { total: 1, ready: 0, items: [shard(0, { reported_at: ago(seconds) })] },
  });
  const said = (part: Partial<Upgrade>, moving = true): string | null => {
    const view = show(<Silence upgrade={upgrade(part)} moving={moving} />);
    const text = screen.queryByRole("status")?.textContent ?? null;
    view.unmount();
    return text;
  };

  it("is told from half a minute on, where reports are expected", () => {
    expect(said(heard(29))).toBeNull();
    expect(said(heard(95))?.trim()).toBe(
      "No reports from secrets.example.com @ us-west2 for 1 min; the state may be outdated.",
    );
    expect([said(heard(95), false), said({ ...heard(95), paused: true })]).toEqual([null, null]);
    expect(said({ shards: { total: 1, ready: 0, items: [shard(0)] } })).toBeNull();
  });
});

it("shows the steps of a switch with the time that each took", () => {
  const steps = [
    { step: "freeze", state: "done", took_seconds: 0.0123, text: "Writers wait." },
    { step: "flip", state: "done", took_seconds: null, text: "" },
  ] as Upgrade["switch_steps"];
  show(<SwitchSteps steps={steps} />);
  expect(screen.getByRole("row", { name: "freeze done Writers wait. 12 ms" })).toBeTruthy();
  expect(within(screen.getByRole("row", { name: /^flip/ })).getByText("–")).toBeTruthy();
});

it("shows how far data tasks are, by what their shards said", () => {
  const task = (part: Partial<Upgrade["data_tasks"][number]>): Upgrade["data_tasks"][number] =>
    ({ task_tag: "t", target_data_version: "", done: 0, total: 2, progress: {}, ...part }) as never;
  show(
    <DataTasks
      tasks={[
        task({ task_tag: "reindex", done: 1, progress: { rows: 1200, left: 30 } }),
        task({ task_tag: "silent" }),
        task({ task_tag: "over", done: 2, target_data_version: "d2" }),
      ]}
    />,
  );
  expect(
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell").at(-1)?.textContent),
  ).toEqual(["rows: 1,200 · left: 30", "no shard has reported yet", "done"]);
  expect(screen.getByRole("row", { name: /over d2 2 of 2 done/ })).toBeTruthy();
});
