import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import type { Explanation } from "../../wire/model";
import { rich, t } from "../../words/text";

/** May somebody do something, and which binding says so. */
export function Explain() {
  const account = useAccount();
  const [missing, setMissing] = useState(false);
  const ask = useMutation({
    mutationFn: (body: Record<string, string>) => send<Explanation>("/access/explain", { method: "POST", body }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const body = Object.fromEntries(
      [...data.entries()].map(([key, value]) => [key, String(value).trim()]).filter(([, value]) => value !== ""),
    ) as Record<string, string>;
    setMissing(!body["action"]);
    if (body["action"]) ask.mutate(body);
  };
  return (
    <Card title={t`Check access`}>
      <form onSubmit={submit} className="row wrap ask">
        <TextInput name="account" label={t`Who`} defaultValue={account?.name ?? ""} />
        <TextInput
          name="action"
          label={t`Permission`}
          placeholder={t`upgrade.switch`}
          error={missing ? t`Enter a permission.` : null}
        />
        <TextInput name="service" label={t`Service`} placeholder={t`any`} />
        <TextInput name="region" label={t`Region`} placeholder={t`any`} />
        <TextInput name="address" label={t`From address`} placeholder={t`any`} />
        <TextInput name="at" label={t`At`} placeholder={t`now, or for example 2026-03-01T09:00Z`} />
        <Button type="submit" variant="filled" loading={ask.isPending}>
          {t`Check`}
        </Button>
      </form>
      {ask.isError ? <ProblemPanel error={ask.error} /> : null}
      {ask.data ? (
        <div role="status">
          <p className={`sentence ${ask.data.allowed ? "ink-ok" : "ink-bad"}`}>
            <Shape tone={ask.data.allowed ? "ok" : "blocked"} size={18} /> {ask.data.allowed ? t`Allowed.` : t`Denied.`}{" "}
            {ask.data.reason}
          </p>
          {ask.data.bindings.length ? (
            <ul className="plain-list small">
              {ask.data.bindings.map((binding) => (
                <li key={binding}>{binding}</li>
              ))}
            </ul>
          ) : null}
          {!ask.data.allowed && ask.data.who_can.length ? (
            <p className="small">{rich`Allowed for: ${ask.data.who_can.join(", ")}`}</p>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}
