import { Button, Checkbox, MultiSelect, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/client";
import { Conflict, conflictOf, otherwise } from "../../parts/forms/Conflict";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { ProblemPanel } from "../../parts/states";
import type { Hook } from "../../wire/hooks";
import { events } from "./events";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

const formats: { value: Hook["format"]; label: string }[] = [
  { value: "signed", label: t`Webhook: signed JSON` },
  { value: "slack", label: t`Slack` },
  { value: "teams", label: t`Microsoft Teams` },
  { value: "email", label: t`Mail` },
];

const starts: Record<string, string> = {
  signed: "https://",
  slack: "https://hooks.slack.com/services/",
  teams: "https://",
  email: "mailto:",
};

const about: Record<Hook["format"], string> = {
  signed: t`Gets each event as JSON with an HMAC signature.`,
  slack: t`The address of an incoming webhook of your Slack workspace.`,
  teams: t`The address of a workflow that posts to a channel when a webhook request is received.`,
  email: t`mailto: and the addresses, separated by commas.`,
};

/** The newest event of the kind, as the receiver would read it. */
function Preview({ format, events: target }: { format: Hook["format"]; events: string[] }) {
  const result = useQuery({
    queryKey: ["hook-preview", format, target],
    queryFn: ({ signal }) => write.post("/hooks/preview", { body: { format, events: target }, signal }),
    retry: false,
    staleTime: 30_000,
  });
  if (!result.data) return null;
  const { event, example, message } = result.data;
  return (
    <details>
      <summary>{rich`Preview: ${event}${example ? t`, an example` : t`, the newest`}`}</summary>
      <pre className="json">
        {format === "email"
          ? `${String(message["subject"])}\n\n${String(message["text"])}`
          : JSON.stringify(message, null, 2)}
      </pre>
    </details>
  );
}

type Draft = Pick<Hook, "format" | "name" | "events" | "service" | "region" | "active"> & {
  url: string;
  address: string;
};

/** Whether an address was entered, beyond what every address begins with; an empty one leaves the kept one as it is. */
function addressHolds(url: string, isKept: boolean): boolean {
  return (isKept && url === "") || url.length > 10;
}

/** What is sent: all but the address that is kept. */
function bodyOf({ format, name, url, events: chosen, service, region, active }: Draft): Omit<Draft, "address"> {
  return { format, name, url, events: chosen, service, region, active };
}

const facts: Record<string, (of: Draft) => string> = {
  [t`Name`]: (of) => of.name,
  [t`Format`]: (of) => formats.find((each) => each.value === of.format)?.label ?? of.format,
  [t`Address`]: (of) => (of.url ? t`the one entered here` : of.address),
  [t`Events`]: (of) => of.events.join(", "),
  [t`Services`]: (of) => of.service,
  [t`Regions`]: (of) => of.region,
  [t`Active`]: (of) => (of.active ? t`yes` : t`no`),
};

export function HookForm({
  hook,
  onClose,
  onSecret,
}: {
  hook: Hook | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const cache = useQueryClient();
  const start: Draft = {
    format: hook?.format ?? ("signed" as const),
    name: hook?.name ?? "",
    url: hook ? "" : "https://",
    address: hook?.address ?? "",
    events: hook?.events ?? ["upgrade.*"],
    service: hook?.service ?? "*",
    region: hook?.region ?? "*",
    active: hook?.active ?? true,
  };
  // The address that is kept is not shown here; an empty field leaves it as it is.
  const keeps = ({ format }: Draft): boolean => hook !== null && format === hook.format;
  const form = useForm<Draft>(start, {
    name: required,
    url: (url, values) => (addressHolds(url, keeps(values)) ? null : t`Enter the whole address.`),
    events: required,
    service: required,
    region: required,
  });
  const draft = form.values;
  const [seen, setSeen] = useState(hook?.rev ?? "");
  const isKept = keeps(draft);
  const save = useMutation({
    mutationFn: async (values: Draft) => {
      const body = bodyOf(values);
      if (!hook) return (await write.post("/hooks", { body })).secret;
      await write.put("/hooks/{id}", { path: { id: hook.id }, body, ifMatch: seen });
      return "";
    },
    onSuccess: (secret) => {
      void cache.invalidateQueries({ queryKey: ["hooks"] });
      onClose();
      if (secret && draft.format === "signed") onSecret(secret);
    },
    onError: (error) => setSeen((conflictOf(error)?.current as Hook | undefined)?.rev ?? seen),
  });
  const stale = conflictOf(save.error);
  const theirs: Draft = { ...draft, url: "", ...(stale?.current as Hook | undefined) };
  const known = [
    ...events,
    ...draft.events
      .filter((each) => !events.some((one) => one.value === each))
      .map((value) => ({ value, label: value })),
  ];
  const ready = !isBlank(draft.name) && addressHolds(draft.url, isKept) && draft.events.length > 0;
  return (
    <Dialog opened onClose={onClose} title={hook ? t`Change ${hook.name}` : t`New channel`} size="lg">
      <Form of={form} onSend={(values) => save.mutate(values)} error={save.error} className="stack dialog">
        <TextInput data-autofocus label={t`Name`} required {...form.getInputProps("name")} />
        <Select
          label={t`Format`}
          data={formats}
          allowDeselect={false}
          {...form.getInputProps("format")}
          onChange={(value) =>
            form.setValues({
              format: (value ?? "signed") as Hook["format"],
              url: hook?.format === value ? "" : (starts[value ?? "signed"] ?? draft.url),
            })
          }
        />
        <TextInput
          label={draft.format === "email" ? t`Recipients` : t`Address`}
          description={isKept ? t`Now ${draft.address}. Empty: unchanged.` : about[draft.format]}
          type={draft.format === "email" ? "text" : "url"}
          required={!isKept}
          {...form.getInputProps("url")}
        />
        <MultiSelect
          label={t`Events`}
          required
          data={known}
          {...form.getInputProps("events")}
          clearButtonProps={{ "aria-label": t`Clear the events` }}
        />
        <TextInput
          label={t`Services`}
          description={t`A name, or a pattern such as iam.*; * matches all.`}
          required
          {...form.getInputProps("service")}
        />
        <TextInput
          label={t`Regions`}
          description={t`A name, or a pattern such as eu-*; * matches all.`}
          required
          {...form.getInputProps("region")}
        />
        <Checkbox label={t`Active`} {...form.getInputProps("active", { type: "checkbox" })} />
        {draft.events.length ? <Preview format={draft.format} events={draft.events} /> : null}
        {stale ? (
          <Conflict
            of={stale}
            differences={otherwise(facts, theirs, draft)}
            onTheirs={() => {
              form.setValues(
                Object.fromEntries(Object.keys(draft).map((name) => [name, theirs[name as keyof typeof draft]])),
              );
              save.reset();
            }}
            onMine={() => save.reset()}
          />
        ) : save.isError ? (
          <ProblemPanel error={save.error} />
        ) : null}
        <div className="row end">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="filled" disabled={!ready} loading={save.isPending}>
            {hook ? t`Save` : t`Create`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
