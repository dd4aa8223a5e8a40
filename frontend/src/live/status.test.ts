import { describe, expect, it } from "vitest";
import { atRest, backoffMs, beat, greeted, lost, opened, pillOf, received } from "./status";

const t = Date.parse("2026-03-01T14:02:11Z");

describe("the state of the stream", () => {
  it("begins where the first hello says", () => expect(greeted(opened(atRest, t), 40, t).seq).toBe(40));
  it("does not skip what was missed while away", () => {
    const before = received(greeted(opened(atRest, t), 40, t), 47, t);
    expect(greeted(opened(lost(before, t), t), 90, t).seq).toBe(47);
  });
  it("believes a heartbeat only when the next one comes", () => {
    const first = beat(greeted(opened(atRest, t), 40, t), 45, t);
    expect(first.seq).toBe(40);
    expect(beat(first, 46, t).seq).toBe(45);
  });
  it("takes the heartbeat of a lost connection for no promise: its replay may not have come", () => {
    const away = lost(beat(greeted(opened(atRest, t), 40, t), 45, t), t);
    const again = lost(beat(opened(away, t), 50, t), t);
    expect(beat(opened(again, t), 60, t).seq).toBe(40);
  });
  it("never rolls back", () => expect(received(received(atRest, 9, t), 7, t).seq).toBe(9));
});

describe("the pill", () => {
  const live = opened(atRest, t);
  it("says Live while heartbeats come", () => expect(pillOf(live, t + 12_000, "utc").text).toBe("Live"));
  it("says how far behind", () =>
    expect(pillOf(live, t + 20_000, "utc")).toEqual({ tone: "wait", mark: "◐", text: "Behind 20 s" }));
  it("counts tries, then says since when", () => {
    const away = lost(lost(live, t), t + 3000);
    expect(pillOf(away, t + 4000, "utc").text).toBe("Reconnecting (2)");
    expect(pillOf(away, t + 31_000, "utc").text).toBe("Offline since 14:02:11 UTC");
  });
  it("says when it has to ask", () =>
    expect(pillOf({ ...atRest, transport: "poll" }, t, "utc").text).toBe("Polling every 5 s"));
});

it("waits longer after each try, never over 25 s", () => {
  expect([1, 2, 3, 9].map((attempts) => backoffMs(attempts, 0.5))).toEqual([1000, 2000, 4000, 20_000]);
});
