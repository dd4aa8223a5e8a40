import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import { byClient, removable, UsagePage } from "./UsagePage";
import type { UsedPlace } from "./usedPlace";

const SERVICE = "shelves.example.com";
const place = (more: Partial<UsedPlace>): UsedPlace => ({
  kind: "field",
  place: "Box.title",
  deprecated_since: null,
  sunset: null,
  replaced_by: "",
  senders: [{ client: "stock", release: "1.4", messages: 3, last_seen_on: "2026-11-20" }],
  readers: [{ client: "label", release: "2", messages: 1, last_seen_on: "2026-11-21" }],
  last_used_on: "2026-11-21",
  answers_looked_into: 200,
  answers_with_it: 12,
  share_error: 0.033,
  messages: 203,
  observed_days: 20,
  period_days: 35,
  proved_unused: false,
  confidence: 0,
  reasons: ["not proved unused: it was seen 4 times"],
  removable_on: "2026-12-26",
  ...more,
});
const unused = place({
  place: "Box.weight",
  senders: [],
  readers: [],
  last_used_on: null,
  proved_unused: true,
  confidence: 0.9503,
  reasons: [],
});
const routes = (
  <Routes>
    <Route path="/versions/:service/usage" element={<UsagePage />} />
  </Routes>
);

it("shows by field who sends and who reads it, what is proved, and announces a removal", async () => {
  const sent = serve({
    "GET /session": {
      account: { name: "olga", roles: ["x"], permissions: ["registry.read", "registry.write"] },
      csrf_token: "",
    },
    [`GET /services/${SERVICE}`]: { versions: ["v1", "v2"] },
    [`GET /services/${SERVICE}/usage/places`]: { items: [place({}), unused] },
    [`POST /services/${SERVICE}/usage/deadlines`]: {},
  });
  show(routes, `/versions/${SERVICE}/usage`);
  const row = (await screen.findByText("Box.title")).closest("tr") as HTMLElement;
  expect(within(row).getByText("stock")).toBeTruthy();
  expect(within(row).getByText("label")).toBeTruthy();
  expect(within(row).getByText("Not before 2026-12-26, if no client uses it from now on")).toBeTruthy();
  expect(within(row).getByText(/12 of 200 answers .* \(± 3.3 %\)/)).toBeTruthy();
  await userEvent.click(await within(row).findByRole("button", { name: "Announce…" }));
  await userEvent.type(await screen.findByLabelText(/Deadline/), "2027-06-30");
  await userEvent.click(screen.getByRole("button", { name: "Announce" }));
  const asked = sent.filter((each) => each.method === "POST").at(-1);
  expect(asked?.body).toEqual({ version: "v1", place: "Box.title", deadline: "2027-06-30", note: "" });
});

it("groups the same rows by client", async () => {
  expect(byClient([place({}), unused])).toEqual([
    { client: "label", sends: [], reads: ["Box.title"], last: "2026-11-21" },
    { client: "stock", sends: ["Box.title"], reads: [], last: "2026-11-20" },
  ]);
});

it("says when something may go", () => {
  expect(removable(unused)).toBe("Now: unused with a confidence of 95.0 %");
  expect(removable(place({ removable_on: null }))).toBe("Unknown: too little was seen");
});

const brownOut = {
  id: "b1",
  service: SERVICE,
  version: "v1",
  kind: "field",
  place: "Box.title",
  percent: 5,
  begins_at: "2026-11-26T09:00:00Z",
  ends_at: "2026-11-26T10:00:00Z",
  sunset: "2027-06-30",
  replaced_by: "label",
  note: "",
  state: "running",
  requested_by: "olga",
  requested_at: "2026-11-25T09:00:00Z",
  approvals_needed: 0,
  approvals_asked: "",
  approved_by: [],
  stopped_by: "",
  stopped_at: null,
  stop_reason: "",
  refused: 7,
  refused_clients: [
    { client: "stock", release: "1.4", method: "Box.update", requests: 7, last_seen: "2026-11-26T09:30:00Z" },
  ],
};

it("shows who was refused by a brown-out, stops it, and announces one of a deprecated field", async () => {
  const sent = serve({
    "GET /session": {
      account: { name: "olga", roles: ["x"], permissions: ["registry.read", "registry.write"] },
      csrf_token: "",
    },
    [`GET /services/${SERVICE}`]: { versions: ["v1"] },
    [`GET /services/${SERVICE}/usage/places`]: { items: [place({ sunset: "2027-06-30" }), unused] },
    [`GET /services/${SERVICE}/usage/brown-outs`]: { items: [brownOut] },
    [`GET /services/${SERVICE}/usage/key-strategies`]: { items: [] },
    [`POST /services/${SERVICE}/usage/brown-outs`]: { ...brownOut, state: "announced" },
    "POST /brown-outs/b1/stop": { ...brownOut, state: "stopped" },
  });
  show(routes, `/versions/${SERVICE}/usage`);
  expect(await screen.findByText("refusing requests")).toBeTruthy();
  expect(screen.getByText("Box.update").closest("li")?.textContent).toBe("stock (1.4): 7 Box.update");
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
  expect(sent.some((each) => each.method === "POST" && each.path === "/brown-outs/b1/stop")).toBe(true);
  // Only what is deprecated is browned out, and the whole version.
  expect(screen.getAllByRole("button", { name: "Brown-out…" })).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Brown-out…" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText(/Until/), "2026-12-01T10:00");
  await userEvent.click(within(dialog).getByRole("button", { name: "Announce" }));
  const asked = sent.filter((each) => each.path === `/services/${SERVICE}/usage/brown-outs` && each.body).at(-1);
  expect(asked?.body).toEqual({
    version: "v1",
    place: "Box.title",
    percent: 5,
    ends_at: "2026-12-01T10:00:00Z",
    note: "",
  });
});

it.each([
  [null, "v1 is not deprecated. Set its retirement day first."],
  ["2027-06-30", ""],
])("offers a brown-out of the whole version only once it is deprecated: %s", async (retires_on, reason) => {
  serve({
    "GET /session": {
      account: { name: "olga", roles: ["x"], permissions: ["registry.read", "registry.write"] },
      csrf_token: "",
    },
    [`GET /services/${SERVICE}`]: { versions: ["v1"], retirements: retires_on ? { v1: { retires_on } } : {} },
    [`GET /services/${SERVICE}/usage/places`]: { items: [place({ kind: "version", place: "v1" })] },
    [`GET /services/${SERVICE}/usage/brown-outs`]: { items: [] },
    [`GET /services/${SERVICE}/usage/key-strategies`]: { items: [] },
  });
  show(routes, `/versions/${SERVICE}/usage`);
  await screen.findByRole("button", { name: "Announce…" });
  await userEvent.click(screen.getByRole("button", { name: /Brown-out…/ }));
  if (reason) {
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(screen.queryByLabelText(/Until/)).toBeNull();
  } else expect(await screen.findByLabelText(/Until/)).toBeTruthy();
});

it("sets what is done with one unknown field, and ends it", async () => {
  const strategy = {
    id: "k1",
    service: SERVICE,
    version: "v1",
    place: "Box.legacy",
    strategy: "filter",
    reason: "Old stock.",
    until: "2027-01-01T00:00:00Z",
    state: "in-force",
    is_known: false,
    set_by: "olga",
    set_at: "2026-11-25T09:00:00Z",
    ended_by: "",
    ended_at: null,
  };
  const sent = serve({
    "GET /session": {
      account: { name: "olga", roles: ["x"], permissions: ["registry.read", "registry.write"] },
      csrf_token: "",
    },
    [`GET /services/${SERVICE}`]: { versions: ["v1"] },
    [`GET /services/${SERVICE}/usage/places`]: { items: [] },
    [`GET /services/${SERVICE}/usage/brown-outs`]: { items: [] },
    [`GET /services/${SERVICE}/usage/key-strategies`]: { items: [strategy] },
    [`POST /services/${SERVICE}/usage/key-strategies`]: strategy,
    "POST /key-strategies/k1/end": { ...strategy, state: "ended" },
  });
  show(routes, `/versions/${SERVICE}/usage`);
  expect(await screen.findByText("olga: Old stock.")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "End" }));
  expect(sent.some((each) => each.path === "/key-strategies/k1/end")).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Set a strategy…" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText(/^Field/), "Box.old");
  await userEvent.type(within(dialog).getByLabelText(/Until/), "2026-12-01T10:00");
  await userEvent.type(within(dialog).getByLabelText(/Reason/), "Old stock.");
  await userEvent.click(within(dialog).getByRole("button", { name: "Set" }));
  const asked = sent.filter((each) => each.path === `/services/${SERVICE}/usage/key-strategies` && each.body).at(-1);
  expect(asked?.body).toEqual({
    version: "v1",
    place: "Box.old",
    strategy: "filter",
    reason: "Old stock.",
    until: "2026-12-01T10:00:00Z",
  });
});
