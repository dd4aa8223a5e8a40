import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { AccessPage, Accounts } from "./AccessPage";

const session = {
  account: { name: "ann", email: "", kind: "user", roles: ["operator"], permissions: ["token.own"] },
  csrf_token: "c",
  server_time: "2026-03-01T12:00:00Z",
  environment: "local",
  version: "0.1",
  providers: [],
};

it("opens its first tab where an address names one that is not there", async () => {
  serve({ "GET /session": session, "GET /tokens": { items: [], next_cursor: null, has_more: false } });
  show(<AccessPage />, "/settings/access?tab=emergency");
  expect((await screen.findByRole("tab", { name: "Tokens" })).getAttribute("aria-selected")).toBe("true");
  expect(await screen.findByRole("button", { name: "New token…" })).toBeTruthy();
});

it("disables an account and enables it again in those words, and says which are of services", async () => {
  const row = { name: "bot", email: "", display_name: "", kind: "service", active: false, roles: [], groups: [] };
  const account = { ...session.account, permissions: ["access.manage"] };
  serve({
    "GET /session": { ...session, account },
    "GET /access/accounts": { items: [row, { ...row, name: "bob", kind: "user", active: true }] },
  });
  show(<Accounts />);
  expect((await screen.findByText("bot")).closest("tr")?.textContent).toContain("service accountdisabled");
  await userEvent.click(await screen.findByRole("button", { name: "Disable bob" }));
  expect(await screen.findByRole("button", { name: "Disable the account" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Enable bot", hidden: true })).toBeTruthy();
});
