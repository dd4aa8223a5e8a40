import { Button, PasswordInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { rememberCsrf, send } from "../../api/client";
import { problemFrom } from "../../api/problem";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import type { Session } from "../../wire/model";
import { t } from "../../words/text";

const EMPTY = { current: "", next: "", again: "" };

async function change(current: string, next: string): Promise<void> {
  await send("/session/password", { method: "PUT", body: { current, new: next } });
  // The session goes on under a new token.
  rememberCsrf((await send<Session>("/session")).csrf_token);
}

/** Change the password that one signs in with. */
export function Password() {
  const [typed, setTyped] = useState(EMPTY);
  const saving = useMutation({ mutationFn: () => change(typed.current, typed.next), onSuccess: () => setTyped(EMPTY) });
  const put =
    (name: keyof typeof EMPTY) =>
    (event: { currentTarget: { value: string } }): void => {
      saving.reset();
      setTyped({ ...typed, [name]: event.currentTarget.value });
    };
  const differs = typed.again !== "" && typed.again !== typed.next;
  const problem = saving.error ? problemFrom(saving.error) : null;
  const said = problem?.errors?.map((each) => each.message).join(" ") || problem?.detail || problem?.title;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Card title={t`Password`}>
      <form className="stack account-form" onSubmit={submit}>
        <PasswordInput
          label={t`Current password`}
          autoComplete="current-password"
          required
          value={typed.current}
          onChange={put("current")}
        />
        <PasswordInput
          label={t`New password`}
          description={t`At least 12 characters, for example several words.`}
          autoComplete="new-password"
          required
          value={typed.next}
          onChange={put("next")}
        />
        <PasswordInput
          label={t`Repeat the new password`}
          autoComplete="new-password"
          required
          value={typed.again}
          onChange={put("again")}
          error={differs ? t`The passwords differ.` : null}
        />
        {problem ? (
          <div className="notice soft-bad" role="alert">
            <Shape tone="bad" />
            <span>
              {said} {problem.remedy}
            </span>
          </div>
        ) : null}
        {saving.isSuccess ? (
          <div className="notice soft-ok" role="status">
            <Shape tone="ok" />
            <span>{t`Password changed. All other sessions were signed out.`}</span>
          </div>
        ) : null}
        <div>
          <Button
            type="submit"
            variant="filled"
            loading={saving.isPending}
            disabled={!typed.current || !typed.next || typed.again !== typed.next}
          >
            {t`Change password`}
          </Button>
        </div>
      </form>
    </Card>
  );
}
