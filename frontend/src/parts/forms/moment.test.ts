import { expect, it } from "vitest";
import { shownMoment, valueOf, wrongMoment } from "./moment";

it.each([
  ["moment", "2026-03-01 14:00", "2026-03-01T14:00:00"],
  ["moment", "2026-03-01T14:00", "2026-03-01T14:00:00"],
  ["moment", "2026-02-29 14:00", null],
  ["moment", "2026-03-01 24:00", null],
  ["moment", "2026-03-01", null],
  ["moment", "03/01/2026 2 PM", null],
  ["day", "2026-03-01", "2026-03-01"],
  ["day", "2024-02-29", "2024-02-29"],
  ["day", "2026-02-29", null],
  ["day", "01.03.2026", null],
] as const)("reads a %s of %s as %s", (kind, text, value) => {
  expect(valueOf(kind, text)).toBe(value);
});

it("shows a kept time to the minute, and what is typed as it is", () => {
  expect(shownMoment("2026-03-01T14:00:30.123456")).toBe("2026-03-01 14:00");
  expect(shownMoment("2026-03-01")).toBe("2026-03-01");
  expect(shownMoment("2026-03-01 14:00x")).toBe("2026-03-01 14:00x");
});

it("says how a day and a time are written, and about the year first", () => {
  expect(wrongMoment("moment", "")).toBeNull();
  expect(wrongMoment("moment", "2026-03-01T14:00:00")).toBeNull();
  expect(wrongMoment("moment", "2026-03")).toBe("Enter a time such as 2026-03-01 14:00.");
  expect(wrongMoment("day", "2026-3-1")).toBe("Enter a day such as 2026-03-01.");
  expect(wrongMoment("day", "0202-03-01")).toBe("Enter a year of four digits, from 1970 on.");
});
