import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serve, show, type Sent } from "../../test/show";
import { Passkeys } from "./Passkeys";
import { Password } from "./Password";
import { SecondFactor } from "./SecondFactor";

const none = { items: [], next_cursor: null, has_more: false };
const session = (passkey_host = window.location.hostname): Record<string, unknown> => ({
  account: { name: "ann", email: "", roles: [], permissions: [], reach: [], zone: "", bounds: {} },
  csrf_token: "c",
  server_time: "",
  passkey_host,
});
const field = (label: RegExp | string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
/** As the server refuses a code that is wrong: it names the field. */
const wrongCode = {
  title: "Not allowed",
  status: 403,
  code: "totp-wrong",
  detail: "The code is wrong or was used already.",
  errors: [{ path: "code", message: "The code is wrong or was used already." }],
};
const by = (sent: Sent[], method: string, path: string): Sent[] =>
  sent.filter((one) => one.method === method && one.path === path);

describe("an authenticator", () => {
  it("is set up by the code that it shows, and the recovery codes are shown once", async () => {
    const answers: Record<string, unknown> = {
      "GET /session/totp": { is_set: false, recovery_codes_left: 0 },
      "POST /session/totp": { secret: "JBSW", uri: "otpauth://x", qr: ["10", "01"] },
      "PUT /session/totp": { recovery_codes: ["aaaa-1111", "bbbb-2222"] },
    };
    const sent = serve(answers);
    show(<SecondFactor />);
    fireEvent.click(await screen.findByRole("button", { name: "Set up…" }));
    expect(await screen.findByText("JBSW")).toBeTruthy();
    expect(screen.getByRole("img", { name: "QR code of the secret below" })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Current code"));
    expect(screen.getByRole("button", { name: "Cancel" })).toBeTruthy();
    const turnOn = screen.getByRole<HTMLButtonElement>("button", { name: "Turn on" });
    expect(turnOn.disabled).toBe(true);
    field("Current code", " 123456 ");
    fireEvent.click(turnOn);
    const codes = await screen.findByRole("list", { name: "Recovery codes" });
    expect(
      within(codes)
        .getAllByRole("listitem")
        .map((code) => code.textContent),
    ).toEqual(["aaaa-1111", "bbbb-2222"]);
    expect(by(sent, "PUT", "/session/totp").map((one) => one.body)).toEqual([{ code: "123456" }]);
    answers["GET /session/totp"] = { is_set: true, recovery_codes_left: 2 };
    fireEvent.click(screen.getByRole("button", { name: "I have stored them" }));
    expect(await screen.findByText(/You have 2 recovery codes left\./)).toBeTruthy();
  });

  it("keeps the secret that is shown where the code is wrong", async () => {
    const sent = serve({
      "GET /session/totp": { is_set: false, recovery_codes_left: 0 },
      "POST /session/totp": { secret: "JBSW", uri: "", qr: ["1"] },
      "PUT /session/totp": { title: "Not valid", status: 422, detail: "The code is wrong." },
    });
    show(<SecondFactor />);
    fireEvent.click(await screen.findByRole("button", { name: "Set up…" }));
    await screen.findByText("JBSW");
    field("Current code", "000000");
    fireEvent.click(screen.getByRole("button", { name: "Turn on" }));
    expect(await screen.findByText("The code is wrong.")).toBeTruthy();
    expect(by(sent, "POST", "/session/totp")).toHaveLength(1);
    expect(screen.getByText("JBSW")).toBeTruthy();
  });

  it("is turned off only with a code", async () => {
    const answers: Record<string, unknown> = {
      "GET /session/totp": { is_set: true, recovery_codes_left: 7 },
      "POST /session/totp/drop": {},
    };
    const sent = serve(answers);
    show(<SecondFactor />);
    fireEvent.click(await screen.findByRole("button", { name: "Turn off…" }));
    const turnOff = await screen.findByRole<HTMLButtonElement>("button", { name: "Turn off" });
    fireEvent.click(turnOff);
    expect(by(sent, "POST", "/session/totp/drop")).toEqual([]);
    field(/Current code/, "123456");
    answers["GET /session/totp"] = { is_set: false, recovery_codes_left: 0 };
    fireEvent.click(turnOff);
    expect(await screen.findByRole("button", { name: "Set up…" })).toBeTruthy();
    expect(by(sent, "POST", "/session/totp/drop").map((one) => one.body)).toEqual([{ code: "123456" }]);
  });
});

it("shows at its field that the code to turn the authenticator off is wrong", async () => {
  serve({ "GET /session/totp": { is_set: true, recovery_codes_left: 7 }, "POST /session/totp/drop": wrongCode });
  show(<SecondFactor />);
  fireEvent.click(await screen.findByRole("button", { name: "Turn off…" }));
  field(/Current code/, "123456");
  fireEvent.click(await screen.findByRole("button", { name: "Turn off" }));
  expect((await screen.findByRole("alert")).textContent?.trim()).toBe("Correct the marked fields.");
  expect(screen.getByLabelText(/Current code/).getAttribute("aria-invalid")).toBe("true");
});

describe("passkeys", () => {
  const passkey = (id: number, name: string, last_used_at: string | null = null): Record<string, unknown> => ({
    id,
    name,
    created_at: "2026-03-01T14:00:00Z",
    last_used_at,
  });
  const create = vi.fn();

  beforeEach(() => {
    create.mockReset();
    vi.stubGlobal("PublicKeyCredential", {
      parseRequestOptionsFromJSON: (options: unknown) => options,
      parseCreationOptionsFromJSON: (options: unknown) => options,
    });
    Object.defineProperty(navigator, "credentials", { configurable: true, value: { create, get: vi.fn() } });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are listed with when each was last used", async () => {
    serve({ "GET /session": session(), "GET /session/passkeys": { ...none, items: [passkey(1, "Phone")] } });
    show(<Passkeys />);
    const row = await screen.findByRole("row", { name: /^Phone/ });
    expect(within(row).getByText("never")).toBeTruthy();
    expect(within(row).getByRole("button", { name: "Rename Phone" })).toBeTruthy();
  });

  it("are made by the device under a name, and the first brings recovery codes", async () => {
    create.mockResolvedValue({ toJSON: () => ({ id: "k1" }) });
    const sent = serve({
      "GET /session": session(),
      "GET /session/passkeys": none,
      "POST /session/passkeys/ask": { publicKey: { challenge: "x" } },
      "POST /session/passkeys": { passkey: passkey(1, "Key"), recovery_codes: ["aaaa-1111"] },
    });
    show(<Passkeys />);
    fireEvent.click(await screen.findByRole("button", { name: "Add a passkey…" }));
    field(/^Name/, " Key ");
    fireEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("aaaa-1111")).toBeTruthy();
    expect(by(sent, "POST", "/session/passkeys").map((one) => one.body)).toEqual([
      { name: "Key", answer: { id: "k1" } },
    ]);
  });

  it("need a name, and a person who agrees at the device", async () => {
    create.mockRejectedValue(new DOMException("cancelled", "NotAllowedError"));
    const sent = serve({
      "GET /session": session(),
      "GET /session/passkeys": none,
      "POST /session/passkeys/ask": { publicKey: {} },
    });
    show(<Passkeys />);
    fireEvent.click(await screen.findByRole("button", { name: "Add a passkey…" }));
    field(/^Name/, "  ");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Create" }).disabled).toBe(true);
    field(/^Name/, "Key");
    fireEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText(/the request was cancelled, timed out/)).toBeTruthy();
    expect(by(sent, "POST", "/session/passkeys")).toEqual([]);
  });

  it("are removed for a code where none can be shown", async () => {
    const answers: Record<string, unknown> = {
      "GET /session": session(),
      "GET /session/passkeys": { ...none, items: [passkey(4, "Phone")] },
      "POST /session/passkeys/4/remove": {},
    };
    const sent = serve(answers);
    show(<Passkeys />);
    fireEvent.click(await screen.findByRole("button", { name: "Remove Phone" }));
    const dialog = await screen.findByRole("dialog", { name: "Remove Phone?" });
    const remove = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Remove" });
    expect(remove.disabled).toBe(true);
    field(/^Or enter a code/, "123456");
    answers["GET /session/passkeys"] = none;
    fireEvent.click(remove);
    expect(await screen.findByText(/A passkey is stored on your phone/)).toBeTruthy();
    expect(by(sent, "POST", "/session/passkeys/4/remove").map((one) => one.body)).toEqual([{ code: "123456" }]);
  });

  it("show a wrong code at its field, and no panel", async () => {
    serve({
      "GET /session": session(),
      "GET /session/passkeys": { ...none, items: [passkey(4, "Phone")] },
      "POST /session/passkeys/4/remove": wrongCode,
    });
    show(<Passkeys />);
    fireEvent.click(await screen.findByRole("button", { name: "Remove Phone" }));
    const dialog = await screen.findByRole("dialog", { name: "Remove Phone?" });
    field(/^Or enter a code/, "123456");
    fireEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
    expect((await within(dialog).findByRole("alert")).textContent?.trim()).toBe("Correct the marked fields.");
    expect(screen.getAllByText(wrongCode.detail)).toHaveLength(1);
    expect(screen.getByLabelText(/^Or enter a code/).getAttribute("aria-invalid")).toBe("true");
  });

  it("say where they work, if not here", async () => {
    serve({ "GET /session": session("console.example.com"), "GET /session/passkeys": none });
    show(<Passkeys />);
    expect((await screen.findByText("console.example.com")).parentElement?.textContent).toBe(
      `Passkeys require the console address console.example.com; this page was opened as ${window.location.hostname}.`,
    );
    expect(screen.queryByRole("button", { name: "Add a passkey…" })).toBeNull();
  });
});

describe("a password", () => {
  const fill = (current: string, next: string, again: string): void => {
    field(/^Current password/, current);
    field(/^New password/, next);
    field(/^Repeat the new password/, again);
  };

  it("is changed only when both are given and agree", () => {
    serve({});
    show(<Password />);
    const change = screen.getByRole<HTMLButtonElement>("button", { name: "Change password" });
    const allowed = [
      { old: "", first: "new words", again: "new words" },
      { old: "old", first: "", again: "" },
      { old: "old", first: "new words", again: "new word" },
      { old: "old", first: "new words", again: "new words" },
    ].map(({ old, first, again }) => {
      fill(old, first, again);
      return !change.disabled;
    });
    expect(allowed).toEqual([false, false, false, true]);
  });

  it("is forgotten by the form, and the session goes on under its new token", async () => {
    const sent = serve({ "PUT /session/password": {}, "GET /session": session() });
    show(<Password />);
    fill("old", "new words to keep", "new words to keep");
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText(/Password changed/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^Current password/).value).toBe("");
    expect(sent.map((one) => `${one.method} ${one.path}`)).toEqual(["PUT /session/password", "GET /session"]);
  });

  it("that is refused stays in the form, and the refusal goes with the next letter", async () => {
    serve({
      "PUT /session/password": {
        title: "Not valid",
        status: 422,
        detail: "It is too short.",
        remedy: "Use more words.",
      },
    });
    show(<Password />);
    fill("old", "new", "new");
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
    expect((await screen.findByRole("alert")).textContent).toBe("It is too short. Use more words.");
    field(/^New password/, "new words to keep");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });
});
