import { change, rehearsedChange } from "../../api/client";
import type { ReactNode } from "react";
import { conditionDraft, conditionFields, conditionsOf, countsText } from "./conditions";
import { choiceOf, type Draft, listOf, textOf } from "../../parts/forms/draft";
import type { Editing, Field } from "../../parts/forms/EditDialog";
import type { AccountRow, Binding, Policy, Role } from "../../wire/model";
import type { components } from "../../wire/schema";
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

type Schemas = components["schemas"];

const HOURS = 3600;
const PURPOSES = ["switch", "revert", "evict", "brownout"] as const;
const KINDS = ["version", "location", "data"] as const;

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
  { value: "shards", label: t`another shard count alone` },
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
function aboutFrom(draft: Draft): Schemas["UpgradeSelectorRequest"] {
  const from = textOf(draft, "from_version").trim();
  const to = textOf(draft, "to_version").trim();
  const which = KINDS.filter((kind) => listOf(draft, "kinds").includes(kind));
  return {
    ...(from ? { from_version: from } : {}),
    ...(to ? { to_version: to } : {}),
    ...(which.length ? { kinds: which } : {}),
    ...(draft["without_rollback"] ? { without_rollback: true } : {}),
  };
}

/** The rules of a policy that a draft asks for. */
export function policyRules(draft: Draft): Schemas["PolicyRulesRequest"] {
  const purpose = choiceOf(draft, "purpose", PURPOSES);
  return {
    purpose,
    service: textOf(draft, "service"),
    region: textOf(draft, "region"),
    environment: textOf(draft, "environment"),
    needed: Number(draft["needed"]),
    group: textOf(draft, "group"),
    window_needed: Boolean(draft["window_needed"]),
    void_when_worse: Boolean(draft["void_when_worse"]),
    critical: Boolean(draft["critical"]),
    last_approver_may_run: Boolean(draft["last_approver_may_run"]),
    break_glass_group: textOf(draft, "break_glass_group"),
    about: aboutFrom(draft),
    expires_seconds: Number(draft["hours"]) * HOURS,
    then: stagesFrom(textOf(draft, "then")),
    free_seconds: purpose === "revert" ? Number(draft["free_minutes"]) * 60 : 0,
  };
}

export function policyForm(policy: Policy | null, tell: (answer: Schemas["ChangedPolicy"]) => ReactNode): Editing {
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
    ...(policy ? { seen: policy.rev } : {}),
    change: (draft, ifMatch) =>
      policy
        ? rehearsedChange.put(
            "/policies/{name}",
            { path: { name: policy.name }, body: policyRules(draft), ifMatch },
            tell,
          )
        : rehearsedChange.post("/policies", { body: { ...policyRules(draft), name: textOf(draft, "name") } }, tell),
    refresh: [["access"], ["approvals"], ["approval"], ["upgrade"]],
  };
}

/** Where and when a role counts; an end is a moment or none. */
function boundsOf(draft: Draft): Schemas["BindingBoundsRequest"] {
  const end = textOf(draft, "expires_at");
  return {
    service: textOf(draft, "service"),
    region: textOf(draft, "region"),
    environment: textOf(draft, "environment"),
    conditions: conditionsOf(draft),
    expires_at: end ? `${end.slice(0, 19)}Z` : null,
  };
}

function grantOf(draft: Draft): Schemas["NewBindingRequest"] {
  return {
    ...boundsOf(draft),
    subject_kind: choiceOf(draft, "subject_kind", ["account", "group"]),
    subject: textOf(draft, "subject"),
    role: textOf(draft, "role"),
  };
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
    ...(binding ? { seen: binding.tag } : {}),
    change: (draft, ifMatch) =>
      binding
        ? rehearsedChange.put(
            "/access/bindings/{binding}",
            { path: { binding: binding.id }, body: boundsOf(draft), ifMatch },
            countsText,
          )
        : rehearsedChange.post("/access/bindings", { body: grantOf(draft) }, countsText),
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
  change: (draft) => {
    const kind = choiceOf(draft, "kind", ["user", "service"]);
    const email = textOf(draft, "email");
    return change.post("/access/accounts", {
      body: {
        name: textOf(draft, "name"),
        kind,
        ...(email ? { email } : {}),
        ...(kind === "user" ? { password: textOf(draft, "password") } : {}),
      },
    });
  },
  refresh: [["access"]],
};

/** For whoever cannot sign in any more: a new password, and away with what was lost. */
export function lostForm(row: AccountRow): Editing {
  return {
    title: t`Unlock ${row.name}`,
    text: t`For an owner who can no longer sign in.`,
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
    change: (draft) => {
      const password = textOf(draft, "password");
      return change.patch("/access/accounts/{name}", {
        path: { name: row.name },
        body: {
          ...(password ? { password } : {}),
          ...(draft["lost_second_factor"] ? { lost_second_factor: true } : {}),
        },
      });
    },
    refresh: [["access"]],
  };
}

export function openForm(row: AccountRow): Editing {
  return {
    title: row.active ? t`Disable ${row.name}` : t`Enable ${row.name}`,
    danger: row.active,
    text: row.active
      ? t`The account is refused everywhere: its sessions and tokens stop working. Approvals that it gave and that
          were not used are void.`
      : t`The account can sign in again, with the roles that it has.`,
    button: row.active ? t`Disable the account` : t`Enable the account`,
    fields: [],
    start: {},
    change: () => change.patch("/access/accounts/{name}", { path: { name: row.name }, body: { active: !row.active } }),
    refresh: [["access"]],
  };
}
