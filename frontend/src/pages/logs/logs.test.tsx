import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { ActivityEntry, ConversionRecord, ConversionSession, Logs, ResourceChange } from "../../wire/logs";
import { ActivityLogPage } from "./ActivityLogPage";
import { ConversionRecordsPage } from "./ConversionRecordsPage";
import { ConversionSessionsPage } from "./ConversionSessionsPage";
import { fieldChanges, imageChanges } from "./fields";
import { ResourceChangesPage } from "./ResourceChangesPage";

const AT = "?service=secrets.example.com&region=eu";
const BASE = "/deployments/secrets.example.com/eu";
const NOW = "2026-03-01T12:00:00Z";

function page<T>(items: T[]) {
  return { items, next_cursor: null, has_more: false };
}

const change: ResourceChange = {
  id: "v1/7",
  at: NOW,
  version: "v1",
  operation: "update",
  type: "Secret",
  name: "projects/p/secrets/door",
  uid: "5f0c0000-0000-4000-8000-000000000001",
  revision: "2",
  caller: "billing",
  request_id: "r-2",
  changed: ["title"],
  before: { body: { title: "Door", encData: "[redacted]" }, metadata: { generation: "1" } },
  after: { body: { title: "Gate", encData: "[redacted]" }, metadata: { generation: "2" } },
};

it("lists the fields that differ, those of the metadata last", () => {
  expect(imageChanges(change.before, change.after)).toEqual([
    { field: "title", before: "Door", after: "Gate" },
    { field: "metadata.generation", before: "1", after: "2" },
  ]);
  expect(fieldChanges(null, { size: 3, tags: ["a"] })).toEqual([
    { field: "size", before: "", after: "3" },
    { field: "tags", before: "", after: '["a"]' },
  ]);
});

it("shows what a change was before and after, and the way to its request", async () => {
  serve({ [`GET ${BASE}/resource-changes`]: page([change, { ...change, id: "v1/8", before: null, after: null }]) });
  show(<ResourceChangesPage />, `/logs/changes${AT}`);
  const [first, second] = await screen.findAllByRole("button", {
    name: "Details of revision 2 of projects/p/secrets/door",
  });
  await userEvent.click(first as HTMLElement);
  expect(screen.getByRole("cell", { name: "Gate" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "The request" }).getAttribute("href")).toBe(
    "/logs/activity?service=secrets.example.com&region=eu&request_id=r-2",
  );
  await userEvent.click(second as HTMLElement);
  expect(screen.getByText("Unknown: this change is older than the log.")).toBeTruthy();
});

const entry: ActivityEntry = {
  id: "9",
  at: NOW,
  version: "v1alpha2",
  method: "get",
  type: "Secret",
  name: "projects/p/secrets/door",
  caller: "billing",
  client: "billing/4.2",
  status: 404,
  error: "not-found",
  milliseconds: 1.25,
  request_id: "r-3",
  served: "translated",
  via: "",
  kind: "read",
  weight: 100,
};
const logs: Logs = {
  rev: 0,
  read_sampling: 0.01,
  activity_days: 30,
  change_days: 30,
  set_by: "",
  set_at: null,
  logged: 12,
  dropped: 0,
  unfinished: [],
};

it("shows who called what, sends the filters, and says what is missing", async () => {
  const sent = serve({
    [`GET ${BASE}/activity`]: page([entry]),
    [`GET ${BASE}/logs`]: {
      ...logs,
      dropped: 3,
      unfinished: [{ process: "web:1", flushed_at: NOW, entries: 4 }],
    },
  });
  show(<ActivityLogPage />, `/logs/activity${AT}&status=4xx`);
  expect(await screen.findByText("404 not-found")).toBeTruthy();
  expect(screen.getByText("one of about 100 reads")).toBeTruthy();
  expect(await screen.findByText(/All writes and 1 % of the reads are logged/)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toContain("3 requests were dropped");
  expect(screen.getByRole("status").textContent).toContain("last requests of 1 process may be missing");
  await userEvent.type(screen.getByLabelText("Who"), "olga{Enter}");
  expect(sent.some(({ path }) => path === `${BASE}/activity?caller=olga&status=4xx`)).toBe(true);
});

const session: ConversionSession = {
  id: "cs-1",
  state: "OPEN",
  client: "billing",
  resource: "",
  reason: "A title is lost.",
  most_records: 100,
  recorded: 2,
  started_by: "olga",
  started_at: NOW,
  expires_at: NOW,
  ended_by: "",
  ended_at: null,
};

it("opens a session for a named resource and ends one", async () => {
  const sent = serve({
    [`GET ${BASE}/conversion-sessions`]: page([session]),
    [`POST ${BASE}/conversion-sessions`]: session,
    [`DELETE ${BASE}/conversion-sessions/cs-1`]: {},
  });
  show(<ConversionSessionsPage />, `/logs/conversions${AT}&resource=projects/p/secrets/door`);
  await userEvent.click(await screen.findByRole("button", { name: "End the session of billing" }));
  expect(sent.some(({ method }) => method === "DELETE")).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Record conversions…" }));
  const record = screen.getByRole<HTMLButtonElement>("button", { name: "Record conversions" });
  const resource = screen.getByLabelText<HTMLInputElement>(/^Resource/);
  await userEvent.clear(resource);
  await userEvent.click(record);
  expect(await screen.findByText("Enter a client, a resource or both.")).toBeTruthy();
  expect(screen.getByText("This field is required.")).toBeTruthy();
  expect(sent.some(({ method }) => method === "POST")).toBe(false);
  await userEvent.type(screen.getByLabelText(/Reason/), "A title is lost.");
  await userEvent.type(resource, "projects/p/secrets/door{Enter}");
  expect(sent.find(({ method }) => method === "POST")?.body).toEqual({
    client: "",
    resource: "projects/p/secrets/door",
    minutes: 10,
    records: 100,
    reason: "A title is lost.",
  });
});

const record: ConversionRecord = {
  id: "1",
  at: NOW,
  caller: "billing",
  request_id: "r-4",
  direction: "write",
  source_version: "v1alpha2",
  target_version: "v1",
  type: "Secret",
  name: "projects/p/secrets/door",
  document: { title: "Gate" },
  before: { displayName: "Door" },
  outcome: "converted",
  output_name: "projects/p/regions/eu/secrets/door",
  output: { displayName: "Gate" },
  milliseconds: 0.2,
};

it("shows the input, the output and the outcome of each conversion", async () => {
  serve({
    [`GET ${BASE}/conversion-sessions/cs-1/records`]: page([
      record,
      { ...record, id: "2", outcome: "document", output: null, output_name: "", before: null },
    ]),
  });
  show(<ConversionRecordsPage />, `/logs/conversions/one${AT}&session=cs-1`);
  expect((await screen.findAllByText("Write of Secret: v1alpha2 to v1")).length).toBe(2);
  expect(screen.getByRole("cell", { name: "Door" })).toBeTruthy();
  expect(screen.getByText("converted")).toBeTruthy();
  expect(screen.getByText("failed: document")).toBeTruthy();
  expect(screen.getByText("None.")).toBeTruthy();
});
