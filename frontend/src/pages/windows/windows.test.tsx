import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { windowForm, windowRules } from "./forms";
import { regionZone } from "../../time/clock";
import { dayText, startOfDay } from "./Week";
import { overridersText, overrunText, WindowsPage } from "./WindowsPage";

it("names who may override a rule, and sends names and roles one by one", () => {
  expect([overridersText([]), overridersText(["olga", "role releaser"])]).toEqual([
    "No override allowed.",
    "May be overridden by olga, role releaser.",
  ]);
  expect(windowRules({ rhythm: "cron", effect: "allow", overriders: " olga, role releaser,,olga" }).overriders).toEqual(
    ["olga", "role releaser"],
  );
});

it("says when the last switch may begin", () => {
  expect(overrunText({ effect: "allow", overrun_minutes: 30 })).toBe("no switch starts in the 30 min before it closes");
  expect(overrunText({ effect: "deny", overrun_minutes: 60 })).toBe("no switch starts in the 60 min before it opens");
});

it("sends the overrun with a window, and none by itself", () => {
  expect(windowRules(windowForm(null).start)).toMatchObject({ overrun_minutes: 0 });
  expect(windowRules({ ...windowForm(null).start, overrun_minutes: 15 })).toMatchObject({ overrun_minutes: 15 });
});

it("answers whoever may not set a freeze why not", async () => {
  serve({
    "GET /windows": { items: [] },
    "GET /fleet": { services: [], regions: [], cells: [] },
    "GET /duty": { items: [] },
    "GET /session": {
      account: { name: "vera", email: "", roles: [], permissions: [] },
      csrf_token: "",
      server_time: "2026-03-01T00:00:00Z",
      environment: "",
      version: "",
    },
  });
  show(<WindowsPage />);
  await userEvent.click(screen.getByRole("button", { name: /New window or freeze/ }));
  expect(await screen.findByText(/requires permission to change them/)).toBeTruthy();
});

it("asks about no moment while its year is typed", async () => {
  const sent = serve({
    "GET /windows": { items: [] },
    "GET /windows/explain": { allowed: true, sentence: "Open.", considered: [], winner: "", next_open: null },
    "GET /fleet": { services: [], regions: [], cells: [] },
  });
  const asked = (): string[] => sent.map((each) => each.path).filter((path) => path.startsWith("/windows/explain"));
  show(<WindowsPage />, "/windows?deployment=d&at=0202-03-01T10:00");
  const at = await screen.findByLabelText("At (UTC), or now");
  expect(screen.getByText("Enter a year of four digits, from 1970 on.")).toBeTruthy();
  fireEvent.change(at, { target: { value: "2026-03-01 1" } });
  expect(await screen.findByText("Enter a time such as 2026-03-01 14:00.")).toBeTruthy();
  fireEvent.change(at, { target: { value: "2026-03-01 10:00" } });
  expect(await screen.findByText("Open.")).toBeTruthy();
  expect((at as HTMLInputElement).value).toBe("2026-03-01 10:00");
  expect(asked()).toEqual(["/windows/explain?deployment=d&at=2026-03-01T10%3A00%3A00Z"]);
});

it("begins the week at midnight of the chosen zone, also where the clocks change on that day", () => {
  const at = (text: string): number => Date.parse(text);
  expect([startOfDay(at("2026-03-02T23:30:00Z"), "utc"), dayText(at("2026-03-02T12:00:00Z"), "utc")]).toEqual([
    at("2026-03-02T00:00:00Z"),
    "Mon 03-02",
  ]);
  regionZone.set("Europe/Berlin");
  expect(startOfDay(at("2026-03-02T23:30:00Z"), "region")).toBe(at("2026-03-02T23:00:00Z"));
  expect(startOfDay(at("2026-03-29T10:00:00Z"), "region")).toBe(at("2026-03-28T23:00:00Z"));
  expect(startOfDay(at("2026-10-25T10:00:00Z"), "region")).toBe(at("2026-10-24T22:00:00Z"));
  expect(dayText(at("2026-03-02T23:30:00Z"), "region")).toBe("Tue 03-03");
  regionZone.set("");
});

it("shows the week also where there is no rule: switches are allowed at any time", async () => {
  serve({ "GET /windows": { items: [], next_cursor: null, has_more: false }, "GET /fleet": { cells: [] } });
  show(<WindowsPage />, "/windows");
  expect(
    await screen.findByRole("img", {
      name: "No window or freeze in the coming week: switches are allowed at any time.",
    }),
  ).toBeTruthy();
  expect(screen.getByText("No windows or freezes.")).toBeTruthy();
});
