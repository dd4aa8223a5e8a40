import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Form } from "../../parts/forms/Form";
import { isBlank, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import type { components } from "../../wire/schema";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";
import { Grants } from "./Grants";

/** May somebody do something, and which binding says so. */
export function Explain() {
  const account = useAccount();
  const form = useForm(
    { account: account?.name ?? "", action: "", service: "", region: "", address: "", at: "" },
    { action: (action) => (isBlank(action) ? t`Enter a permission.` : null) },
  );
  const ask = useMutation({
    mutationFn: (body: components["schemas"]["AccessQuestionRequest"]) => write.post("/access/explain", { body }),
  });
  const submit = (values: typeof form.values): void => {
    const filled: Record<string, string> = Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [name, value.trim()])
        .filter(([, value]) => value !== ""),
    );
    ask.mutate({ ...filled, action: values.action.trim() });
  };
  return (
    <Card title={t`Check access`}>
      <Form of={form} onSend={submit} error={ask.error} className="row wrap ask">
        <TextInput label={t`Who`} {...form.getInputProps("account")} />
        <TextInput {...form.getInputProps("action")} label={t`Permission`} placeholder={t`upgrade.switch`} />
        <TextInput label={t`Service`} placeholder={t`any`} {...form.getInputProps("service")} />
        <TextInput label={t`Region`} placeholder={t`any`} {...form.getInputProps("region")} />
        <TextInput label={t`From address`} placeholder={t`any`} {...form.getInputProps("address")} />
        <TextInput
          w={290}
          label={t`At`}
          placeholder={t`now, or for example 2026-03-01T09:00Z`}
          {...form.getInputProps("at")}
        />
        <Button type="submit" variant="filled" loading={ask.isPending}>
          {t`Check`}
        </Button>
      </Form>
      {ask.isError ? <ProblemPanel error={ask.error} /> : null}
      {ask.data ? (
        <div role="status">
          <p className={`sentence ${ask.data.allowed ? "ink-ok" : "ink-bad"}`}>
            <Shape tone={ask.data.allowed ? "ok" : "blocked"} size={18} /> {ask.data.allowed ? t`Allowed.` : t`Denied.`}{" "}
            {ask.data.allowed ? null : worded(ask.data.reason, ask.data.phrases)}
          </p>
          <Grants of={ask.data.grants} />
          {!ask.data.allowed && ask.data.who_can.length ? (
            <p className="small">{rich`Allowed for: ${ask.data.who_can.join(", ")}`}</p>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}
