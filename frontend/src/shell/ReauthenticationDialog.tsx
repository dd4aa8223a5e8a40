import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { write } from "../api/client";
import { problemFrom } from "../api/problem";
import { reauthentication } from "../api/reauthentication";
import { usePasskeys, useSession } from "../api/queries";
import { Form } from "../parts/forms/Form";
import { required, useForm } from "../parts/forms/useForm";
import { PasskeyButton } from "../parts/forms/PasskeyButton";
import { Refusal } from "../parts/forms/Refusal";
import { useStore } from "../state/store";
import { useRetryDelay, RetryDelay } from "../parts/forms/RetryDelay";
import { Dialog } from "../parts/forms/Dialog";
import { rich, t } from "../words/text";

function Proof({ onShown, onCancel }: { onShown: () => void; onCancel: () => void }) {
  const providers = useSession().data?.providers ?? [];
  const form = useForm({ password: "", totp: "" }, { password: required });
  const show = useMutation({
    mutationFn: ({ password, totp }: typeof form.values) =>
      write.post("/session/proof", { body: { password, totp: totp.trim() } }),
    onSuccess: onShown,
  });
  const problem = show.error ? problemFrom(show.error) : null;
  const wait = useRetryDelay(show.error);
  const code = problem?.code?.startsWith("totp") || problem?.code === "passkey-required" || form.values.totp !== "";
  const held = (usePasskeys().data?.items.length ?? 0) > 0;
  const remote = problem?.code === "step-up-sso";
  return (
    <Form of={form} onSend={(values) => show.mutate(values)} error={show.error}>
      <p>{t`Confirm your identity to continue. Your input is kept.`}</p>
      {held ? (
        <PasskeyButton
          filled
          hand={(answer) => write.post("/session/passkey/proof", { body: { answer } })}
          onDone={onShown}
        >
          {t`Use a passkey`}
        </PasskeyButton>
      ) : null}
      {problem && problem.code !== "totp-required" && !wait ? <Refusal error={show.error} /> : null}
      {remote ? (
        <>
          {providers.map((provider) => (
            <Button key={provider.id} component="a" href={provider.url} target="_blank" rel="noreferrer">
              {rich`${provider.name} (in a new tab)`}
            </Button>
          ))}
          <div className="row end">
            <Button onClick={onCancel}>{t`Cancel`}</Button>
            <Button variant="filled" onClick={onShown}>
              {t`Continue`}
            </Button>
          </div>
        </>
      ) : (
        <>
          <RetryDelay seconds={wait} />
          <PasswordInput
            data-autofocus
            label={t`Password`}
            autoComplete="current-password"
            required
            {...form.getInputProps("password")}
          />
          {code ? (
            <TextInput
              label={t`Code`}
              description={t`From your authenticator, or one of your recovery codes.`}
              autoComplete="one-time-code"
              inputMode="numeric"
              {...form.getInputProps("totp")}
            />
          ) : null}
          <div className="row end">
            <Button onClick={onCancel}>{t`Cancel`}</Button>
            <Button type="submit" variant={held ? "default" : "filled"} loading={show.isPending} disabled={wait > 0}>
              {t`Continue`}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

/** Before a critical decision the server asks who is there; the request goes on by itself afterwards. */
export function ReauthenticationDialog() {
  const waiting = useStore(reauthentication);
  if (!waiting) return null;
  return (
    <Dialog opened onClose={() => waiting.settle(false)} title={t`Confirm your identity`} zIndex={400}>
      <Proof onShown={() => waiting.settle(true)} onCancel={() => waiting.settle(false)} />
    </Dialog>
  );
}
