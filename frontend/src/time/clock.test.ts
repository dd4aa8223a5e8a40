import { describe, expect, it } from "vitest";
import {
  ageText,
  clockText,
  durationText,
  learnServerTime,
  nextZone,
  offset,
  rangeText,
  regionZone,
  serverNow,
  stampText,
  zoneName,
} from "./clock";

const at = Date.parse("2026-03-01T14:02:11Z");

describe("times", () => {
  it("shows the clock in UTC", () => expect(clockText(at, "utc")).toBe("14:02:11"));
  it("adds the date on another day", () => {
    expect(stampText(at, at + 1000, "utc")).toBe("14:02:11");
    expect(stampText(at, at + 86_400_000, "utc")).toBe("2026-03-01 14:02:11");
  });
  it.each([
    [0, "0 s"],
    [59.4, "59 s"],
    [240, "4 min"],
    [3600, "1 h"],
    [5400, "1 h 30 min"],
    [259_200, "3 d"],
  ])("says %d seconds as %s", (seconds, text) => expect(durationText(seconds)).toBe(text));
  it("says ages and what is still to come", () => {
    expect(ageText(at, at + 240_000)).toBe("4 min ago");
    expect(ageText(at + 120_000, at)).toBe("in 2 min");
    expect(ageText(at, at)).toBe("now");
    expect(ageText(at + 1_000, at)).toBe("now");
  });
  it.each([
    [120, 240, "2–4 min"],
    [40, 90, "40 s – 1 min"],
    [30, 30, "30 s"],
  ])("says the range %d to %d as %s", (low, high, text) => expect(rangeText(low, high)).toBe(text));
  it("shows a region's own time where the page is about a region, and goes through the three zones", () => {
    expect([clockText(at, "region"), zoneName("region"), nextZone("mine")]).toEqual(["14:02:11", "UTC", "utc"]);
    regionZone.set("Asia/Kolkata");
    expect([clockText(at, "region"), zoneName("region")]).toEqual(["19:32:11", "Asia/Kolkata"]);
    expect([nextZone("utc"), nextZone("mine"), nextZone("region")]).toEqual(["mine", "region", "utc"]);
    expect(stampText(Date.parse("2026-03-01T20:00:00Z"), at, "region")).toBe("2026-03-02 01:30:00");
    regionZone.set("");
  });
  it("follows the server's clock", () => {
    learnServerTime(new Date(Date.now() + 60_000).toISOString());
    expect(serverNow() - Date.now()).toBeGreaterThan(59_000);
    learnServerTime("nonsense");
    expect(offset.get()).toBeGreaterThan(59_000);
    offset.set(0);
  });
});
