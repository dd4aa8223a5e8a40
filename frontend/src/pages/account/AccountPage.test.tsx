import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { zone } from "../../time/clock";
import { AccountPage } from "./AccountPage";
import { pathOf } from "./qr";

const session = {
  account: { name: "ann", email: "", kind: "user", roles: ["operator"], permissions: [] },
  csrf_token: "c-2",
  server_time: "2026-03-01T14:02:11Z",
  environment: "local",
  version: "0.1",
  providers: [],
};
const none = { items: [], next_cursor: null, has_more: false };
const off = { is_set: false, recovery_codes_left: 0 };

const quiet = {
  mail: "",
  sends_mail: false,
  hours: { rev: 0, zone: "UTC", quiet_from: null, quiet_to: null, daily_at: "08:00" },
  rules: [],
  sent: [],
};

it("draws runs of dark squares as one rectangle", () => {
  expect(pathOf(["0110", "1000"])).toBe("M1 0h2v1h-2zM0 1h1v1h-1z");
});

it("chooses the zone that times are shown in for every browser of the account", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /sessions": none,
    "GET /session/passkeys": none,
    "GET /session/totp": off,
    "GET /notices": quiet,
    "PUT /session/zone": {},
  });
  show(<AccountPage />);
  await userEvent.click(await screen.findByRole("radio", { name: "The region's" }));
  expect(zone.get()).toBe("region");
  expect(sent.find((each) => each.method === "PUT")).toMatchObject({ path: "/session/zone", body: { zone: "region" } });
  zone.set("utc");
});

it("changes the password only when both new ones agree, and says what ended", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /sessions": none,
    "GET /session/passkeys": none,
    "GET /session/totp": off,
    "GET /notices": quiet,
    "PUT /session/password": {},
  });
  show(<AccountPage />);
  await userEvent.type(await screen.findByLabelText(/Current password/), "old words");
  await userEvent.type(screen.getByLabelText(/^New password \*?$|^New password$/), "new words to keep");
  await userEvent.type(screen.getByLabelText(/Repeat the new password/), "new words to kee");
  expect(screen.getByText("The passwords differ.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Change password" })).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByLabelText(/Repeat the new password/), "p");
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
  expect(await screen.findByText(/All other sessions were signed out/)).toBeTruthy();
  expect(sent.find((each) => each.method === "PUT")?.body).toEqual({ current: "old words", new: "new words to keep" });
});

it("says in the server's words why a password is not taken", async () => {
  const refused = {
    title: "Not valid",
    status: 422,
    detail: "The password is not strong enough.",
    errors: [{ path: "password", message: "This password is too short.", remedy: "Write several words." }],
  };
  serve({
    "GET /session": session,
    "GET /sessions": none,
    "GET /session/passkeys": none,
    "GET /session/totp": off,
    "GET /notices": quiet,
    "PUT /session/password": refused,
  });
  show(<AccountPage />);
  await userEvent.type(await screen.findByLabelText(/Current password/), "old words");
  await userEvent.type(screen.getByLabelText(/^New password \*?$|^New password$/), "short");
  await userEvent.type(screen.getByLabelText(/Repeat the new password/), "short");
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
  expect(await screen.findByText("This password is too short. Write several words.")).toBeTruthy();
  expect(screen.getByLabelText(/^New password/).getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole("alert").textContent.trim()).toBe("The password is not strong enough.");
});

it("sets an authenticator up: secret and QR code, the code it shows, then the recovery codes once", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /sessions": none,
    "GET /session/passkeys": none,
    "GET /session/totp": off,
    "GET /notices": quiet,
    "POST /session/totp": { secret: "JBSWY3DP", uri: "otpauth://totp/x", qr: ["010", "101", "010"] },
    "PUT /session/totp": { recovery_codes: ["aaaa-1", "bbbb-2"] },
  });
  show(<AccountPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Set up…" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("JBSWY3DP")).toBeTruthy();
  expect(within(dialog).getByRole("img", { name: /QR code/ })).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText(/Current code/), "123456");
  await userEvent.click(within(dialog).getByRole("button", { name: "Turn on" }));
  expect(await within(dialog).findByText("aaaa-1")).toBeTruthy();
  expect(sent.find((each) => each.method === "PUT")?.body).toEqual({ code: "123456" });
  await userEvent.click(within(dialog).getByRole("button", { name: "I have stored them" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("turns it off only for a code, with Cancel first", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /sessions": none,
    "GET /session/passkeys": none,
    "GET /session/totp": { is_set: true, recovery_codes_left: 9 },
    "POST /session/totp/drop": {},
  });
  show(<AccountPage />);
  expect(await screen.findByText(/9 recovery codes left/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Turn off…" }));
  const dialog = await screen.findByRole("dialog");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
  expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Turn off" }).disabled).toBe(true);
  await userEvent.type(within(dialog).getByLabelText(/Current code/), "123456");
  await userEvent.click(within(dialog).getByRole("button", { name: "Turn off" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.body).toEqual({ code: "123456" }));
});
