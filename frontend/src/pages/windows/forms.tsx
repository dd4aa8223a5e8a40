import { type Draft, type Editing, type Field, Warnings } from "../../parts/EditDialog";
import { Time } from "../../time/Time";
import type { WindowRule } from "../../wire/model";
import { rich, t } from "../../words/text";

const zones = Intl.supportedValuesOf("timeZone");

const fields: readonly Field[] = [
  { name: "name", label: t`Name`, kind: "text", required: true, fixed: true, placeholder: t`weekday-nights` },
  {
    name: "effect",
    label: t`Effect`,
    kind: "select",
    data: [
      { value: "allow", label: t`Window: switches are allowed` },
      { value: "deny", label: t`Freeze: switches are not allowed` },
    ],
  },
  {
    name: "rhythm",
    label: t`When`,
    kind: "select",
    data: [
      { value: "cron", label: t`Recurring` },
      { value: "dates", label: t`Once` },
    ],
  },
  {
    name: "cron",
    label: t`Opens at (minute hour day month weekday)`,
    kind: "text",
    required: true,
    placeholder: t`0 22 * * MON-THU`,
    when: (draft) => draft["rhythm"] === "cron",
  },
  {
    name: "minutes",
    label: t`For how many minutes`,
    kind: "number",
    required: true,
    when: (draft) => draft["rhythm"] === "cron",
  },
  {
    name: "starts",
    label: t`From, local time of the zone`,
    kind: "moment",
    required: true,
    when: (draft) => draft["rhythm"] === "dates",
  },
  {
    name: "ends",
    label: t`To, local time of the zone`,
    kind: "moment",
    required: true,
    when: (draft) => draft["rhythm"] === "dates",
  },
  {
    name: "overrun_minutes",
    label: t`Overrun: no switch starts in the last … minutes`,
    kind: "number",
    description: t`Before the window closes or the freeze starts. With 0, a started switch may overrun.`,
  },
  {
    name: "zone",
    label: t`Time zone`,
    kind: "select",
    data: ["UTC", ...zones.filter((zone) => zone !== "UTC")].map((value) => ({ value, label: value })),
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
  { name: "reason", label: t`Reason`, kind: "area" },
  { name: "ticket", label: t`Ticket`, kind: "text" },
  {
    name: "overriders",
    label: t`Allowed overriders`,
    kind: "text",
    placeholder: t`olga, role releaser`,
    description:
      t`Accounts, and roles as role NAME, separated by commas. ` +
      t`They may override the rule for one upgrade, for one hour, with a reason. Empty: none.`,
  },
];

/** People and roles as they are written into one field. */
export function namesOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean),
    ),
  ];
}

/** What is sent: the rhythm that was not chosen leaves nothing behind. */
export function windowBody(draft: Draft, named: boolean): Draft {
  const { rhythm, name, overriders, ...rest } = draft;
  const cron = rhythm === "cron";
  return {
    ...(named ? { name: name ?? "" } : {}),
    ...rest,
    overriders: namesOf(String(overriders ?? "")),
    cron: cron ? (rest["cron"] ?? "") : "",
    minutes: cron ? (rest["minutes"] ?? 0) : 0,
    starts: cron ? "" : (rest["starts"] ?? ""),
    ends: cron ? "" : (rest["ends"] ?? ""),
  };
}

/** When it opens and closes next, with a word where the clocks change. */
export function NextOpenings({ of }: { of: WindowRule["next"] }) {
  return (
    <ol className="openings">
      {of.slice(0, 10).map((each) => (
        <li key={each.opens}>
          {rich`${(<Time at={each.opens} age={false} />)} to ${(<Time at={each.closes} age={false} />)}`}
          {each.note ? <span className="ink-wait"> {each.note}</span> : null}
        </li>
      ))}
    </ol>
  );
}

function Openings({ answer }: { answer: Record<string, unknown> }) {
  const next = (answer["next"] ?? []) as WindowRule["next"];
  return (
    <>
      <Warnings of={answer} />
      <h3>{t`Next openings`}</h3>
      {next.length === 0 ? <p>{t`No further openings.`}</p> : <NextOpenings of={next} />}
    </>
  );
}

export function windowForm(rule: WindowRule | null): Editing {
  const empty = {
    name: "",
    effect: "allow",
    zone: "UTC",
    service: "*",
    region: "*",
    environment: "*",
    cron: "",
    minutes: 120,
    overrun_minutes: 0,
    starts: "",
    ends: "",
    reason: "",
    ticket: "",
    overriders: [] as string[],
  };
  const {
    name,
    effect,
    zone,
    service,
    region,
    environment,
    cron,
    minutes,
    overrun_minutes,
    starts,
    ends,
    reason,
    ticket,
    overriders = [],
  } = rule ?? empty;
  return {
    title: rule ? t`Change ${rule.name}` : t`New window or freeze`,
    fields: rule ? fields.filter((field) => !field.fixed) : fields,
    start: {
      name,
      effect,
      zone,
      service,
      region,
      environment,
      cron,
      minutes,
      overrun_minutes,
      starts,
      ends,
      reason,
      ticket,
      overriders: overriders.join(", "),
      rhythm: starts ? "dates" : "cron",
    },
    path: rule ? `/windows/${encodeURIComponent(rule.name)}` : "/windows",
    method: rule ? "PUT" : "POST",
    ...(rule ? { seen: rule.rev } : {}),
    tell: (answer) => <Openings answer={answer} />,
    body: (draft) => windowBody(draft, rule === null),
    refresh: [["windows"], ["overview"], ["upgrade"]],
  };
}
