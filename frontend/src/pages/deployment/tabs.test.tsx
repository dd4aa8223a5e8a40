import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { Deployment } from "../../wire/model";
import { freezeOf } from "../fleet/Freeze";
import { byContinent, matches } from "../fleet/fleet";
import { Day } from "./Day";
import { Dependents } from "./Dependents";
import { shares, WeekAhead } from "./Week";

const spans = [
  { opens: "2026-03-01T00:00:00Z", closes: "2026-03-04T00:00:00Z", allowed: true, winner: "" },
  { opens: "2026-03-04T00:00:00Z", closes: "2026-03-05T00:00:00Z", allowed: false, winner: "stocktaking" },
];

it("parts the week by the rule that wins", async () => {
  serve({ "GET /windows/ahead": { items: spans, next_cursor: null, has_more: false } });
  show(<WeekAhead deployment="d" />);
  expect(await screen.findByText("stocktaking")).toBeTruthy();
  expect(screen.getByText("not permitted")).toBeTruthy();
  expect(shares(spans)).toEqual([75, 25]);
});

it("says that nothing ran rather than drawing an empty chart", async () => {
  serve({
    "GET /deployments/s/r/samples": {
      at: [],
      ready: [],
      lag_p50: [],
      lag_p95: [],
      lag_max: [],
      rate: [],
      write_p95: [],
    },
  });
  show(<Day service="s" region="r" />);
  expect(await screen.findByText("No upgrade ran in the last 24 hours.")).toBeTruthy();
});

it("marks what is built on another version than is served", () => {
  const of = {
    service: "s",
    region: "r",
    current_version: "v1",
    dependants: [
      { service: "a", region: "r", version: "v2", builds_on: "v0" },
      { service: "b", region: "r", version: "v1", builds_on: "" },
    ],
  } as unknown as Deployment;
  show(<Dependents of={of} />);
  expect(screen.getByText("differs")).toBeTruthy();
  expect(screen.getByText("any version")).toBeTruthy();
});

it("freezes one deployment from now on, in UTC", () => {
  expect(
    freezeOf({ service: "s.example.com", region: "eu-1" }, Date.UTC(2026, 2, 1, 12), 24, "Stocktaking.", "C-1"),
  ).toEqual({
    name: "freeze-s.example.com-eu-1-202603011200",
    effect: "deny",
    zone: "UTC",
    service: "s.example.com",
    region: "eu-1",
    starts: "2026-03-01T12:00",
    ends: "2026-03-02T12:00",
    reason: "Stocktaking.",
    ticket: "C-1",
  });
});

it("puts regions of one part of the world side by side, and finds upgrades by their owner", () => {
  const region = (name: string, zone: string) => ({ name, zone });
  expect(
    byContinent([
      region("eu", "Europe/Warsaw"),
      region("us", "America/Denver"),
      region("de", "Europe/Berlin"),
      region("x", ""),
    ]).map((each) => each.name),
  ).toEqual(["eu", "de", "us", "x"]);
  const none = { service: "", region: "", state: "", version: "", label: "", behind: "" };
  const cell = {
    service: "a",
    region: "r",
    name: "",
    current_version: "v1",
    target_version: null,
    state: "",
    ready: 0,
    total: 0,
    automatic: false,
    disabled: false,
    upgrade_id: null,
    rev: 1,
    labels: {},
    data_version: "",
    owner: "olga",
  };
  expect([matches(cell, { ...none, owner: "olga" }, 0), matches(cell, { ...none, owner: "vera" }, 0)]).toEqual([
    true,
    false,
  ]);
});
