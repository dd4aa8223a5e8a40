import { Button, Modal, PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client";
import { problemFrom } from "../api/problem";
import { reauthentication } from "../api/reauthentication";
import { usePasskeys, useSession } from "../api/queries";
import { PasskeyButton } from "../parts/PasskeyButton";
import { Refusal } from "../parts/Refusal";
import { useStore } from "../state/store";
import { useRetryDelay, RetryDelay } from "../parts/RetryDelay";
import { rich, t } from "../words/text";

function Form({ onShown, onCancel }: { onShown: () => void; onCancel: () => void }) {
  const providers = useSession().data?.providers ?? [];
  const [password, setPassword] = useState("");
  const [totp, setTotp] = useState("");
  const show = useMutation({
    mutationFn: () => send("/session/proof", { method: "POST", body: { password, totp: totp.trim() } }),
    onSuccess: onShown,
  });
  const problem = show.error ? problemFrom(show.error) : null;
  const wait = useRetryDelay(show.error);
  const code = problem?.code?.startsWith("totp") || problem?.code === "passkey-required" || totp !== "";
  const held = (usePasskeys().data?.items.length ?? 0) > 0;
  const remote = problem?.code === "step-up-sso";
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        show.mutate();
      }}
    >
      <p>{t`Confirm your identity to continue. Your input is kept.`}</p>
      {held ? (
        <PasskeyButton
          filled
          hand={(answer) => send("/session/passkey/proof", { method: "POST", body: { answer } })}
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
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {code ? (
            <TextInput
              label={t`Code`}
              description={t`From your authenticator, or one of your recovery codes.`}
              autoComplete="one-time-code"
              inputMode="numeric"
              value={totp}
              onChange={(event) => setTotp(event.currentTarget.value)}
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
    </form>
  );
}

/** Before a critical decision the server asks who is there; the request goes on by itself afterwards. */
export function ReauthenticationDialog() {
  const waiting = useStore(reauthentication);
  if (!waiting) return null;
  return (
    <Modal
      opened
      onClose={() => waiting.settle(false)}
      title={t`Confirm your identity`}
      zIndex={400}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <Form onShown={() => waiting.settle(true)} onCancel={() => waiting.settle(false)} />
    </Modal>
  );
}
