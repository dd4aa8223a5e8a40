import { expect, it } from "vitest";
import type { Cell, Fleet } from "../../wire/model";
import { cellWord, labelsOf, matches, shownServices, sorted, tally, versionsBehind, windowsFrom } from "./fleet";
import { mapLayoutOf } from "./mapLayout";

const cell = (part: Partial<Cell>): Cell => ({
  service: "a",
  region: "r",
  name: "",
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
const none = { service: "", region: "", state: "", version: "", label: "", behind: "" };

it("says disabled before anything else", () => {
  expect(cellWord(cell({ disabled: true, state: "SYNCING" })).word).toBe("disabled");
  expect(cellWord(cell({})).word).toBe("Serving");
});
it("filters by current and target version alike", () => {
  expect(matches(cell({ target_version: "v2" }), { ...none, version: "v2" }, 0)).toBe(true);
  expect(matches(cell({}), { ...none, version: "v2" }, 0)).toBe(false);
});
it("orders services by rank and leaves out those without a match", () => {
  const fleet: Fleet = {
    regions: [{ name: "r", title: "R", zone: "" }],
    services: [
      { name: "b", display_name: "", versions: [], rank: 1, imports: ["a"], import_versions: [] },
      { name: "a", display_name: "", versions: [], rank: 0, imports: [], import_versions: [] },
    ],
    cells: [cell({ service: "a", state: "SYNCING" }), cell({ service: "b" })],
  };
  expect(shownServices(fleet, none).map((service) => service.name)).toEqual(["a", "b"]);
  expect(shownServices(fleet, { ...none, state: "SYNCING" }).map((service) => service.name)).toEqual(["a"]);
});
it("counts what is moving", () => {
  expect(tally([cell({ state: "SYNCING" }), cell({ state: "SYNCING" }), cell({})])).toEqual([
    { tone: "run", word: "syncing", count: 2, state: "SYNCING" },
  ]);
});

it("sorts rows so that ties stay put", () => {
  const cells = [
    cell({ name: "b", service: "x", ready: 4, total: 16 }),
    cell({ name: "a", service: "x", ready: 8, total: 16 }),
    cell({ name: "c", service: "w", total: 0 }),
  ];
  expect(sorted(cells, "service", false).map((each) => each.name)).toEqual(["c", "a", "b"]);
  expect(sorted(cells, "ready", true).map((each) => each.name)).toEqual(["a", "b", "c"]);
  expect(sorted(cells, "version", true).map((each) => each.name)).toEqual(["a", "b", "c"]);
});

it("tells how many versions a deployment is behind, and filters by it and by label", () => {
  const services = [
    { name: "a", display_name: "", versions: ["v1", "v1alpha2", "v2"], rank: 0, imports: [], import_versions: [] },
  ];
  const behind = versionsBehind(services);
  expect(
    [
      cell({ current_version: "v1alpha2" }),
      cell({}),
      cell({ current_version: "v2" }),
      cell({ current_version: "" }),
    ].map(behind),
  ).toEqual([2, 1, 0, 0]);
  expect(matches(cell({}), { ...none, behind: "1" }, 1)).toBe(true);
  expect(matches(cell({}), { ...none, behind: "2" }, 1)).toBe(false);
  const tier = cell({ labels: { tier: "1", owner: "a=b" } });
  expect(labelsOf([tier, cell({})])).toEqual(["owner=a=b", "tier=1"]);
  expect(matches(tier, { ...none, label: "owner=a=b" }, 0)).toBe(true);
  expect(matches(cell({}), { ...none, label: "tier=1" }, 0)).toBe(false);
});

it("draws lanes of regions across ranks, with a line for each import within a region", () => {
  const services = [
    { name: "iam", display_name: "", versions: [], rank: 0, imports: [], import_versions: [] },
    { name: "devices", display_name: "", versions: [], rank: 1, imports: ["iam"], import_versions: [] },
    { name: "limits", display_name: "", versions: [], rank: 0, imports: [], import_versions: [] },
  ];
  const regions = ["eu", "us"].map((name) => ({ name, title: name, zone: "" }));
  const cells = [
    ["iam", "eu"],
    ["limits", "eu"],
    ["devices", "eu"],
    ["devices", "us"],
  ].map(([service = "", region = ""]) => cell({ service, region, name: `${service} ${region}` }));
  const drawn = mapLayoutOf(services, regions, cells, { budget: 300, groups: null, opened: new Set() });
  expect(drawn.nodes.map((node) => [node.key, node.column, node.row])).toEqual([
    ["iam eu", 0, 0],
    ["limits eu", 0, 1],
    ["devices eu", 1, 0],
    ["devices us", 1, 2],
  ]);
  expect(drawn.seriesList).toEqual([
    { region: "eu", row: 0, rows: 2 },
    { region: "us", row: 2, rows: 1 },
  ]);
  expect(drawn.lines.map((line) => [line.from.key, line.to.key])).toEqual([["devices eu", "iam eu"]]);
  expect([
    drawn.hidden,
    mapLayoutOf(services, regions, cells, { budget: 3, groups: null, opened: new Set() }).hidden,
  ]).toEqual([0, 1]);
});

it("sorts by the next window: those that may switch now first, those that never may last", () => {
  const outlook = (allowed: boolean, opens: string | null, closes: string | null) => ({
    allowed,
    sentence: "",
    rule: "",
    opens,
    closes,
  });
  const outlooks = [
    outlook(false, null, null),
    outlook(false, "2026-01-02T06:00:00Z", null),
    outlook(true, null, null),
    outlook(true, null, "2026-01-01T04:00:00Z"),
  ];
  const cells = outlooks.map((_, at) => cell({ region: `r${at}`, name: `r${at}` }));
  const windows = windowsFrom({ outlooks, of: { a: { r0: 0, r1: 1, r2: 2, r3: 3 } } });
  expect(
    sorted([...cells, cell({ region: "new", name: "new" })], "window", false, windows).map((each) => each.name),
  ).toEqual(["r3", "r2", "r1", "r0", "new"]);
});

it("sorts by how far behind the newest version each is, and finds by words in any order", () => {
  const [far, near] = [
    cell({ name: "far", current_version: "v1" }),
    cell({ name: "near", current_version: "v3", owner: "olga", labels: { tier: "gold" } }),
  ];
  const behind = versionsBehind([
    { name: "a", display_name: "", versions: ["v1", "v2", "v3"], rank: 0, imports: [], import_versions: [] },
  ]);
  expect(sorted([near, far], "newest", true, undefined, behind).map((each) => each.name)).toEqual(["far", "near"]);
  expect(["OLGA v3", "tier=gold", "olga v1", " "].map((q) => matches(near, { ...none, q }, 0))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
