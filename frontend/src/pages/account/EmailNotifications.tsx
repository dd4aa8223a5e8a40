import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { change, read, rehearsedChange } from "../../api/client";
import { choiceOf, type Draft, listOf, textOf } from "../../parts/forms/draft";
import { EditDialog, RemoveDialog, type Editing } from "../../parts/forms/EditDialog";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { events } from "../hooks/events";
import { rich, t } from "../../words/text";

export type Notices = components["schemas"]["NotificationSettings"];
type Rule = Notices["rules"][number];
type Hours = Notices["hours"];

const KEY = ["notices"];
export const frequencies: Record<Rule["pace"], string> = {
  "at-once": t`immediately`,
  hourly: t`collected, every hour`,
  daily: t`collected, once a day`,
};
const states: Record<Notices["sent"][number]["state"], Word> = {
  pending: { tone: "wait", word: t`waits` },
  delivered: { tone: "ok", word: t`sent` },
  failed: { tone: "bad", word: t`failed` },
};

/** One kind of event, or several; patterns that were written elsewhere stay what they are. */
export function ruleForm(rule: Rule | null): Editing {
  const known = events.map((each) => ({ value: each.value, label: each.label }));
  const own = (rule?.events ?? [])
    .filter((each) => !known.some((one) => one.value === each))
    .map((value) => ({ value, label: value }));
  return {
    title: rule ? t`Change email notifications` : t`New email notification`,
    button: rule ? t`Save` : t`Add`,
    fields: [
      { name: "events", label: t`When`, kind: "many", required: true, data: [...own, ...known] },
      {
        name: "pace",
        label: t`Frequency`,
        kind: "select",
        data: Object.entries(frequencies).map(([value, label]) => ({ value, label })),
      },
      {
        name: "service",
        label: t`Services`,
        kind: "text",
        description: t`A name, or a pattern such as iam.*; * matches all.`,
        required: true,
      },
      {
        name: "region",
        label: t`Regions`,
        kind: "text",
        description: t`A name, or a pattern such as eu-*; * matches all.`,
        required: true,
      },
      { name: "active", label: t`On`, kind: "check" },
    ],
    start: rule
      ? { events: rule.events, pace: rule.pace, service: rule.service, region: rule.region, active: rule.active }
      : { events: ["upgrade.*"], pace: "at-once", service: "*", region: "*", active: true },
    ...(rule ? { seen: rule.rev } : {}),
    change: (draft, ifMatch) => {
      const body = {
        events: listOf(draft, "events"),
        pace: choiceOf(draft, "pace", ["at-once", "hourly", "daily"]),
        service: textOf(draft, "service"),
        region: textOf(draft, "region"),
        active: Boolean(draft["active"]),
      };
      return rule
        ? change.put("/notices/{id}", { path: { id: rule.id }, body, ifMatch })
        : change.post("/notices", { body });
    },
    refresh: [KEY],
  };
}

export function hoursForm(hours: Hours, here: string): Editing {
  const zones = [...new Set([hours.zone, here, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((each) => ({
    value: each,
    label: each,
  }));
  const start: Draft = {
    zone: hours.rev === 0 ? here : hours.zone,
    quiet_from: hours.quiet_from ?? "",
    quiet_to: hours.quiet_to ?? "",
    daily_at: hours.daily_at,
  };
  return {
    title: t`Delivery times`,
    fields: [
      { name: "zone", label: t`Your time zone`, kind: "select", data: zones },
      {
        name: "quiet_from",
        label: t`Quiet hours start`,
        kind: "text",
        placeholder: "22:00",
        description: t`Empty: no quiet hours.`,
      },
      {
        name: "quiet_to",
        label: t`Quiet hours end`,
        kind: "text",
        placeholder: "07:00",
        description: t`Events of the quiet hours are sent then, in one email.`,
      },
      { name: "daily_at", label: t`Daily summary at`, kind: "text", required: true },
    ],
    start,
    seen: hours.rev,
    change: (draft, ifMatch) => change.put("/notices/hours", { body: hoursOf(draft), ifMatch }),
    refresh: [KEY],
  };
}

export function hoursOf(draft: Draft): components["schemas"]["NewQuietHoursRequest"] {
  return {
    zone: textOf(draft, "zone"),
    quiet_from: textOf(draft, "quiet_from") || null,
    quiet_to: textOf(draft, "quiet_to") || null,
    daily_at: textOf(draft, "daily_at"),
  };
}

/** Which hours are quiet, in a sentence. */
export function hoursText(hours: Hours): string {
  const quiet =
    hours.quiet_from && hours.quiet_to
      ? t`Quiet hours from ${hours.quiet_from} to ${hours.quiet_to}`
      : t`No quiet hours`;
  return t`${quiet}; daily summary at ${hours.daily_at} (${hours.zone}).`;
}

function Rules({
  rules,
  onEdit,
  onRemove,
}: {
  rules: readonly Rule[];
  onEdit: (rule: Rule) => void;
  onRemove: (rule: Rule) => void;
}) {
  return (
    <DataTable
      label={t`Email notifications`}
      rows={rules}
      rowKey={(rule) => rule.id}
      columns={[
        {
          header: t`When`,
          isRowHeader: true,
          cell: (rule) => (
            <>
              {rule.events.map((each) => events.find((one) => one.value === each)?.label ?? each).join("; ")}
              {rule.active ? null : <div className="small muted">{t`off`}</div>}
            </>
          ),
        },
        {
          header: t`Where`,
          cell: (rule) =>
            rule.service === "*" && rule.region === "*" ? t`everywhere` : `${rule.service} @ ${rule.region}`,
        },
        { header: t`Frequency`, cell: (rule) => frequencies[rule.pace] },
        {
          header: t`Change`,
          isHeaderUnseen: true,
          cell: (rule) => (
            <div className="row tight">
              <Button size="compact-xs" aria-label={t`Change ${rule.events.join(", ")}`} onClick={() => onEdit(rule)}>
                {t`Change…`}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={t`Remove ${rule.events.join(", ")}`}
                onClick={() => onRemove(rule)}
              >
                {t`Remove…`}
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}

function SentEmails({ sent }: { sent: Notices["sent"] }) {
  if (sent.length === 0) return null;
  return (
    <details>
      <summary>{rich`The last ${sent.length === 1 ? t`mail` : t`${sent.length} events`}`}</summary>
      <dl className="facts small">
        {sent.map((row) => (
          <Fragment key={row.id}>
            <dt className="mono">{row.event}</dt>
            <dd>
              <Status of={states[row.state]} />{" "}
              {row.state === "pending" ? (
                <>{rich`due ${(<Time at={row.next_at} />)}`}</>
              ) : (
                <Time at={row.delivered_at ?? row.created_at} />
              )}
              {row.error ? <span className="ink-bad break"> {row.error}</span> : null}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

/** What one is mailed of, how soon, and the hours in which one is left alone. */
export function EmailNotifications() {
  const result = useQuery({ queryKey: KEY, queryFn: ({ signal }) => read("/notices", { signal }) });
  const [editing, edit] = useState<Editing | null>(null);
  const [removing, remove] = useState<Rule | null>(null);
  const ready = Boolean(result.data?.sends_mail && result.data.mail);
  return (
    <Card
      title={t`Email notifications`}
      aside={
        ready ? (
          <Button size="xs" onClick={() => edit(ruleForm(null))}>
            {t`New email notification…`}
          </Button>
        ) : null
      }
    >
      <Loaded of={result} lines={3}>
        {(data) => (
          <>
            {!data.sends_mail ? (
              <p className="muted">
                {rich`This installation sends no email: ${(<code>SWITCHYARD_MAIL_URL</code>)} is not set.`}
              </p>
            ) : !data.mail ? (
              <p className="muted">{t`Your account has no email address. An access administrator can set one.`}</p>
            ) : (
              <p className="small">
                {rich`To ${data.mail}. ${hoursText(data.hours)}`}{" "}
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => edit(hoursForm(data.hours, Intl.DateTimeFormat().resolvedOptions().timeZone))}
                >
                  {t`Change delivery times…`}
                </Button>
              </p>
            )}
            {data.rules.length ? (
              <Rules rules={data.rules} onEdit={(rule) => edit(ruleForm(rule))} onRemove={remove} />
            ) : ready ? (
              <Empty title={t`No email notifications.`}>
                {t`The bell shows your pending tasks. This browser can show them as notifications too.`}
              </Empty>
            ) : null}
            <SentEmails sent={data.sent} />
          </>
        )}
      </Loaded>
      {editing ? <EditDialog of={editing} onClose={() => edit(null)} /> : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove this email notification`,
            button: t`Remove`,
            was: removing,
            seen: removing.rev,
            change: (ifMatch) =>
              rehearsedChange.delete("/notices/{id}", { path: { id: removing.id }, ifMatch }, () => null),
            refresh: [KEY],
            text: <p>{rich`Unsent emails about ${removing.events.join(", ")} are discarded.`}</p>,
          }}
        />
      ) : null}
    </Card>
  );
}
