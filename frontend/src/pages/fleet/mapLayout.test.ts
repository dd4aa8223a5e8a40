import { expect, it } from "vitest";
import type { Cell, FleetService } from "../../wire/model";
import { attentionOf, sorted, worstFirst } from "./fleet";
import { mapLayoutOf } from "./mapLayout";

const cell = (service: string, part: Partial<Cell> = {}): Cell => ({
  service,
  region: "eu",
  name: service,
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

const service = (name: string, rank: number, imports: [string, string][] = []): FleetService => ({
  name,
  display_name: "",
  versions: ["v1", "v2"],
  rank,
  imports: imports.map(([target]) => target),
  import_versions: imports.map(([target, version]) => ({ service: target, version, for_version: "v1" })),
});

const SERVICES = [
  service("iam", 0),
  service("limits", 0),
  service("secrets", 1, [["iam", "v1"]]),
  service("devices", 1, [
    ["iam", "v2"],
    ["limits", "v1"],
  ]),
];
const REGIONS = [{ name: "eu", title: "", zone: "" }];
const CELLS = SERVICES.map((each) => cell(each.name));
const layout = (groups: ReadonlyMap<string, string> | null, opened: string[] = [], cells = CELLS) =>
  mapLayoutOf(SERVICES, REGIONS, cells, { budget: 300, groups, opened: new Set(opened) });

it("names the imported version of each line, and marks one that is newer than what is served", () => {
  expect(layout(null).lines.map((line) => [line.from.key, line.to.key, line.versions, line.ahead])).toEqual([
    ["secrets", "iam", ["v1"], false],
    ["devices", "iam", ["v2"], true],
    ["devices", "limits", ["v1"], false],
  ]);
  const unknown = layout(null, [], [cell("iam"), cell("secrets", { current_version: "v9" })]);
  expect(unknown.lines.map((line) => [line.versions, line.ahead])).toEqual([[[], false]]);
});

it("draws a group of a tier and region as one box, its lines as one, until it is opened", () => {
  const groups = new Map(SERVICES.map((each) => [each.name, `tier ${each.rank}`]));
  const folded = layout(groups);
  expect(folded.nodes.map((node) => [node.group, node.cells.length, node.column, node.row])).toEqual([
    ["tier 0", 2, 0, 0],
    ["tier 1", 2, 1, 0],
  ]);
  expect(folded.lines.map((line) => [line.from.group, line.to.group, line.versions, line.ahead])).toEqual([
    ["tier 1", "tier 0", ["v1", "v2"], true],
  ]);
  const open = layout(groups, [folded.nodes[1]?.key ?? ""]);
  expect(open.nodes.map((node) => node.group || node.key)).toEqual(["tier 0", "secrets", "devices"]);
  expect(open.lines.map((line) => [line.from.key, line.versions])).toEqual([
    ["secrets", ["v1"]],
    ["devices", ["v1", "v2"]],
  ]);
});

it("needs no group for one deployment, and three hundred services are a handful of boxes", () => {
  const many = Array.from({ length: 300 }, (_, at) => service(`s${at}`, at % 3));
  const groups = new Map(many.map((each) => [each.name, `tier ${each.rank}`]));
  const cells = many.map((each) => cell(each.name));
  const drawn = mapLayoutOf(many, REGIONS, cells, { budget: 300, groups, opened: new Set() });
  expect([drawn.nodes.length, drawn.hidden]).toEqual([3, 0]);
  expect(layout(new Map([["iam", "core"]]), [], [cell("iam")]).nodes.map((node) => node.group)).toEqual([""]);
});

it("puts what needs attention first: blocked, then a decision, an upgrade under way, an old version", () => {
  const behind = (of: Cell): number => (of.name === "old" ? 1 : 0);
  const cells = [
    cell("calm"),
    cell("off", { disabled: true }),
    cell("old"),
    cell("moving", { state: "SYNCING" }),
    cell("decide", { state: "READY" }),
    cell("stuck", { state: "SYNCING", blocked: true }),
  ];
  expect(cells.map((each) => attentionOf(each, behind))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(sorted(cells, "attention", false, undefined, behind).map((each) => each.name)).toEqual([
    "stuck",
    "decide",
    "moving",
    "old",
    "off",
    "calm",
  ]);
  const services = [service("calm", 0), service("old", 1), service("stuck", 2)];
  expect(worstFirst(services, cells, behind).map((each) => each.name)).toEqual(["stuck", "old", "calm"]);
});
