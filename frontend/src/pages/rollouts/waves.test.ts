import { expect, it } from "vitest";
import type { Cell, FleetService } from "../../wire/model";
import { move, place, propose, shortName, wavesFrom, wavesText } from "./waves";

const cell = (service: string, region: string): Cell => ({
  service,
  region,
  name: `services/${service}/deployments/${region}`,
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
});
const services: FleetService[] = [
  { name: "apps", display_name: "", versions: [], rank: 2, imports: [], import_versions: [] },
  { name: "iam", display_name: "", versions: [], rank: 0, imports: [], import_versions: [] },
];
const cells = [cell("apps", "eu"), cell("iam", "us"), cell("iam", "eu"), cell("iam", "ap")];

it("proposes what others stand on first, and one region of each alone", () => {
  const names = cells.map((each) => each.name);
  expect(propose(names, cells, services).map((wave) => wave.map(shortName))).toEqual([
    ["iam @ ap"],
    ["iam @ eu", "iam @ us"],
    ["apps @ eu"],
  ]);
});

it("moves a deployment between waves and drops waves that are empty", () => {
  expect(move([["a"], ["b", "c"]], "a", 1)).toEqual([["b", "c", "a"]]);
  expect(move([["a"], ["b", "c"]], "c", 1)).toEqual([["a"], ["b"], ["c"]]);
  expect(move([["a", "b"]], "b", -1)).toEqual([["b"], ["a"]]);
  expect(move([["a"]], "z", 1)).toEqual([["a"]]);
});

it("keeps waves in the address", () => {
  expect(wavesFrom(wavesText([["a", "b"], ["c"]]))).toEqual([["a", "b"], ["c"]]);
  expect(wavesFrom("")).toEqual([]);
});

it("puts a deployment into a wave, or into one of its own, and leaves what it does not know", () => {
  expect(place([["a", "b"], ["c"]], "a", 1)).toEqual([["b"], ["c", "a"]]);
  expect(place([["a"], ["c"]], "a", 2)).toEqual([["c"], ["a"]]);
  expect(place([["a"], ["c"]], "z", 0)).toEqual([["a"], ["c"]]);
  expect(place([["a", "b"]], "a", 0)).toEqual([["b", "a"]]);
});

it("lets the region that was named go first", () => {
  const cells = [cell("s", "eu"), cell("s", "us")];
  expect(
    propose(
      cells.map((each) => each.name),
      cells,
      [],
      "us",
    )[0],
  ).toEqual(["services/s/deployments/us"]);
});
