import { expect, it } from "vitest";
import type { Cell, FleetService, Region } from "../../wire/model";
import { byPlace, versionsBehind } from "../fleet/fleet";
import { available, cellSentence, classOf, type Colour, legendOf } from "./heat";
import { labelKeys } from "../fleet/groups";
import { cellsAt, cellsWithin, changedPlaces, geometryOf, placeAfter, placeAt, planHeat } from "./layout";

const NOW = Date.parse("2026-03-01T14:00:00Z");

const service = (name: string, rank: number, versions = ["v1alpha2", "v1"]): FleetService => ({
  name: `${name}.example.com`,
  display_name: name,
  versions,
  rank,
  imports: [],
  import_versions: [],
});
const region = (name: string, zone = "Europe/Berlin"): Region => ({ name, title: name, zone });
const cell = (name: string, place: string, part: Partial<Cell> = {}): Cell => ({
  service: `${name}.example.com`,
  region: place,
  name: `services/${name}.example.com/deployments/${place}`,
  current_version: "v1",
  target_version: null,
  state: "IDLE",
  ready: 0,
  total: 0,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
  ...part,
});

const services = [service("iam", 0), service("secrets", 1), service("devices", 1, ["v1", "v2", "v3"])];
const context = (colour: Colour, callers: Record<string, Record<string, number>> | null = null) => ({
  colour,
  behind: versionsBehind(services),
  callers,
  now: NOW,
});
const word = (colour: Colour, part: Partial<Cell>, name = "secrets"): string =>
  classOf(cell(name, "eu-1", part), context(colour)).word;

it("colours by versions behind, and an upgrade under way before them", () => {
  expect(word("behind", {})).toBe("newest");
  expect(word("behind", { current_version: "v1alpha2" })).toBe("1 behind");
  expect(word("behind", { current_version: "v1" }, "devices")).toBe("2 or more behind");
  expect(word("behind", { current_version: "v1alpha2", state: "SYNCING" })).toBe("upgrading");
  expect(word("behind", { current_version: "v1alpha2", state: "READY" })).toBe("needs a decision");
  expect(word("behind", { current_version: "v1alpha2", state: "SYNCING", blocked: true })).toBe("blocked");
  expect(word("behind", { disabled: true })).toBe("disabled");
  expect(classOf(undefined, context("behind")).word).toBe("not deployed");
});

it("says unknown where a figure is not there, never a low one", () => {
  expect(word("callers", {})).toBe("unknown");
  expect(word("lag", { state: "SYNCING", upgrade_id: "u1", lag_seconds: null })).toBe("unknown");
  expect(word("lag", { state: "IDLE" })).toBe("no upgrade");
  expect(word("lag", { state: "SYNCING", upgrade_id: "u1", lag_seconds: 12 })).toBe("10 s or more");
  expect(word("freshness", { state: "SYNCING", upgrade_id: "u1", oldest_report_at: null })).toBe("unknown");
  expect(word("freshness", { state: "SYNCING", upgrade_id: "u1", oldest_report_at: "2026-03-01T13:58:00Z" })).toBe(
    "30 s to 5 min",
  );
  const callers = { "secrets.example.com": { "eu-1": 3 } };
  expect(classOf(cell("secrets", "eu-1"), context("callers", callers)).word).toBe("1 to 4 callers");
  expect(classOf(cell("secrets", "us-1"), context("callers", callers)).word).toBe("none seen");
});

it("has every class that a cell can get in its legend", () => {
  for (const colour of ["behind", "state", "callers", "lag", "freshness"] as const) {
    const words = legendOf(colour).map((entry) => entry.word);
    for (const state of ["IDLE", "PLANNED", "SYNCING", "READY", "SWITCHING", "REVERSIBLE", "REVERTING", "HALTED"])
      expect(words).toContain(word(colour, { state, upgrade_id: "u1" }));
  }
});

it("says a cell in words", () => {
  const moving = cell("secrets", "eu-1", {
    current_version: "v1alpha2",
    target_version: "v1",
    state: "SYNCING",
    ready: 3,
    total: 16,
    lag_seconds: 0.24,
  });
  expect(cellSentence(moving, context("behind"))).toBe(
    "secrets @ eu-1: v1alpha2 to v1 · syncing, 3 of 16 shards · 1 version behind · lag 0.2 s",
  );
});

it("lists what could be upgraded, the most deployments first", () => {
  const cells = [
    cell("secrets", "eu-1", { current_version: "v1alpha2", state: "SYNCING" }),
    cell("secrets", "us-1", { current_version: "v1alpha2" }),
    cell("devices", "eu-1", { current_version: "v2" }),
    cell("devices", "us-1", { current_version: "v1" }),
    cell("iam", "eu-1"),
  ];
  expect(available(services, cells).map((row) => [row.service, row.version, row.deployments.length])).toEqual([
    ["devices.example.com", "v3", 2],
    ["secrets.example.com", "v1", 1],
  ]);
});

const regions = [region("eu-1"), region("eu-2"), region("us-1", "America/Chicago")];
const plan = (by = "tier", folded: string[] = [], cells: Cell[] = []) =>
  planHeat({ services, cells, regions, by, folded: new Set(folded), attention: (name) => (name[0] === "s" ? 9 : 0) });

it("groups columns by tier, what needs attention first, and regions by part of the world", () => {
  const { columns, groups, bands } = plan();
  expect(columns.map((column) => column.key)).toEqual([
    "iam.example.com",
    "secrets.example.com",
    "devices.example.com",
  ]);
  expect(groups.map(({ name, from, count }) => [name, from, count])).toEqual([
    ["tier 0", 0, 1],
    ["tier 1", 1, 2],
  ]);
  expect(bands.map(({ name, from, count }) => [name, from, count])).toEqual([
    ["Europe", 0, 2],
    ["America", 2, 1],
  ]);
});

it("groups by a label that all deployments of a service agree on", () => {
  const cells = [
    cell("iam", "eu-1", { labels: { team: "red" } }),
    cell("secrets", "eu-1", { labels: { team: "red" } }),
    cell("secrets", "us-1", { labels: { team: "blue" } }),
  ];
  expect(labelKeys(cells)).toEqual(["team"]);
  // `several` holds the service that needs attention; the others follow by name.
  expect(plan("team", [], cells).groups.map((group) => group.name)).toEqual(["several", "no label", "red"]);
});

it("makes one column of a collapsed group, which holds the deployments of all its services", () => {
  const folded = plan("tier", ["tier 1"]);
  expect(folded.columns).toHaveLength(2);
  const places = byPlace([cell("secrets", "eu-1"), cell("devices", "eu-1"), cell("devices", "us-1")]);
  expect(cellsAt(folded, places, 0, 1)).toHaveLength(2);
  expect(cellsWithin(folded, places, { row: 2, column: 1 }, { row: 0, column: 0 })).toHaveLength(3);
});

it("fits 300 services and 60 regions on one screen, and finds the place under the pointer again", () => {
  const many = planHeat({
    services: Array.from({ length: 300 }, (_, at) => service(`s${at}`, at % 3)),
    cells: [],
    regions: Array.from({ length: 60 }, (_, at) => region(`r-${at}`)),
    by: "tier",
    folded: new Set(),
    attention: () => 0,
  });
  const geometry = geometryOf(many, 1100);
  expect(geometry.width).toBeLessThanOrEqual(1100);
  expect(geometry.height).toBeLessThanOrEqual(500);
  for (const place of [
    { row: 0, column: 0 },
    { row: 59, column: 299 },
    { row: 31, column: 100 },
  ])
    expect(
      placeAt(many, geometry, (geometry.lefts[place.column] ?? 0) + 1, place.row * geometry.cellHeight + 1),
    ).toEqual(place);
  expect(placeAt(many, geometry, (geometry.lefts[100] ?? 0) - 2, 5)).toBeNull();
  expect(placeAt(many, geometry, geometry.width + 5, 5)).toBeNull();
});

it("fills the room with few services, collapsed or not", () => {
  const sizes = [plan(), plan("tier", ["tier 1"]), plan("tier", ["tier 0", "tier 1"])].map((each) => {
    const { cellWidth, foldedWidth, width } = geometryOf(each, 940);
    return [cellWidth, foldedWidth, width];
  });
  expect(sizes).toEqual([
    [310, 310, 940],
    [465, 465, 940],
    [465, 465, 940],
  ]);
});

it("moves by keys and stops at the edges", () => {
  const at = { row: 0, column: 1 };
  expect(placeAfter(plan(), at, "ArrowRight")).toEqual({ row: 0, column: 2 });
  expect(placeAfter(plan(), at, "ArrowUp")).toEqual(at);
  expect(placeAfter(plan(), at, "End")).toEqual({ row: 0, column: 2 });
  expect(placeAfter(plan(), at, "PageDown")).toEqual({ row: 2, column: 1 });
  expect(placeAfter(plan(), at, "q")).toBeNull();
});

it("finds the places of deployments that changed, came or went", () => {
  const cells = [cell("iam", "eu-1"), cell("secrets", "eu-1"), cell("secrets", "us-1")];
  const plan = planHeat({
    services,
    cells,
    regions: [region("eu-1"), region("us-1")],
    by: "tier",
    folded: new Set(["tier 1"]),
    attention: () => 0,
  });
  const before = byPlace(cells);
  expect(changedPlaces(plan, before, byPlace([...cells]))).toEqual([]);
  const after = byPlace([...cells.slice(0, 2), cell("devices", "us-1", { state: "SYNCING" })]);
  // Secrets and devices are one column while their tier is collapsed.
  expect(changedPlaces(plan, before, after)).toEqual([{ row: 1, column: 1 }]);
  const moved = byPlace([cells[0] ?? cell("iam", "eu-1"), { ...cell("secrets", "eu-1"), ready: 3 }]);
  expect(changedPlaces(plan, before, moved)).toEqual([
    { row: 0, column: 1 },
    { row: 1, column: 1 },
  ]);
});
