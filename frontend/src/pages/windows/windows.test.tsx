import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { windowBody, windowForm } from "./forms";
import { overridersText, overrunText, WindowsPage } from "./WindowsPage";

it("names who may override a rule, and sends names and roles one by one", () => {
  expect([overridersText([]), overridersText(["olga", "role releaser"])]).toEqual(["Nobody may override it.", "May be overridden by olga, role releaser."]);
  expect(windowBody({ rhythm: "cron", name: "n", overriders: " olga, role releaser,,olga" }, true)["overriders"]).toEqual(["olga", "role releaser"]);
});

it("says when the last switch may begin", () => {
  expect(overrunText({ effect: "allow", overrun_minutes: 30 })).toBe("no switch begins in the 30 min before it closes");
  expect(overrunText({ effect: "deny", overrun_minutes: 60 })).toBe("no switch begins in the 60 min before it opens");
});

it("sends the overrun with a window, and none by itself", () => {
  expect(windowBody(windowForm(null).start, true)).toMatchObject({ overrun_minutes: 0 });
  expect(windowBody({ ...windowForm(null).start, overrun_minutes: 15 }, true)).toMatchObject({ overrun_minutes: 15 });
});

it("answers whoever may not set a freeze why not", async () => {
  serve({ "GET /windows": { items: [] }, "GET /fleet": { services: [], regions: [], cells: [] }, "GET /duty": { items: [] }, "GET /session": { account: { name: "vera", email: "", roles: [], permissions: [] }, csrf_token: "", server_time: "2026-03-01T00:00:00Z", environment: "", version: "" } });
  show(<WindowsPage />);
  await userEvent.click(screen.getByRole("button", { name: /New window or freeze/ }));
  expect(await screen.findByText(/set by those who may change them/)).toBeTruthy();
});
