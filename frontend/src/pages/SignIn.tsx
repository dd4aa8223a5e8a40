import { Button, Modal, PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { rememberCsrf, send } from "../api/client";
import { ApiError, problemFrom } from "../api/problem";
import { useSession } from "../api/queries";
import { live, queries, signedOut } from "../live/stream";
import { useStore } from "../parts/store";
import { Shape } from "../parts/Shape";
import { Mark } from "../shell/Navigation";
import type { Session } from "../wire/model";

interface Credentials {
  username: string;
  password: string;
  totp?: string;
}

async function signIn(credentials: Credentials): Promise<Session> {
  // The first answer of an anonymous session carries the token that the sign-in itself has to bring.
  const before = await send<Session>("/session").catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500 && error.status > 0) return null;
    throw error;
  });
  if (before) rememberCsrf(before.csrf_token);
  return send<Session>("/session", { method: "POST", body: credentials });
}

function Form({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState(false);
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      rememberCsrf(session.csrf_token);
      signedOut.set(false);
      onDone();
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (error instanceof ApiError && /totp/.test(error.problem.code ?? "")) setCode(true);
      signedOut.set(signedOut.get());
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string): string => String(data.get(name) ?? "").trim();
    entering.mutate({ username: text("username"), password: String(data.get("password") ?? ""), ...(text("totp") ? { totp: text("totp") } : {}) });
  };
  const problem = entering.error ? problemFrom(entering.error) : null;
  return (
    <form onSubmit={submit} className="sign-in-form">
      {problem ? (
        <div className="notice soft-bad" role="alert">
          <Shape tone="bad" />
          <span>{problem.detail || problem.title}{problem.remedy ? ` ${problem.remedy}` : ""}</span>
        </div>
      ) : null}
      <TextInput name="username" label="Name" autoComplete="username" required data-autofocus />
      <PasswordInput name="password" label="Password" autoComplete="current-password" required />
      {code ? <TextInput name="totp" label="Code from your authenticator" autoComplete="one-time-code" inputMode="numeric" /> : null}
      <Button type="submit" variant="filled" fullWidth loading={entering.isPending}>Sign in</Button>
    </form>
  );
}

export function SignInPage() {
  const session = useSession().data;
  const failed = new URLSearchParams(window.location.search).get("sign_in") === "failed";
  return (
    <main className="sign-in">
      <section className="card">
        <div className="brand"><Mark />Switchyard</div>
        <h1>Sign in{session?.environment ? ` to ${session.environment}` : ""}</h1>
        {failed ? (
          <div className="notice soft-bad" role="alert">
            <Shape tone="bad" />
            <span>Single sign-on did not work. Try it again, or sign in with a local account.</span>
          </div>
        ) : null}
        {(session?.providers ?? []).map((provider) => (
          <Button key={provider.id} component="a" href={provider.url} variant="filled" fullWidth mb="md">{provider.name}</Button>
        ))}
        <Form onDone={() => undefined} />
      </section>
      <p className="muted small">No account yet? An administrator adds one with <code>swy</code>; the first one is printed by <code>make up</code>.</p>
    </main>
  );
}

/** When a session ends in the middle of work, the page and its drafts stay behind this dialog. */
export function SignInAgain() {
  const out = useStore(signedOut);
  return (
    <Modal opened={out} onClose={() => undefined} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} title="Your session ended">
      <p className="muted">Sign in again to go on; what you typed on this page is still here.</p>
      <Form onDone={() => { live.stop(); live.start(); }} />
    </Modal>
  );
}
