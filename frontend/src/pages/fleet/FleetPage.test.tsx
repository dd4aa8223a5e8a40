import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { serve, show } from "../../test/show";
import type { Cell, Fleet } from "../../wire/model";
import { FleetPage } from "./FleetPage";
import { NextWindow } from "./FleetTable";

const cell = (service: string, region: string, part: Partial<Cell> = {}): Cell => ({
  service,
  region,
  name: `services/${service}/deployments/${region}`,
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
  ...part,
});
const FLEET: Fleet = {
  regions: [
    { name: "eu", title: "", zone: "Europe/Brussels" },
    { name: "us", title: "", zone: "America/Chicago" },
  ],
  services: [
    { name: "iam", display_name: "", versions: ["v1", "v2"], rank: 0, imports: [], import_versions: [] },
    { name: "apps", display_name: "", versions: ["v1"], rank: 1, imports: ["iam"], import_versions: [] },
  ],
  cells: [cell("iam", "eu"), cell("iam", "us"), cell("apps", "eu")],
};

const WINDOWS = {
  outlooks: [
    { allowed: true, sentence: "No window or freeze applies.", rule: "", opens: null, closes: null },
    {
      allowed: false,
      sentence: "The freeze year-end forbids it.",
      rule: "year-end",
      opens: "2026-01-02T06:00:00Z",
      closes: null,
    },
    {
      allowed: true,
      sentence: "The window nights is open.",
      rule: "nights",
      opens: null,
      closes: "2026-01-01T04:00:00Z",
    },
  ],
  of: { iam: { eu: 1, us: 2 }, apps: { eu: 0 } },
};

function open(at: string): void {
  serve({
    "GET /fleet": FLEET,
    "GET /fleet/windows": WINDOWS,
    "GET /views/fleet": { items: [], next_cursor: null, has_more: false },
  });
  show(<FleetPage />, at);
}

it("shows every deployment in the grid", async () => {
  open("/fleet");
  const grid = await screen.findByRole("grid");
  expect(
    within(grid)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href")),
  ).toEqual(expect.arrayContaining(["/d/iam/eu", "/d/iam/us", "/d/apps/eu"]));
});

it("shows the same as rows, and only those of a part of the world when asked", async () => {
  open("/fleet?view=table");
  expect((await screen.findByRole("table")).getAttribute("aria-rowcount")).toBe("4");
  // No deployment has a data version, an owner or a start: their columns would only push others beyond the edge.
  const headers = screen.getAllByRole("columnheader").map((header) => header.textContent);
  expect(headers.slice(1)).toEqual(
    ["Service", "Region", "Versions", "Newest", "State", "Switch", "Window", "Shards", "Lag", "Reported"].map(
      (header) => expect.stringContaining(header),
    ),
  );
  await userEvent.click(screen.getByRole("combobox", { name: "Continent" }));
  await userEvent.click(await screen.findByRole("option", { name: "America" }));
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
});

it("shows figures of an upgrade only where one is under way", async () => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(420);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
  serve({
    "GET /fleet": { ...FLEET, cells: [cell("iam", "eu", { state: "SYNCING", owner: "olga" }), cell("iam", "us")] },
    "GET /fleet/windows": WINDOWS,
    "GET /views/fleet": { items: [], next_cursor: null, has_more: false },
  });
  show(<FleetPage />, "/fleet?view=table");
  const rows = (await screen.findAllByRole("row")).slice(1, 3);
  const last = rows.map((row) => [...row.children].slice(-4).map((each) => each.textContent));
  expect(last).toEqual([
    ["0 of 16", "–", expect.anything(), "olga"],
    ["", "", "", ""],
  ]);
});

it("finds deployments by words that stand anywhere in what is known of them", async () => {
  open("/fleet?view=table&q=us%20iam");
  expect((await screen.findByRole("table")).getAttribute("aria-rowcount")).toBe("2");
  await userEvent.clear(screen.getByRole("searchbox", { name: "Find deployments" }));
  await userEvent.type(screen.getByRole("searchbox", { name: "Find deployments" }), "serving");
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("4");
});

it("says who may plan instead of hiding the button", async () => {
  serve({
    "GET /fleet": FLEET,
    "GET /fleet/windows": WINDOWS,
    "GET /views/fleet": { items: [] },
    "GET /duty": { items: [] },
    "GET /session": {
      account: { name: "vera", email: "", roles: [], permissions: [] },
      csrf_token: "",
      server_time: "",
      environment: "",
      version: "",
    },
  });
  show(<FleetPage />, "/fleet");
  const plan = await screen.findByRole("button", { name: /Plan upgrade/ });
  expect(plan.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(plan);
  expect(await screen.findByText("Planning requires permission to plan upgrades.")).toBeTruthy();
});

it("draws a map of those that are behind", async () => {
  open("/fleet?view=map&behind=1");
  const links = within(await screen.findByRole("list", { name: "Deployments" })).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/d/iam/eu", "/d/iam/us"]);
});

it("draws the same as a heat map, and acts on what is selected in it", async () => {
  open("/fleet?view=heat&continent=Europe");
  const grid = await screen.findByRole("grid", { name: /Fleet by service and region/ });
  expect([grid.getAttribute("aria-rowcount"), grid.getAttribute("aria-colcount")]).toEqual(["1", "2"]);
  grid.focus();
  await userEvent.keyboard(" ");
  const chosen = within(await screen.findByRole("region", { name: "Selected deployments" }));
  expect(chosen.getByRole("status").textContent).toBe("1 selected");
  await userEvent.click(screen.getByRole("radio", { name: "Table" }));
  expect(screen.queryByRole("grid")).toBeNull();
  expect(chosen.getByRole("status").textContent).toBe("1 selected");
});

it("has a column for when each row may switch next, and says it in words", async () => {
  open("/fleet?view=table");
  expect(await screen.findByRole("columnheader", { name: "Window" })).toBeTruthy();
  const [free, frozen, open_] = WINDOWS.outlooks;
  show(
    <ul>
      {[free, frozen, open_, undefined].map((each, at) => (
        <li key={at}>
          <NextWindow of={each} />
        </li>
      ))}
    </ul>,
  );
  const told = screen
    .getAllByRole("listitem")
    .slice(-4)
    .map((each) => each.textContent ?? "");
  expect(told.map((text) => text.replace(/(until|opens).*/, "$1"))).toEqual(["any time", "opens", "open until", "–"]);
  expect(screen.getByTitle("The freeze year-end forbids it.").querySelector("time")?.getAttribute("datetime")).toBe(
    "2026-01-02T06:00:00.000Z",
  );
});

it("takes what is selected from the address, so that a selection can be shared", async () => {
  open("/fleet?view=table&selected=iam%40us");
  const chosen = within(await screen.findByRole("region", { name: "Selected deployments" }));
  expect(chosen.getByRole("status").textContent).toBe("1 selected");
  await userEvent.click(screen.getByRole("checkbox", { name: "Select all that are shown" }));
  expect(chosen.getByRole("status").textContent).toBe("3 selected");
  await userEvent.click(chosen.getByRole("button", { name: "Clear" }));
  expect(screen.queryByRole("region", { name: "Selected deployments" })).toBeNull();
});

it("shows the map in groups when asked, and opens one by one", async () => {
  const services = [
    { ...FLEET.services[0], name: "iam" },
    { ...FLEET.services[0], name: "limits" },
    {
      ...FLEET.services[1],
      import_versions: [{ service: "iam", version: "v2", for_version: "v1" }],
    },
  ];
  serve({
    "GET /fleet": { ...FLEET, services, cells: [...FLEET.cells, cell("limits", "eu")] },
    "GET /views/fleet": { items: [], next_cursor: null, has_more: false },
  });
  show(<FleetPage />, "/fleet?view=map&group=tier");
  const list = await screen.findByRole("list", { name: "Deployments" });
  const group = within(list).getByRole("button", { name: /tier 0.*2 deployments.*in eu/ });
  expect(
    within(list).getByRole("link", { name: /^apps.*imports tier 0 v2 \(newer than what is served\)/ }),
  ).toBeTruthy();
  await userEvent.click(group);
  expect(await within(list).findByRole("link", { name: /^limits/ })).toBeTruthy();
  expect(within(list).queryByRole("button", { name: /tier 0.*in eu/ })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "none");
  await userEvent.click(screen.getByRole("radio", { name: "Matrix" }));
  await userEvent.selectOptions(screen.getByLabelText("Order"), "tier");
  const rows = within(await screen.findByRole("grid")).getAllByRole("rowheader");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching("iam"),
    expect.stringMatching("limits"),
    expect.stringMatching("apps"),
  ]);
});

it("takes a view and an order that an address does not name rightly for the usual ones", async () => {
  open("/fleet?view=cube");
  expect(await screen.findByRole("grid", { name: "Deployments by service and region" })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Matrix" }).checked).toBe(true);
});

it("draws its table in the usual order where an address names one that there is not", async () => {
  open("/fleet?view=table&order=colour&down=maybe");
  expect((await screen.findByRole("table")).getAttribute("aria-rowcount")).toBe("4");
});
