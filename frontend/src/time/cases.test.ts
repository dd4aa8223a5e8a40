import { afterEach, describe, expect, it } from "vitest";
import {
  ageText,
  clockText,
  dateText,
  durationText,
  nextZone,
  rangeText,
  regionZone,
  stampText,
  zoneName,
} from "./clock";

const at = Date.parse("2026-03-29T00:30:00Z");

afterEach(() => regionZone.set(""));

describe("durations", () => {
  it.each([
    [-3, "0 s"],
    [59.5, "1 min"],
    [3599, "59 min"],
    [3659, "1 h"],
    [3660, "1 h 1 min"],
    [86_399, "23 h 59 min"],
    [86_400, "1 d"],
    [86_400 * 1.5, "1 d 12 h"],
    [172_799, "2 d"],
    [7 * 86_400 - 20, "7 d"],
    [7 * 86_400 - 5400, "6 d 23 h"],
    [10.4 * 86_400, "10 d"],
  ])("%d seconds are %s", (seconds, text) => expect(durationText(seconds)).toBe(text));
});

describe("ages", () => {
  it.each([
    [-1499, "now"],
    [-1500, "in 2 s"],
    [999, "now"],
    [1000, "1 s ago"],
    [-3_600_000, "in 1 h"],
    [90_000_000, "1 d 1 h ago"],
    [-7 * 86_400_000 + 20_000, "in 7 d"],
  ])("of %d ms are %s", (milliseconds, text) => expect(ageText(at, at + milliseconds)).toBe(text));
});

describe("ranges", () => {
  it.each([
    [0, 0.4, "0 s"],
    [3600, 7200, "1–2 h"],
    [3600, 5400, "1 h – 1 h 30 min"],
    [50, 3700, "50 s – 1 h 1 min"],
    [5400, 9000, "1 h 30 min – 2 h 30 min"],
    [129_600, 302_400, "1 d 12 h – 3 d 12 h"],
  ])("from %d to %d seconds are %s", (low, high, text) => expect(rangeText(low, high)).toBe(text));
});

describe("the zone of a region", () => {
  it("follows the change of its clocks", () => {
    regionZone.set("Europe/Berlin");
    expect([clockText(at, "region"), clockText(at + 3_600_000, "region")]).toEqual(["01:30:00", "03:30:00"]);
  });

  it("may be on another day", () => {
    regionZone.set("America/Los_Angeles");
    expect([dateText(at, "region"), dateText(at, "utc")]).toEqual(["2026-03-28", "2026-03-29"]);
    expect(stampText(at, at + 8 * 3_600_000, "region")).toBe("2026-03-28 17:30:00");
    expect(stampText(at, at + 8 * 3_600_000, "utc")).toBe("00:30:00");
  });

  it("counts midnight as 0 o'clock", () => {
    regionZone.set("Etc/GMT-1");
    expect(clockText(Date.parse("2026-01-01T23:00:00Z"), "region")).toBe("00:00:00");
  });

  it("is passed over where the page is about no region", () => {
    expect([nextZone("utc"), nextZone("mine"), nextZone("region")]).toEqual(["mine", "utc", "utc"]);
    expect(zoneName("region")).toBe("UTC");
  });
});
