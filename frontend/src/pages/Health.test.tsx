import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import text from "../../../docs/how-to/runbooks.md?raw";
import { newBuild, noteBuild } from "../api/build";
import { NewVersion } from "../shell/NewVersion";
import { serve, show } from "../test/show";
import { HealthGroups, HealthTable, LATE_SECONDS, QuarantinedWork, turnsWord, WorkClasses, workerText } from "./Health";
import { workTitle } from "./health/workNames";
import { runbooks, RunbooksPage } from "./Runbooks";
import type { Health } from "../wire/model";

const row = {
  region: "eu-1",
  controller: "sync",
  keys: 16,
  held: 1,
  late: 0,
  quarantined: 0,
  leader: "w1:7:9",
  last_turn_at: null,
  age_seconds: null,
};

const HEALTHY = { status: "ok", components: [], work_classes: [] } as const satisfies Health;

it("names what waits for a person before what is late, and that before who works", () => {
  expect(turnsWord({ held: 1, late: 2, quarantined: 3 }).word).toBe("3 quarantined");
  expect(turnsWord({ held: 1, late: 2, quarantined: 0 }).word).toBe("2 late");
  expect(turnsWord({ held: 1, late: 0, quarantined: 0 }).word).toBe("running");
  expect(turnsWord({ held: 0, late: 0, quarantined: 0 }).word).toBe("on schedule");
});

it("shows who leads in one region, or everywhere", async () => {
  serve({
    "GET /health/controllers": {
      items: [row, { ...row, region: "", controller: "courier", leader: "w2:1:1" }],
      next_cursor: null,
      has_more: false,
    },
  });
  show(<HealthGroups of={HEALTHY} />, "/health?region=eu-1");
  expect(await screen.findByText("process 7 on w1")).toBeTruthy();
  expect(screen.queryByText("process 1 on w2")).toBeNull();
});

it("folds the controllers that run on schedule into one line, and shows the others", async () => {
  serve({
    "GET /health/controllers": {
      items: [
        row,
        { ...row, controller: "parity", held: 0, leader: "w2:1:1" },
        { ...row, controller: "switch", late: 2, leader: "w3:1:1" },
      ],
      next_cursor: null,
      has_more: false,
    },
  });
  show(<HealthGroups of={HEALTHY} />, "/health");
  const line = await screen.findByText("2 controllers run on schedule");
  const folded = line.closest("details") as HTMLDetailsElement;
  expect(folded.open).toBe(false);
  expect(within(folded).getByText("process 7 on w1")).toBeTruthy();
  expect(within(folded).queryByText("process 1 on w3")).toBeNull();
  expect(screen.getByText("process 1 on w3")).toBeTruthy();
  await userEvent.click(line);
  expect(folded.open).toBe(true);
});

it("shows the share of each class of work, and marks the one that waits too long", () => {
  const one = { work_class: "backfill", share: 20, due: 3, late_seconds: LATE_SECONDS + 0.5, used_seconds: 12 };
  show(
    <WorkClasses
      classes={[
        { ...one, work_class: "switch", share: null, due: 0, late_seconds: 0 },
        one,
        { ...one, work_class: "catch-up", share: 30, late_seconds: 2 },
      ]}
    />,
  );
  const cells = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells).toEqual([
    ["Version switch", "on time", "first", "0", "–", "12.0 s"],
    ["Backfill", "late", "40 %", "3", "30.5 s", "12.0 s"],
    ["Catch-up", "on time", "60 %", "3", "2.0 s", "12.0 s"],
  ]);
});

it("links what is not well to its runbook", () => {
  const one = {
    name: "broker",
    status: "down",
    detail: "It is away.",
    since: null,
    remedy: null,
    runbook: "/runbooks#broker",
  } as const;
  show(<HealthTable components={[one, { ...one, name: "sweep", status: "ok", runbook: "/runbooks#sweep" }]} />);
  expect(screen.getAllByRole("link").map((each) => each.getAttribute("href"))).toEqual(["/runbooks#broker"]);
});

it("shows the commands of a remedy as commands", () => {
  const one = {
    name: "sweep",
    status: "down",
    detail: "No sweep.",
    since: null,
    remedy: "Start `celery beat`, once.",
    runbook: "/runbooks#sweep",
  } as const;
  show(<HealthTable components={[one]} />);
  expect(screen.getByText("celery beat").tagName).toBe("CODE");
});

it("reads each runbook as sentences and steps", () => {
  const found = runbooks(text);
  expect(found.map((each) => each.name)).toContain("stream");
  expect(found.every((each) => each.sentences.length > 0 && each.steps.length > 0)).toBe(true);
});

it("offers a newer console, and names what is typed and not sent before it reloads", async () => {
  const meta = document.createElement("meta");
  meta.name = "console-build";
  meta.content = "aaa";
  document.head.append(meta);
  const reload = vi.fn();
  vi.stubGlobal("location", { ...location, reload });
  try {
    show(
      <>
        <NewVersion />
        <textarea aria-label="Comment" />
      </>,
    );
    noteBuild("aaa");
    expect(screen.queryByRole("status")).toBeNull();
    await userEvent.type(screen.getByLabelText("Comment"), "half a thought");
    noteBuild("bbb");
    await userEvent.click(await screen.findByRole("button", { name: "Reload" }));
    expect(reload).not.toHaveBeenCalled();
    expect(screen.getByText(/“half a thought”/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Reload anyway" }));
    expect(reload).toHaveBeenCalledTimes(1);
  } finally {
    vi.unstubAllGlobals();
    newBuild.set("");
    meta.remove();
  }
});

it.each([
  ["sync", "u21bd185d95/forward/1", "shard 1", undefined],
  ["sync", "u21bd185d95/reverse/0-15", "shard 0-15, reverse replication", undefined],
  ["switch", "u21bd185d95", "the upgrade itself", undefined],
  ["search", "services/iam/deployments/eu-1", "Deployment iam @ eu-1", "/d/iam/eu-1"],
  ["read-copies", "services/iam/deployments/eu-1<us-1", "Deployment iam @ eu-1, from region us-1", "/d/iam/eu-1"],
  ["feed-watch", "default", "Data database default", undefined],
  ["feed-watch", "default/iam_v1", "Namespace iam_v1 in data database default", undefined],
  ["approvals", "a1", "Approval request a1", "/approvals/a1"],
  ["safety-net", "search", "Missed work of: Search index", undefined],
  ["housekeeping", "attempts", "Attempts to sign in", undefined],
  ["ledger", "chain", "All entries of the audit log", undefined],
])("names the work of %s with the key %s", (controller, key, text, to) => {
  expect(workTitle({ controller, key })).toMatchObject(to ? { text, to } : { text });
});

it("does not name work of a kind that it does not know", () => {
  expect(workTitle({ controller: "later", key: "u21bd185d95" })).toBeNull();
  expect(workTitle({ controller: "search", key: "another" })).toBeNull();
});

it("is one list of groups, the worst first, and folds the healthy ones", async () => {
  serve({
    "GET /health/controllers": {
      items: [row, { ...row, controller: "switch", late: 2 }],
      next_cursor: null,
      has_more: false,
    },
  });
  const part = { detail: "", since: null, remedy: null, runbook: "/runbooks" };
  const work = { work_class: "backfill", share: 20, due: 0, late_seconds: 0, used_seconds: 12 };
  show(
    <HealthGroups
      of={{
        status: "down",
        components: [
          { ...part, name: "database", status: "ok" },
          { ...part, name: "broker", status: "ok" },
          { ...part, name: "data default", status: "ok" },
          { ...part, name: "workers", status: "down" },
          { ...part, name: "stream", status: "ok" },
        ],
        work_classes: [work],
      }}
    />,
  );
  await screen.findByText("2 controllers");
  const groups = [...document.querySelectorAll<HTMLDetailsElement>(".health-group")];
  expect(groups.map((group) => [group.querySelector("b")?.textContent, group.open])).toEqual([
    ["Background work", true],
    ["Controllers", true],
    ["Databases", false],
    ["Live updates", false],
    ["Classes of work", false],
  ]);
  const [worst] = groups;
  expect(worst?.querySelector("tbody th")?.textContent).toContain("Workers");
  expect(worst && within(worst).getByText("1 healthy component")).toBeTruthy();
});

it("does not take controllers of which none has run for healthy", async () => {
  serve({ "GET /health/controllers": { items: [], next_cursor: null, has_more: false } });
  show(<HealthGroups of={HEALTHY} />);
  const count = await screen.findByText("0 controllers");
  expect(count.closest("summary")?.textContent).toMatch(/^unknown/);
});

it("names quarantined work by its upgrade or deployment", async () => {
  const one = { code: "", reason: "It failed.", remedy: "", since: "2026-03-01T14:00:00Z" };
  const about = { service: "iam", region: "eu-1", from_version: "v1", to_version: "v2" };
  serve({
    "GET /health/quarantined-work": {
      items: [
        { ...one, controller: "sync", key: "u21bd185d95/forward/1" },
        { ...one, controller: "read-copies", key: "services/web/deployments/us-1" },
      ],
      next_cursor: null,
      has_more: false,
    },
    "GET /upgrades/u21bd185d95": about,
  });
  show(<QuarantinedWork />);
  const upgrade = await screen.findByRole("link", { name: "Upgrade of iam @ eu-1, v1 to v2" });
  expect(upgrade.getAttribute("href")).toBe("/upgrades/u21bd185d95");
  expect(upgrade.closest("td")?.textContent).toContain("shard 1");
  expect(screen.getByRole("link", { name: "Deployment web @ us-1" }).getAttribute("href")).toBe("/d/web/us-1");
});

it("names the worker that leads, and keeps a name of another form", () => {
  expect(["vm:19706:1404", "vm:7", "beside", ""].map(workerText)).toEqual([
    "process 19706 on vm",
    "process 7 on vm",
    "beside",
    "–",
  ]);
});

it("folds healthy components below those that are not, worst first", () => {
  const one = { detail: "", since: null, remedy: null, runbook: "/runbooks" };
  show(
    <HealthTable
      components={[
        { ...one, name: "sweep", status: "ok" },
        { ...one, name: "workers", status: "degraded" },
        { ...one, name: "broker", status: "down" },
        { ...one, name: "stream", status: "ok" },
      ]}
    />,
  );
  const folded = screen.getByText("2 healthy components").closest("details") as HTMLDetailsElement;
  expect(folded.open).toBe(false);
  expect(within(folded).getByText("stream", { exact: false })).toBeTruthy();
  const shown = within(screen.getByRole("table", { name: "Components" })).getAllByRole("rowheader");
  expect(shown.map((each) => each.textContent?.replace(/broker$|workers$/, ""))).toEqual(["Message ", "Workers"]);
});

it("heads each runbook with the name of the component that the page of the health shows", () => {
  show(<RunbooksPage />, "/runbooks");
  const titles = screen.getAllByRole("heading", { level: 2 }).map((title) => title.textContent);
  expect(titles.slice(0, 3)).toEqual(["Control database", "Message broker", "Data databases"]);
  expect(titles.filter((title) => /^[a-z]/.test(title))).toEqual([]);
});
