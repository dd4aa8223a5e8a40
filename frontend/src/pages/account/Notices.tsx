import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { send } from "../../api/client";
import { EditDialog, RemoveDialog, type Draft, type Editing } from "../../parts/EditDialog";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { events } from "../hooks/events";

export type Notices = components["schemas"]["NoticesShape"];
type Rule = Notices["rules"][number];
type Hours = Notices["hours"];

const KEY = ["notices"];
export const paces: Record<Rule["pace"], string> = {
  "at-once": "at once",
  hourly: "gathered, every hour",
  daily: "gathered, once a day",
};
const states: Record<Notices["sent"][number]["state"], Word> = {
  pending: { tone: "wait", word: "waits" },
  delivered: { tone: "ok", word: "sent" },
  failed: { tone: "bad", word: "failed" },
};

/** One kind of event, or several; patterns that were written elsewhere stay what they are. */
export function ruleForm(rule: Rule | null): Editing {
  const known = events.map((each) => ({ value: each.value, label: each.label }));
  const own = (rule?.events ?? [])
    .filter((each) => !known.some((one) => one.value === each))
    .map((value) => ({ value, label: value }));
  return {
    title: rule ? "Change when you are mailed" : "Be mailed",
    button: rule ? "Save" : "Mail me",
    fields: [
      { name: "events", label: "When", kind: "many", required: true, data: [...own, ...known] },
      {
        name: "pace",
        label: "How soon",
        kind: "select",
        data: Object.entries(paces).map(([value, label]) => ({ value, label })),
      },
      {
        name: "service",
        label: "Services",
        kind: "text",
        description: "A name, or a pattern such as iam.*; * is all.",
        required: true,
      },
      {
        name: "region",
        label: "Regions",
        kind: "text",
        description: "A name, or a pattern such as eu-*; * is all.",
        required: true,
      },
      { name: "active", label: "On", kind: "check" },
    ],
    start: rule
      ? { events: rule.events, pace: rule.pace, service: rule.service, region: rule.region, active: rule.active }
      : { events: ["upgrade.*"], pace: "at-once", service: "*", region: "*", active: true },
    path: rule ? `/notices/${rule.id}` : "/notices",
    method: rule ? "PUT" : "POST",
    ...(rule ? { seen: rule.rev } : {}),
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
    title: "When you are mailed",
    fields: [
      { name: "zone", label: "Your time zone", kind: "select", data: zones },
      {
        name: "quiet_from",
        label: "Quiet from",
        kind: "text",
        placeholder: "22:00",
        description: "Empty: no hour is quiet.",
      },
      {
        name: "quiet_to",
        label: "Quiet until",
        kind: "text",
        placeholder: "07:00",
        description: "What happened meanwhile comes then, in one mail.",
      },
      { name: "daily_at", label: "The daily summary comes at", kind: "text", required: true },
    ],
    start,
    path: "/notices/hours",
    method: "PUT",
    seen: hours.rev,
    body: (draft) => ({ ...draft, quiet_from: draft["quiet_from"] || null, quiet_to: draft["quiet_to"] || null }),
    refresh: [KEY],
  };
}

/** Which hours are quiet, in a sentence. */
export function hoursText(hours: Hours): string {
  const quiet =
    hours.quiet_from && hours.quiet_to ? `Quiet from ${hours.quiet_from} to ${hours.quiet_to}` : "No hour is quiet";
  return `${quiet}; a daily summary comes at ${hours.daily_at} (${hours.zone}).`;
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
    <Scroll label="Your mails">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Where</th>
            <th scope="col">How soon</th>
            <th scope="col">
              <span className="unseen">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.id}>
              <th scope="row">
                {rule.events.map((each) => events.find((one) => one.value === each)?.label ?? each).join("; ")}
                {rule.active ? null : <div className="small muted">off</div>}
              </th>
              <td>{rule.service === "*" && rule.region === "*" ? "everywhere" : `${rule.service} @ ${rule.region}`}</td>
              <td>{paces[rule.pace]}</td>
              <td>
                <div className="row tight">
                  <Button
                    size="compact-xs"
                    aria-label={`Change ${rule.events.join(", ")}`}
                    onClick={() => onEdit(rule)}
                  >
                    Change…
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Remove ${rule.events.join(", ")}`}
                    onClick={() => onRemove(rule)}
                  >
                    Remove…
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Sent({ sent }: { sent: Notices["sent"] }) {
  if (sent.length === 0) return null;
  return (
    <details>
      <summary>The last {sent.length === 1 ? "mail" : `${sent.length} events`}</summary>
      <dl className="facts small">
        {sent.map((row) => (
          <Fragment key={row.id}>
            <dt className="mono">{row.event}</dt>
            <dd>
              <Status of={states[row.state]} />{" "}
              {row.state === "pending" ? (
                <>
                  due <Time at={row.next_at} />
                </>
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
export function NoticesCard() {
  const found = useQuery({ queryKey: KEY, queryFn: ({ signal }) => send<Notices>("/notices", { signal }) });
  const [editing, edit] = useState<Editing | null>(null);
  const [removing, remove] = useState<Rule | null>(null);
  const ready = Boolean(found.data?.sends_mail && found.data.mail);
  return (
    <Card
      title="Mails to you"
      aside={
        ready ? (
          <Button size="xs" onClick={() => edit(ruleForm(null))}>
            Be mailed…
          </Button>
        ) : null
      }
    >
      <Loaded of={found} lines={3}>
        {(data) => (
          <>
            {!data.sends_mail ? (
              <p className="muted">
                This installation sends no mails: <code>SWITCHYARD_MAIL_URL</code> names the server that would.
              </p>
            ) : !data.mail ? (
              <p className="muted">Your account has no mail address; whoever manages access can set one.</p>
            ) : (
              <p className="small">
                To {data.mail}. {hoursText(data.hours)}{" "}
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => edit(hoursForm(data.hours, Intl.DateTimeFormat().resolvedOptions().timeZone))}
                >
                  Change the hours…
                </Button>
              </p>
            )}
            {data.rules.length ? (
              <Rules rules={data.rules} onEdit={(rule) => edit(ruleForm(rule))} onRemove={remove} />
            ) : ready ? (
              <Empty title="You are mailed of nothing.">
                What needs you stands at the bell, and this browser can show it too.
              </Empty>
            ) : null}
            <Sent sent={data.sent} />
          </>
        )}
      </Loaded>
      {editing ? <EditDialog of={editing} onClose={() => edit(null)} /> : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: "No more of these mails",
            button: "Remove",
            path: `/notices/${removing.id}`,
            was: removing,
            seen: removing.rev,
            refresh: [KEY],
            text: <p>What was still to be sent of {removing.events.join(", ")} is not sent.</p>,
          }}
        />
      ) : null}
    </Card>
  );
}
