import type { ReactNode } from "react";
import { conditionDraft, conditionFields, countsText, withConditions } from "./conditions";
import type { Draft, Editing, Field } from "../../parts/EditDialog";
import type { AccountRow, Binding, Policy, Role } from "../../wire/model";
import { t } from "../../words/text";

const scope: readonly Field[] = [
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
];

const HOURS = 3600;

export type Stage = NonNullable<Policy["then"]>[number];

/** Groups in their order as a line that can be edited: `security, release:2`. */
export function stagesText(stages: readonly Stage[]): string {
  return stages.map((stage) => (stage.needed === 1 ? stage.group : `${stage.group}:${stage.needed}`)).join(", ");
}

export function stagesFrom(text: string): Stage[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const number = /:(\d+)$/.exec(part);
      return { group: number ? part.slice(0, number.index).trim() : part, needed: number ? Number(number[1]) : 1 };
    });
}

const kinds = [
  { value: "version", label: t`another version` },
  { value: "location", label: t`another location` },
  { value: "data", label: t`data in place` },
];

/** The builder of which upgrades a policy is about: each line narrows it. */
const aboutFields: readonly Field[] = [
  {
    name: "to_version",
    label: t`Only for upgrades to`,
    kind: "text",
    placeholder: "v2*",
    description: t`A version, or a pattern such as v2*; empty: any.`,
  },
  {
    name: "from_version",
    label: t`Only for upgrades from`,
    kind: "text",
    placeholder: "v1*",
    description: t`A version, or a pattern; empty: any.`,
  },
  { name: "kinds", label: t`Only for changes of`, kind: "many", data: kinds, description: t`Empty: all.` },
  { name: "without_rollback", label: t`Only for upgrades without reverse replication`, kind: "check" },
];

type About = NonNullable<Policy["about"]>;

/** Which upgrades of its scope a policy is about; nothing where it is about all. */
export function aboutText(about: About | undefined): string {
  const { from_version: from, to_version: to, kinds: which = [], without_rollback: lost } = about ?? {};
  return [
    from ? t`from ${from}` : "",
    to ? t`to ${to}` : "",
    which.map((each) => kinds.find((kind) => kind.value === each)?.label ?? each).join(" or "),
    lost ? t`without a rollback` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** What is asked for; lines that were left empty ask for nothing. */
function aboutFrom({ from_version: from, to_version: to, kinds: which, without_rollback: lost }: Draft): About {
  const text = (value: Draft[string] | undefined): string => String(value ?? "").trim();
  return {
    ...(text(from) ? { from_version: text(from) } : {}),
    ...(text(to) ? { to_version: text(to) } : {}),
    ...(Array.isArray(which) && which.length ? { kinds: which as NonNullable<About["kinds"]> } : {}),
    ...(lost ? { without_rollback: true } : {}),
  };
}

export function policyForm(policy: Policy | null, tell: (answer: Record<string, unknown>) => ReactNode): Editing {
  const fields: readonly Field[] = [
    ...(policy
      ? []
      : [
          {
            name: "name",
            label: t`Name`,
            kind: "text",
            required: true,
            placeholder: t`production-switch`,
          } satisfies Field,
        ]),
    {
      name: "purpose",
      label: t`For`,
      kind: "select",
      data: [
        { value: "switch", label: t`the switch` },
        { value: "revert", label: t`rollback` },
        { value: "brownout", label: t`brown-outs` },
      ],
    },
    ...scope,
    ...aboutFields,
    { name: "needed", label: t`Approvals required`, kind: "number" },
    { name: "group", label: t`Group`, kind: "text", description: t`Empty: any account that may vote.` },
    {
      name: "then",
      label: t`Further stages, in order`,
      kind: "text",
      description: t`Groups that vote after it: security, release:2. Empty: none.`,
      placeholder: t`security, release:2`,
    },
    {
      name: "free_minutes",
      label: t`Minutes after the switch without required approvals`,
      kind: "number",
      when: (draft) => draft["purpose"] === "revert",
    },
    { name: "hours", label: t`Hours until a request expires`, kind: "number", required: true },
    { name: "window_needed", label: t`Only inside a window`, kind: "check" },
    {
      name: "void_when_worse",
      label: t`Votes are void when a check gets worse`,
      kind: "check",
      description: t`Otherwise votes bind to the plan, and the switch waits until every check passes.`,
    },
    { name: "critical", label: t`Critical: decisions require the second factor again`, kind: "check" },
    { name: "last_approver_may_run", label: t`The last approver may run the switch`, kind: "check" },
    { name: "break_glass_group", label: t`Role or group for emergency overrides`, kind: "text", required: true },
  ];
  const start: Draft = policy
    ? {
        purpose: policy.purpose,
        service: policy.service,
        region: policy.region,
        environment: policy.environment,
        needed: policy.needed,
        group: policy.group,
        hours: Math.max(1, Math.round(policy.expires_seconds / HOURS)),
        window_needed: policy.window_needed,
        void_when_worse: policy.void_when_worse ?? false,
        critical: policy.critical,
        last_approver_may_run: policy.last_approver_may_run,
        break_glass_group: policy.break_glass_group,
        then: stagesText(policy.then ?? []),
        free_minutes: Math.round((policy.free_seconds ?? 0) / 60),
        from_version: policy.about?.from_version ?? "",
        to_version: policy.about?.to_version ?? "",
        kinds: [...(policy.about?.kinds ?? [])],
        without_rollback: policy.about?.without_rollback ?? false,
      }
    : {
        name: "",
        purpose: "switch",
        service: "*",
        region: "*",
        environment: "*",
        needed: 1,
        group: "approver",
        hours: 24,
        window_needed: false,
        void_when_worse: false,
        critical: false,
        last_approver_may_run: true,
        break_glass_group: "admin",
        then: "",
        free_minutes: 0,
        from_version: "",
        to_version: "",
        kinds: [],
        without_rollback: false,
      };
  return {
    title: policy ? t`Change ${policy.name}` : t`New approval policy`,
    fields,
    start,
    tell,
    path: policy ? `/policies/${encodeURIComponent(policy.name)}` : "/policies",
    method: policy ? "PUT" : "POST",
    ...(policy ? { seen: policy.rev } : {}),
    body: ({ hours, then, free_minutes: free, from_version, to_version, kinds: which, without_rollback, ...rest }) => ({
      ...rest,
      about: aboutFrom({
        from_version: from_version ?? "",
        to_version: to_version ?? "",
        kinds: which ?? [],
        without_rollback: without_rollback ?? false,
      }),
      expires_seconds: Number(hours) * HOURS,
      then: stagesFrom(String(then)),
      free_seconds: rest["purpose"] === "revert" ? Number(free) * 60 : 0,
    }),
    refresh: [["access"], ["approvals"], ["approval"], ["upgrade"]],
  };
}

/** An end is a moment or none. */
function bounded({ expires_at: end, ...rest }: Draft): Record<string, unknown> {
  return { ...withConditions(rest), expires_at: end ? `${String(end).slice(0, 19)}Z` : null };
}

export function bindingForm(binding: Binding | null, roles: readonly Role[]): Editing {
  const end: Field = { name: "expires_at", label: t`Until (UTC); empty for no end`, kind: "moment" };
  const fields: readonly Field[] = binding
    ? [...scope, end, ...conditionFields]
    : [
        {
          name: "subject_kind",
          label: t`Subject type`,
          kind: "select",
          data: [
            { value: "account", label: t`an account` },
            { value: "group", label: t`a group` },
          ],
        },
        { name: "subject", label: t`Subject`, kind: "text", required: true },
        {
          name: "role",
          label: t`Role`,
          kind: "select",
          data: roles.map((each) => ({ value: each.role, label: each.role })),
        },
        ...scope,
        end,
        ...conditionFields,
      ];
  return {
    title: binding ? t`Change ${binding.role} of ${binding.subject}` : t`Grant a role`,
    button: binding ? t`Save` : t`Grant`,
    fields,
    start: binding
      ? {
          service: binding.service,
          region: binding.region,
          environment: binding.environment,
          expires_at: binding.expires_at,
          ...conditionDraft(binding.conditions),
        }
      : {
          subject_kind: "account",
          subject: "",
          role: roles[0]?.role ?? "viewer",
          service: "*",
          region: "*",
          environment: "*",
          expires_at: "",
          ...conditionDraft(undefined),
        },
    path: binding ? `/access/bindings/${binding.id}` : "/access/bindings",
    method: binding ? "PUT" : "POST",
    ...(binding ? { seen: binding.tag } : {}),
    body: bounded,
    tell: countsText,
    refresh: [["access"], ["session"]],
  };
}

export const accountForm: Editing = {
  title: t`New account`,
  button: t`Create`,
  fields: [
    { name: "name", label: t`Name`, kind: "text", required: true },
    {
      name: "kind",
      label: t`For`,
      kind: "select",
      data: [
        { value: "user", label: t`a person` },
        { value: "service", label: t`a program (signs in by token)` },
      ],
    },
    { name: "email", label: t`Email`, kind: "text" },
    {
      name: "password",
      label: t`First password`,
      kind: "text",
      description: t`At least 12 characters. The owner must change it.`,
      required: true,
      when: (draft) => draft["kind"] === "user",
    },
  ],
  start: { name: "", kind: "user", email: "", password: "" },
  path: "/access/accounts",
  method: "POST",
  body: ({ password, email, ...rest }) => ({
    ...rest,
    ...(email ? { email } : {}),
    ...(rest["kind"] === "user" ? { password } : {}),
  }),
  refresh: [["access"]],
};

/** For whoever cannot sign in any more: a new password, and away with what was lost. */
export function lostForm(row: AccountRow): Editing {
  return {
    title: t`${row.name} is locked`,
    button: t`Unlock the account`,
    fields: [
      {
        name: "password",
        label: t`New password`,
        kind: "text",
        description: t`At least 12 characters. Empty: the current password stays. The owner must change it.`,
      },
      {
        name: "lost_second_factor",
        label: t`Remove the authenticator, passkeys and recovery codes`,
        kind: "check",
        description: t`Until another is set up, the password alone signs in. Verify the identity of the requester
            first.`,
      },
    ],
    start: { password: "", lost_second_factor: false },
    path: `/access/accounts/${encodeURIComponent(row.name)}`,
    method: "PATCH",
    body: ({ password, lost_second_factor: lost }) => ({
      ...(password ? { password } : {}),
      ...(lost ? { lost_second_factor: true } : {}),
    }),
    refresh: [["access"]],
  };
}

export function openForm(row: AccountRow): Editing {
  return {
    title: row.active ? t`Close ${row.name}` : t`Reopen ${row.name}`,
    button: row.active ? t`Close the account` : t`Reopen the account`,
    fields: [],
    start: { active: !row.active },
    path: `/access/accounts/${encodeURIComponent(row.name)}`,
    method: "PATCH",
    refresh: [["access"]],
  };
}
