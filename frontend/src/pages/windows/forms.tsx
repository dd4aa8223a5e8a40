import { rehearsedChange } from "../../api/client";
import { choiceOf, type Draft, textOf } from "../../parts/forms/draft";
import { type Editing, type Field, Warnings } from "../../parts/forms/EditDialog";
import { Time } from "../../time/Time";
import type { WindowRule } from "../../wire/model";
import type { components } from "../../wire/schema";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

type Schemas = components["schemas"];

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
export function windowRules(draft: Draft): Schemas["WindowRulesRequest"] {
  const isRecurring = draft["rhythm"] === "cron";
  return {
    effect: choiceOf(draft, "effect", ["allow", "deny"]),
    zone: textOf(draft, "zone"),
    service: textOf(draft, "service"),
    region: textOf(draft, "region"),
    environment: textOf(draft, "environment"),
    overrun_minutes: Number(draft["overrun_minutes"]),
    reason: textOf(draft, "reason"),
    ticket: textOf(draft, "ticket"),
    overriders: namesOf(textOf(draft, "overriders")),
    cron: isRecurring ? textOf(draft, "cron") : "",
    minutes: isRecurring ? Number(draft["minutes"]) : 0,
    starts: isRecurring ? "" : textOf(draft, "starts"),
    ends: isRecurring ? "" : textOf(draft, "ends"),
  };
}

/** When it opens and closes next, with a word where the clocks change. */
export function NextOpenings({ of }: { of: WindowRule["next"] }) {
  return (
    <ol className="openings">
      {of.slice(0, 10).map((each) => (
        <li key={each.opens}>
          {rich`${(<Time at={each.opens} age={false} />)} to ${(<Time at={each.closes} age={false} />)}`}
          {each.note ? <span className="ink-wait"> {worded(each.note)}</span> : null}
        </li>
      ))}
    </ol>
  );
}

function Openings({ answer }: { answer: Schemas["ChangedWindow"] }) {
  const { next } = answer;
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
    ...(rule ? { seen: rule.rev } : {}),
    change: (draft, ifMatch) => {
      const tell = (answer: Schemas["ChangedWindow"]) => <Openings answer={answer} />;
      const rules = windowRules(draft);
      return rule
        ? rehearsedChange.put("/windows/{name}", { path: { name: rule.name }, body: rules, ifMatch }, tell)
        : rehearsedChange.post("/windows", { body: { ...rules, name: textOf(draft, "name") } }, tell);
    },
    refresh: [["windows"], ["overview"], ["upgrade"]],
  };
}
