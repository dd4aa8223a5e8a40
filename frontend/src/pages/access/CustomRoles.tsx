import { change, rehearsedChange } from "../../api/client";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useAccount } from "../../api/queries";
import { type Draft, textOf } from "../../parts/forms/draft";
import { EditDialog, RemoveDialog, type Editing } from "../../parts/forms/EditDialog";
import { Card } from "../../parts/Page";
import type { Role } from "../../wire/model";
import { worded } from "../../words/server";
import { t } from "../../words/text";

type Permission = Role["permissions"][number];

/** Every permission there is: the admin carries them all. */
export function everyPermission(roles: readonly Role[]): Permission[] {
  return [...(roles.find((each) => each.role === "admin")?.permissions ?? [])];
}

/** The name of the box of a permission; the form library takes a dot for a path. */
const boxOf = (permission: string): string => permission.replaceAll(".", "-");

/** The form of a role: a box for each permission that whoever fills it in may give, and for each it has already. */
export function roleForm(role: Role | null, all: readonly Permission[], held: readonly string[]): Editing {
  const has = new Set(role?.permissions.map((each) => each.permission) ?? []);
  const offered = all.filter((each) => held.includes(each.permission) || has.has(each.permission));
  const start: Draft = {
    ...(role ? {} : { role: "" }),
    title: role?.title ?? "",
    ...Object.fromEntries(offered.map((each) => [boxOf(each.permission), has.has(each.permission)])),
  };
  const rules = (draft: Draft) => ({
    title: textOf(draft, "title"),
    permissions: offered.map((each) => each.permission).filter((each) => draft[boxOf(each)]),
  });
  return {
    title: role ? t`Change ${role.role}` : t`New role`,
    button: role ? t`Save` : t`Create`,
    fields: [
      ...(role
        ? []
        : [
            {
              name: "role",
              label: t`Name`,
              kind: "text",
              required: true,
              placeholder: t`night-switcher`,
              description: t`Lowercase letters, digits and hyphens.`,
            } as const,
          ]),
      { name: "title", label: t`Description`, kind: "text" },
      ...offered.map(
        (each) =>
          ({
            name: boxOf(each.permission),
            label: worded(each.title),
            kind: "check",
            description: each.permission,
          }) as const,
      ),
    ],
    start,
    ...(role ? { seen: role.rev } : {}),
    change: (draft, ifMatch) =>
      role
        ? change.put("/access/roles/{role}", { path: { role: role.role }, body: rules(draft), ifMatch })
        : change.post("/access/roles", { body: { ...rules(draft), role: textOf(draft, "role") } }),
    refresh: [["access"], ["session"]],
  };
}

/** Roles and their permissions; those built in stay, others are made from the same permissions. */
export function CustomRoles({ roles }: { roles: readonly Role[] }) {
  const account = useAccount();
  const held = account?.permissions ?? [];
  const may = held.includes("access.manage");
  const [editing, edit] = useState<Role | "new" | null>(null);
  const [removing, remove] = useState<Role | null>(null);
  return (
    <Card
      title={t`Roles and their permissions`}
      aside={
        may ? (
          <Button size="xs" onClick={() => edit("new")}>
            {t`New role…`}
          </Button>
        ) : null
      }
    >
      <ul className="plain-list">
        {roles.map((row) => (
          <li key={row.role}>
            <div className="row tight">
              <b>{row.role}</b>
              {row.made ? <span className="small muted">{row.title || t`created by ${row.changed_by}`}</span> : null}
              <span className="grow" />
              {row.made && may ? (
                <>
                  <Button size="compact-xs" aria-label={t`Change the role ${row.role}`} onClick={() => edit(row)}>
                    {t`Change…`}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={t`Remove the role ${row.role}`}
                    onClick={() => remove(row)}
                  >
                    {t`Remove…`}
                  </Button>
                </>
              ) : null}
            </div>
            <div className="small muted">
              {row.role === "admin"
                ? t`everything`
                : row.permissions.map((each) => worded(each.title).toLowerCase()).join(" · ")}
            </div>
          </li>
        ))}
      </ul>
      {editing ? (
        <EditDialog
          of={roleForm(editing === "new" ? null : editing, everyPermission(roles), held)}
          onClose={() => edit(null)}
        />
      ) : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove the role ${removing.role}`,
            button: t`Remove`,
            was: removing,
            seen: removing.rev,
            change: (ifMatch) =>
              rehearsedChange.delete("/access/roles/{role}", { path: { role: removing.role }, ifMatch }, () => null),
            refresh: [["access"]],
            text: <p>{t`The role can no longer be granted. Existing bindings must be removed first.`}</p>,
          }}
        />
      ) : null}
    </Card>
  );
}
