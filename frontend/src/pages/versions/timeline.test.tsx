import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { ServicePage } from "../../wire/model";
import { Timeline } from "./Timeline";
import { seriesText, lanesOf, marksOf, needsHours, pathOf, reach, type Served } from "./timeline";

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const span = (region: string, version: string, since: string | null, until: string | null = null): Served => ({
  region,
  version,
  since,
  until,
});
const spans = [
  span("eu", "v1", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
  span("eu", "v2", "2026-02-01T00:00:00Z"),
  span("us", "v1", "2026-01-11T00:00:00Z"),
  span("ap", "v0", null, "2026-01-11T00:00:00Z"),
];
const lanes = lanesOf(["v0", "v1", "v2", "v3"], spans, (version) => (version === "v1" ? "2026-04-01" : null));

it("counts the regions of each version from moment to moment", () => {
  expect(lanes.map((lane) => lane.steps.map((step) => step.count))).toEqual([[1, 0], [1, 2, 1], [1], []]);
  expect(lanes.map((lane) => lane.now)).toEqual([0, 1, 1, 0]);
  expect(day(lanes[1]?.retires ?? 0)).toBe("2026-04-01");
});

it("marks round times, in the zone that is shown", () => {
  const clock = (at: number): string => new Date(at).toISOString().slice(5, 16).replace("T", " ");
  const hour = { start: Date.parse("2026-03-01T22:01:07Z"), end: Date.parse("2026-03-01T23:05:11Z") };
  expect(marksOf(hour, 0).map(clock)).toEqual(["03-01 22:15", "03-01 22:30", "03-01 22:45", "03-01 23:00"]);
  const weeks = { start: Date.parse("2026-03-01T05:00:00Z"), end: Date.parse("2026-03-11T05:00:00Z") };
  // Midnight in a zone two hours ahead.
  expect(marksOf(weeks, 7_200_000).map(clock)).toEqual([
    "03-01 22:00",
    "03-03 22:00",
    "03-05 22:00",
    "03-07 22:00",
    "03-09 22:00",
  ]);
  const years = { start: Date.parse("2020-01-01T00:00:00Z"), end: Date.parse("2026-01-01T00:00:00Z") };
  expect(marksOf(years, 0).length).toBeLessThanOrEqual(6);
});

it("reaches from the first known moment to the last retirement, and steps in between", () => {
  const whole = reach(lanes, Date.parse("2026-03-01T00:00:00Z"));
  expect([day(whole.start), day(whole.end)]).toEqual(["2025-12-28", "2026-04-04"]);
  const field = { start: 0, end: 1000 };
  expect(
    pathOf(
      {
        version: "v1",
        steps: [
          { at: 100, count: 1 },
          { at: 400, count: 2 },
        ],
        now: 2,
        retires: null,
      },
      field,
      900,
      2,
    ),
  ).toBe("M100 100H100V50H400V0H900V100Z");
  expect(
    pathOf(
      {
        version: "v0",
        steps: [
          { at: Number.NEGATIVE_INFINITY, count: 1 },
          { at: 200, count: 0 },
        ],
        now: 0,
        retires: null,
      },
      field,
      900,
      2,
    ),
  ).toBe("M0 100H0V50H200V100H900V100Z");
  expect(pathOf({ version: "v3", steps: [], now: 0, retires: null }, field, 900, 2)).toBe("");
});

it("reaches over the hours that are known, and shows what was served for minutes only", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const young = lanesOf(
    ["v1", "v2"],
    [span("eu", "v1", "2026-03-01T10:00:00Z", "2026-03-01T11:30:00Z"), span("eu", "v2", "2026-03-01T11:30:00Z")],
    () => null,
  );
  const whole = reach(young, now);
  expect([new Date(whole.start).toISOString(), new Date(whole.end).toISOString()]).toEqual([
    "2026-03-01T09:55:12.000Z",
    "2026-03-01T12:04:48.000Z",
  ]);
  expect([needsHours(whole), needsHours(reach(lanes, now))]).toEqual([true, false]);
  const brief = {
    version: "v1",
    steps: [
      { at: 500, count: 1 },
      { at: 500.1, count: 0 },
    ],
    now: 0,
    retires: null,
  };
  expect(pathOf(brief, { start: 0, end: 1000 }, 900, 1)).toBe("M500 100H500V0H505V100H900V100Z");
});

it("says each lane in words", () => {
  expect(lanes.map((lane) => seriesText(lane, day))).toEqual([
    "v0 was served since before the first record, until 2026-01-11",
    "v1 is served in 1 region, since 2026-01-01",
    "v2 is served in 1 region, since 2026-02-01",
    "v3 was never served",
  ]);
});

it("draws the lanes with their words and the data beneath", async () => {
  serve({ "GET /services/s/timeline": { items: spans } });
  show(<Timeline of={{ name: "s", retirements: {} } as unknown as ServicePage} versions={["v1", "v2"]} />);
  expect((await screen.findByRole("img")).getAttribute("aria-label")).toBe(
    "Served versions over time: v1 is served in 1 region, since 2026-01-01; v2 is served in 1 region, since 2026-02-01.",
  );
  expect(screen.getAllByText("served now")).toHaveLength(2);
  const ticks = [...document.querySelectorAll(".life-days span")].map((tick) => tick.textContent);
  expect(ticks.length).toBeGreaterThan(0);
  for (const tick of ticks) expect(tick).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d$/);
});
