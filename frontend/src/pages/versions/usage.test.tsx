import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { byClient, removable, UsagePage, type UsedPlace } from "./UsagePage";

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
