import { expect, it } from "vitest";
import type { Cell, Fleet } from "../../wire/model";
import { cellWord, matches, shownServices, sorted, tally } from "./fleet";

const cell = (part: Partial<Cell>): Cell => ({ service: "a", region: "r", name: "", current_version: "v1", target_version: null, state: "", ready: 0, total: 16, automatic: false, disabled: false, upgrade_id: null, rev: 1, ...part });
const none = { service: "", region: "", state: "", version: "" };

it("says disabled before anything else", () => {
  expect(cellWord(cell({ disabled: true, state: "SYNCING" })).word).toBe("disabled");
  expect(cellWord(cell({})).word).toBe("Serving");
});
it("filters by current and target version alike", () => {
  expect(matches(cell({ target_version: "v2" }), { ...none, version: "v2" })).toBe(true);
  expect(matches(cell({}), { ...none, version: "v2" })).toBe(false);
});
it("orders services by rank and leaves out those without a match", () => {
  const fleet: Fleet = {
    regions: [{ name: "r", title: "R", zone: "" }],
    services: [{ name: "b", display_name: "", versions: [], rank: 1 }, { name: "a", display_name: "", versions: [], rank: 0 }],
    cells: [cell({ service: "a", state: "SYNCING" }), cell({ service: "b" })],
  };
  expect(shownServices(fleet, none).map((service) => service.name)).toEqual(["a", "b"]);
  expect(shownServices(fleet, { ...none, state: "SYNCING" }).map((service) => service.name)).toEqual(["a"]);
});
it("counts what is moving", () => {
  expect(tally([cell({ state: "SYNCING" }), cell({ state: "SYNCING" }), cell({})])).toEqual([{ tone: "run", word: "syncing", count: 2, state: "SYNCING" }]);
});

it("sorts rows so that ties stay put", () => {
  const cells = [cell({ name: "b", service: "x", ready: 4, total: 16 }), cell({ name: "a", service: "x", ready: 8, total: 16 }), cell({ name: "c", service: "w", total: 0 })];
  expect(sorted(cells, "service", false).map((each) => each.name)).toEqual(["c", "a", "b"]);
  expect(sorted(cells, "ready", true).map((each) => each.name)).toEqual(["a", "b", "c"]);
  expect(sorted(cells, "version", true).map((each) => each.name)).toEqual(["a", "b", "c"]);
});
