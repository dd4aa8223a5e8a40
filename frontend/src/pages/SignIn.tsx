import { Button, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { read, rememberCsrf, write } from "../api/client";
import type { PasskeyAnswer } from "../api/passkey";
import { ApiError } from "../api/problem";
import { useSession } from "../api/queries";
import { signedOut } from "../api/signedOut";
import { live, queries } from "../live/stream";
import { Form } from "../parts/forms/Form";
import { PasskeyButton } from "../parts/forms/PasskeyButton";
import { Refusal } from "../parts/forms/Refusal";
import { useRetryDelay, RetryDelay } from "../parts/forms/RetryDelay";
import { required, useForm } from "../parts/forms/useForm";
import { useStore } from "../state/store";
import { Shape } from "../parts/Shape";
import { environmentTone } from "../shell/environment";
import { Mark } from "../shell/Navigation";
import { durationText } from "../time/clock";
import { Time } from "../time/Time";
import type { Session } from "../wire/model";
import { Dialog } from "../parts/forms/Dialog";
import { rich, t } from "../words/text";

interface Credentials {
  username: string;
  password: string;
  totp?: string;
  reason?: string;
}

async function learnToken(): Promise<void> {
  // The first answer of an anonymous session carries the token that the sign-in itself has to bring.
  const before = await read("/session").catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500 && error.status > 0) return null;
    throw error;
  });
  if (before) rememberCsrf(before.csrf_token);
}

async function signIn(credentials: Credentials): Promise<Session> {
  await learnToken();
  return write.post("/session", { body: credentials });
}

const SHORTEST_REASON = 20;
const EMPTY = { username: "", password: "", totp: "", reason: "" };

const reasonHolds = (reason: string): string | null =>
  reason.trim().length < SHORTEST_REASON ? t`Enter at least ${SHORTEST_REASON} characters.` : null;

/** Whoever is asked for one more thing types it at once. */
const focus = (field: HTMLInputElement | null): void => field?.focus();

function SignInForm({ onDone, override: emergency = false }: { onDone: () => void; override?: boolean }) {
  const [code, setCode] = useState(false);
  const form = useForm(EMPTY, {
    username: required,
    password: required,
    ...(emergency ? { reason: reasonHolds } : {}),
  });
  const onEntered = (session: Session): void => {
    rememberCsrf(session.csrf_token);
    signedOut.set(false);
    onDone();
    void queries.invalidateQueries();
  };
  const byPasskey = (answer: PasskeyAnswer): Promise<Session> => {
    const reason = emergency ? form.values.reason.trim() : "";
    return write.post("/session/passkey", { body: { answer, reason } });
  };
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: onEntered,
    onError: (error) => {
      if (error instanceof ApiError && /totp|passkey-required/.test(error.problem.code ?? "")) setCode(true);
      signedOut.set(signedOut.get());
    },
  });
  const wait = useRetryDelay(entering.error);
  const submit = ({ username, password, totp, reason }: typeof EMPTY): void =>
    entering.mutate({
      username: username.trim(),
      password,
      ...(totp.trim() ? { totp: totp.trim() } : {}),
      ...(emergency ? { reason: reason.trim() } : {}),
    });
  return (
    <Form of={form} onSend={submit} error={entering.error} className="sign-in-form">
      {entering.error && !wait ? <Refusal error={entering.error} /> : null}
      <RetryDelay seconds={wait} />
      <TextInput
        name="username"
        label={t`Name`}
        autoComplete="username"
        required
        data-autofocus
        {...form.getInputProps("username")}
      />
      <PasswordInput
        name="password"
        label={t`Password`}
        autoComplete="current-password"
        required
        {...form.getInputProps("password")}
      />
      {code ? (
        <TextInput
          name="totp"
          label={t`Code`}
          ref={focus}
          description={t`From your authenticator, or one of your recovery codes.`}
          autoComplete="one-time-code"
          inputMode="numeric"
          {...form.getInputProps("totp")}
        />
      ) : null}
      {emergency ? (
        <Textarea
          name="reason"
          label={t`Reason`}
          description={t`In ${SHORTEST_REASON} characters or more. It is recorded in the activity, and subscribers are notified.`}
          required
          {...form.getInputProps("reason")}
          autosize
          minRows={2}
        />
      ) : null}
      <Button
        type="submit"
        variant="filled"
        {...(emergency ? { color: "red" } : {})}
        fullWidth
        loading={entering.isPending}
        disabled={wait > 0}
      >
        {emergency ? t`Sign in with an emergency override` : t`Sign in`}
      </Button>
      <PasskeyButton before={learnToken} hand={byPasskey} onDone={onEntered}>
        {emergency ? t`Emergency override with a passkey` : t`Sign in with a passkey`}
      </PasskeyButton>
    </Form>
  );
}

/** Says when an identity provider does not answer; nobody waits for the question. */
function useAway(providers: NonNullable<Session["providers"]>): { name: string; since: string | null }[] {
  const states = useQuery({
    queryKey: ["sign-in-providers"],
    queryFn: ({ signal }) => read("/session/providers", { signal }),
    enabled: providers.length > 0,
    refetchInterval: 15_000,
    retry: false,
  });
  return (states.data?.items ?? [])
    .filter((state) => state.answers === false)
    .map((state) => ({ name: providers.find((each) => each.id === state.id)?.name ?? state.id, since: state.since }));
}

function Bad({ children }: { children: ReactNode }) {
  return (
    <div className="notice soft-bad" role="alert">
      <Shape tone="bad" />
      <span>{children}</span>
    </div>
  );
}

/** Single sign-on first; below it the local form, as the installation allows it. */
function WaysIn({ session }: { session: Session }) {
  const providers = session.providers ?? [];
  const local = session.local_sign_in ?? "on";
  const ended = new URLSearchParams(window.location.search).get("sign_in");
  const away = useAway(providers);
  const [glass, setGlass] = useState(false);
  const stuck = away.length > 0 || ended === "unreachable";
  return (
    <>
      {away.map((each) => (
        <Bad key={each.name}>
          {rich`${each.name} does not answer`}
          {each.since ? <> {rich`since ${(<Time at={each.since} age={false} />)}`}</> : null}
          {t`. It is checked every 15 seconds.`}
          {local === "off"
            ? ""
            : local === "on"
              ? t` Sign in with a local account instead.`
              : t` An admin can use the emergency sign-in below.`}
        </Bad>
      ))}
      {ended === "unreachable" && away.length === 0 ? <Bad>{t`Single sign-on did not answer. Try again.`}</Bad> : null}
      {ended === "failed" ? (
        <Bad>{rich`Single sign-on failed. Try again${local === "on" ? t`, or sign in with a local account` : ""}.`}</Bad>
      ) : null}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          component="a"
          href={provider.url}
          variant={stuck ? "default" : "filled"}
          fullWidth
          mt="md"
        >
          {provider.name}
        </Button>
      ))}
      {local === "on" ? <SignInForm onDone={() => undefined} /> : null}
      {local === "emergency" && (glass || stuck) ? (
        <>
          <h2 className="glass-head">{t`Emergency (break-glass) sign-in for admins`}</h2>
          <SignInForm onDone={() => undefined} override />
        </>
      ) : null}
      {local === "emergency" && !glass && !stuck ? (
        <p className="small">
          <button type="button" className="link" onClick={() => setGlass(true)}>
            {t`Emergency (break-glass) sign-in for admins…`}
          </button>
        </p>
      ) : null}
    </>
  );
}

export function SignInPage() {
  const session = useSession().data;
  return (
    <main className="sign-in">
      <section className={`card band band-${environmentTone(session?.environment ?? "")}`}>
        <div className="row between">
          <div className="brand">
            <Mark />
            {t`Switchyard`}
          </div>
          {session?.environment ? <span className="environment">{session.environment}</span> : null}
        </div>
        <h1>{session?.environment ? t`Sign in to Switchyard · ${session.environment}` : t`Sign in`}</h1>
        {session ? <WaysIn session={session} /> : null}
      </section>
      {(session?.local_sign_in ?? "on") === "on" ? (
        <p className="muted small">
          {rich`No account yet? An administrator adds one under Access. The first account is printed by ${(<code>make up</code>)}.`}
        </p>
      ) : null}
    </main>
  );
}

/** When a session ends in the middle of work, the page and its drafts stay behind this dialog. */
export function SignInAgain() {
  const out = useStore(signedOut);
  const session = useSession().data;
  const providers = session?.providers ?? [];
  const local = session?.local_sign_in ?? "on";
  const limits = session?.session_limits;
  const back = (): void => {
    live.stop();
    live.start();
  };
  return (
    <Dialog
      opened={out}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t`Your session ended`}
    >
      <p className="muted">{t`Sign in again to continue. Your input on this page is kept.`}</p>
      {limits ? (
        <p className="muted small">
          {rich`A session ends after ${durationText(limits.idle_minutes * 60)} without input, and ${durationText(limits.hours * 3600)}
          after signing in.`}
        </p>
      ) : null}
      {providers.map((provider) => (
        <Button key={provider.id} component="a" href={provider.url} target="_blank" rel="noreferrer" fullWidth mb="xs">
          {rich`${provider.name} (in a new tab)`}
        </Button>
      ))}
      {providers.length ? (
        <Button
          fullWidth
          mb="md"
          onClick={() => {
            signedOut.set(false);
            void queries.invalidateQueries();
            back();
          }}
        >
          {t`Continue`}
        </Button>
      ) : null}
      {local === "off" ? null : <SignInForm override={local === "emergency"} onDone={back} />}
    </Dialog>
  );
}
