import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serve } from "../test/show";
import { ApiError } from "./problem";
import { makePasskey, passkeysWork, showPasskey } from "./passkey";

const credentials = { create: vi.fn(), get: vi.fn() };
const parsed = (options: unknown): unknown => ({ parsed: options });

beforeEach(() => {
  vi.stubGlobal("PublicKeyCredential", {
    parseRequestOptionsFromJSON: parsed,
    parseCreationOptionsFromJSON: parsed,
  });
  Object.defineProperty(navigator, "credentials", { configurable: true, value: credentials });
  credentials.create.mockReset();
  credentials.get.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

async function refusal(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : error),
  );
}

describe("passkeys", () => {
  it("work on the console's own host alone, in a browser that knows them", () => {
    expect(passkeysWork(window.location.hostname)).toBe(true);
    expect([passkeysWork("elsewhere.example.com"), passkeysWork(""), passkeysWork(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
    vi.stubGlobal("PublicKeyCredential", {});
    expect(passkeysWork(window.location.hostname)).toBe(false);
    vi.stubGlobal("PublicKeyCredential", undefined);
    expect(passkeysWork(window.location.hostname)).toBe(false);
  });

  it("are shown for what the server asks, and answered as WebAuthn's JSON", async () => {
    const sent = serve({ "POST /session/passkey/ask": { publicKey: { challenge: "abc" } } });
    credentials.get.mockResolvedValue({ toJSON: () => ({ id: "k1" }) });
    expect(await showPasskey()).toEqual({ id: "k1" });
    expect(credentials.get).toHaveBeenCalledWith({ publicKey: { parsed: { challenge: "abc" } } });
    expect(sent.map((one) => `${one.method} ${one.path}`)).toEqual(["POST /session/passkey/ask"]);
  });

  it("are made for what the server asks", async () => {
    serve({ "POST /session/passkeys/ask": { publicKey: { rp: { id: "localhost" } } } });
    credentials.create.mockResolvedValue({ toJSON: () => ({ id: "k2" }) });
    expect(await makePasskey()).toEqual({ id: "k2" });
    expect(credentials.create).toHaveBeenCalledWith({ publicKey: { parsed: { rp: { id: "localhost" } } } });
  });

  it("that this device has already are named as such, everything else that a browser refuses as none", async () => {
    serve({ "POST /session/passkeys/ask": { publicKey: {} } });
    credentials.create.mockRejectedValue(new DOMException("held", "InvalidStateError"));
    expect(await refusal(makePasskey())).toBe("passkey-held");
    credentials.create.mockRejectedValue(new DOMException("cancelled", "NotAllowedError"));
    expect(await refusal(makePasskey())).toBe("passkey-none");
    credentials.create.mockResolvedValue(null);
    expect(await refusal(makePasskey())).toBe("passkey-none");
  });

  it("do not hide an error of this page", async () => {
    serve({ "POST /session/passkeys/ask": { publicKey: {} } });
    const broken = new TypeError("broken");
    credentials.create.mockRejectedValue(broken);
    expect(await refusal(makePasskey())).toBe(broken);
  });

  it("are not asked of the device where the server asks for none", async () => {
    serve({ "POST /session/passkey/ask": { title: "No host name", status: 409, code: "passkey-host" } });
    expect(await refusal(showPasskey())).toBe("passkey-host");
    expect(credentials.get).not.toHaveBeenCalled();
  });
});
