import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { TextInput } from "@mantine/core";
import { Link } from "react-router";
import { Form } from "../../parts/forms/Form";
import { isBlank, useForm } from "../../parts/forms/useForm";
import { Shape } from "../../parts/Shape";
import type { Unanswered } from "../../wire/references";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

/** `//service/region/name` in its three parts. */
export function place(id: string): { service: string; region: string; name: string } {
  const [service = "", region = "", ...name] = id.replace(/^\/\//, "").split("/");
  return { service, region, name: name.join("/") };
}

export function NameForm({ value, onAsk, button }: { value: string; onAsk: (name: string) => void; button: string }) {
  const form = useForm({ name: value });
  const known = useRef(value);
  useEffect(() => {
    if (known.current === value) return;
    known.current = value;
    form.setFieldValue("name", value);
  });
  return (
    <Form
      of={form}
      onSend={({ name }) => {
        if (!isBlank(name)) onAsk(name.trim());
      }}
      className="row ask-name"
      role="search"
    >
      <TextInput
        data-filter
        aria-label={t`Name of a resource`}
        placeholder={t`projects/p/secrets/s, or //service/region/name`}
        {...form.getInputProps("name")}
      />
      <Button type="submit" variant="filled">
        {button}
      </Button>
    </Form>
  );
}

/** What lies in a deployment that one may not read has a sign instead of a name. */
/** What is said in place of references where there are none: of a resource, or of a name that no resource has. */
export function noReferences(state: string | undefined): string {
  return state === "MISSING"
    ? t`There is no such resource, and nothing refers to this name.`
    : t`This resource has no references.`;
}

export function isHidden(id: string): boolean {
  return place(id).name.startsWith("hidden/");
}

/** The name of a resource, which leads to its references where one may look at them. */
export function ResourceName({ id }: { id: string }) {
  return isHidden(id) ? (
    <span className="muted">{t`hidden: no read permission`}</span>
  ) : (
    <Link to={`/refs?name=${encodeURIComponent(id)}`}>{place(id).name}</Link>
  );
}

/** Who may not read a deployment is told that something there refers, and whom to ask. */
export function HiddenResources({ ids }: { ids: readonly string[] }) {
  const hiddenIds = [...new Set(ids.filter(isHidden))];
  if (hiddenIds.length === 0) return null;
  const where = [
    ...new Set(
      hiddenIds.map((id) => {
        const at = place(id);
        return `${at.service} @ ${at.region}`;
      }),
    ),
  ];
  return (
    <div className="notice" role="status">
      <div>
        {rich`${hiddenIds.length === 1 ? t`One resource is` : t`${hiddenIds.length} resources are`} in deployments
          that you may not read. Only the existence of the references is shown: ${where.join(", ")}.`}
      </div>
    </div>
  );
}

/** A deployment that does not answer makes an answer incomplete, never better. */
export function UnansweredDeployments({ unknown }: { unknown: readonly Unanswered[] }) {
  if (unknown.length === 0) return null;
  return (
    <div className="notice soft-unknown" role="status">
      <Shape tone="unknown" />
      <div>
        {rich`${unknown.length === 1 ? t`One deployment` : t`${unknown.length} deployments`} did not answer.
          The result may be incomplete.`}
        <ul>
          {unknown.map((each) => (
            <li key={`${each.service} ${each.region}`}>
              {each.service} @ {each.region}: {worded(each.reason, each.phrases)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
