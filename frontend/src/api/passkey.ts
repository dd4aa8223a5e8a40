import { write } from "./client";
import { ApiError } from "./problem";
import { t } from "../words/text";

/** What a browser hands over of a passkey, as WebAuthn's JSON has it. */
export type PasskeyAnswer = Record<string, unknown>;

/** Whether this browser can make and show passkeys here: they are bound to the console's host name. */
export function passkeysWork(host: string | undefined): boolean {
  return (
    Boolean(host) &&
    window.location.hostname === host &&
    typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function"
  );
}

async function answered(asking: Promise<Credential | null>): Promise<PasskeyAnswer> {
  try {
    const result = await asking;
    if (result) return (result as PublicKeyCredential).toJSON() as unknown as PasskeyAnswer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError")
      throw new ApiError({ title: t`This device already has one of your passkeys.`, status: 0, code: "passkey-held" });
    if (!(error instanceof DOMException)) throw error;
  }
  throw new ApiError({
    title: t`No passkey was used.`,
    status: 0,
    code: "passkey-none",
    detail: t`No passkey was used: the request was cancelled, timed out, or this device has no passkey.`,
  });
}

/** Let the person show a passkey: their own, or, where nobody is signed in, anybody's. */
export async function showPasskey(): Promise<PasskeyAnswer> {
  const { publicKey } = await write.post("/session/passkey/ask");
  return answered(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

/** Let the person's device make a passkey; the server asks first who is there. */
export async function makePasskey(): Promise<PasskeyAnswer> {
  const { publicKey } = await write.post("/session/passkeys/ask");
  return answered(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
}
