import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { write } from "../../api/client";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import { rich, t } from "../../words/text";
import { Grants } from "./Grants";

/** Groups and a token are entered in one field. */
const PLACES = { groups: "text", token: "text" };

/** A token has three parts with dots between; anything else is names. */
export function groupsOrToken(text: string): { token: string } | { groups: string[] } {
  const trimmed = text.trim();
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(trimmed) && trimmed.length > 60
    ? { token: trimmed }
    : { groups: trimmed.split(/[\s,]+/).filter(Boolean) };
}

/** What somebody of the identity provider would get here, before they sign in. */
export function Groups() {
  const form = useForm({ text: "" }, { text: required });
  const ask = useMutation({
    mutationFn: (text: string) => write.post("/access/groups", { body: groupsOrToken(text) }),
  });
  return (
    <Card title={t`Roles of a group`}>
      <Form of={form} onSend={({ text }) => ask.mutate(text)} error={ask.error} places={PLACES}>
        <Textarea
          label={t`Groups of the identity provider, or an ID token`}
          description={t`The token is read once. It is not stored and does not sign in.`}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("text")}
        />
        <div className="row">
          <Button type="submit" variant="filled" disabled={isBlank(form.values.text)} loading={ask.isPending}>
            {t`Check`}
          </Button>
        </div>
      </Form>
      {ask.isError ? <ProblemPanel error={ask.error} /> : null}
      {ask.data ? (
        <div role="status">
          <p className={`sentence ${ask.data.roles.length ? "ink-ok" : "ink-wait"}`}>
            <Shape tone={ask.data.roles.length ? "ok" : "wait"} size={18} />{" "}
            {ask.data.roles.length
              ? t`Roles: ${ask.data.roles.join(" and ")}.`
              : ask.data.groups.length
                ? t`No role.`
                : t`The token contains no groups.`}
          </p>
          <Grants of={ask.data.grants} />
          {ask.data.unbound.length ? (
            <p className="small muted">{rich`No role is bound to ${ask.data.unbound.join(", ")}.`}</p>
          ) : null}
          {ask.data.permissions.length ? (
            <p className="small">
              <b>{t`Permissions:`}</b> <span className="mono">{ask.data.permissions.join(" ")}</span>
            </p>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}
