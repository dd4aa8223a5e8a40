import { describe, expect, it } from "vitest";
import { worded } from "./server";

describe("sentences of the server", () => {
  it("are put together from their phrases", () => {
    const phrases = [
      { key: "Not checked yet:", values: {} },
      {
        key: "{count} of its tasks stopped: {reason}|{count} of its tasks stopped: {reason}",
        values: { count: 2, reason: "A | {b}" },
      },
    ];
    expect(worded("as sent", phrases)).toBe("Not checked yet: 2 of its tasks stopped: A | {b}");
    expect(worded("as sent", [{ key: "{count} key|{count} keys", values: { count: 1 } }])).toBe("1 key");
  });

  it("show other values as they are, also where they look like an instant", () => {
    const values = { value: "2026-03-01T23:30Z", made_at: "start" };
    expect(worded("as sent", [{ key: "{value} of {made_at}", values }])).toBe("2026-03-01T23:30Z of start");
  });

  it("stay as they were sent where they have none", () => {
    expect(worded("The freeze xmas forbids it.", undefined)).toBe("The freeze xmas forbids it.");
    expect(worded("It is approved.", [])).toBe("It is approved.");
  });
});
