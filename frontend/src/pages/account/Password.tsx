import { Button, PasswordInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { read, rememberCsrf, write } from "../../api/client";
import { problemFrom } from "../../api/problem";
import { Form } from "../../parts/forms/Form";
import { Refusal } from "../../parts/forms/Refusal";
import { required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import { t } from "../../words/text";

const EMPTY = { current: "", next: "", again: "" };
/** What the server calls the new password, in the request and in what it says of its strength. */
const PLACES = { new: "next", password: "next" };

async function change(current: string, next: string): Promise<void> {
  await write.put("/session/password", { body: { current, new: next } });
  // The session goes on under a new token.
  rememberCsrf((await read("/session")).csrf_token);
}

/** Change the password that one signs in with. */
export function Password() {
  const form = useForm(EMPTY, {
    current: required,
    next: required,
    again: (again, { next }) => (again === next ? null : t`The passwords differ.`),
  });
  const { current, next, again } = form.values;
  const saving = useMutation({
    mutationFn: (values: typeof EMPTY) => change(values.current, values.next),
    onSuccess: () => form.reset(),
  });
  const differs = again !== "" && again !== next;
  const field = (name: keyof typeof EMPTY) => {
    const props = form.getInputProps(name);
    return {
      ...props,
      // The library marks its other fields that are wrong, and not these.
      "aria-invalid": props.error ? true : undefined,
      onChange: (event: unknown): void => {
        saving.reset();
        props.onChange(event);
      },
    };
  };
  return (
    <Card title={t`Password`}>
      <Form
        of={form}
        onSend={(values) => saving.mutate(values)}
        error={saving.error}
        places={PLACES}
        className="stack account-form"
      >
        <PasswordInput label={t`Current password`} autoComplete="current-password" required {...field("current")} />
        <PasswordInput
          label={t`New password`}
          description={t`At least 12 characters, for example several words.`}
          autoComplete="new-password"
          required
          {...field("next")}
        />
        <PasswordInput
          label={t`Repeat the new password`}
          autoComplete="new-password"
          required
          {...field("again")}
          error={differs ? t`The passwords differ.` : form.errors["again"]}
        />
        {!saving.isError ? null : problemFrom(saving.error).errors?.length ? (
          <ProblemPanel error={saving.error} />
        ) : (
          <Refusal error={saving.error} />
        )}
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
            disabled={!current || !next || again !== next}
          >
            {t`Change password`}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
