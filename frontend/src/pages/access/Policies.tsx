import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, rehearsedChange } from "../../api/client";
import { useAccount } from "../../api/queries";
import { EditDialog, RemoveDialog, Warnings, WarningList } from "../../parts/forms/EditDialog";
import { Card } from "../../parts/Page";
import { Loaded } from "../../parts/states";
import { DataTable } from "../../parts/tables/DataTable";
import { durationText } from "../../time/clock";
import type { Policy } from "../../wire/model";
import type { components } from "../../wire/schema";
import { scopeText } from "../windows/WindowsPage";
import { aboutText, policyForm } from "./forms";
import { PolicyPreview } from "./PolicyPreview";
import { plural, rich, t } from "../../words/text";

const byDefault = (policy: Policy): boolean => policy.rev === 0;

export function rulesText(row: Policy): string {
  return [
    t`open for ${durationText(row.expires_seconds)}`,
    row.critical ? t`critical` : "",
    row.window_needed ? t`only in a window` : "",
    row.void_when_worse ? t`votes are void when a check gets worse` : "",
    row.free_seconds ? t`free for ${durationText(row.free_seconds)} after the switch` : "",
    row.last_approver_may_run ? "" : t`the last approver may not switch`,
    t`emergency override: ${row.break_glass_group}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function stageText(needed: number, group: string): string {
  return t`${plural(needed, "# approval", "# approvals")} from ${group}`;
}

/** How many votes from whom, stage by stage. */
export function needsText(row: Policy): string {
  if (row.needed === 0) return t`none`;
  return [
    stageText(row.needed, row.group || t`any account that may vote`),
    ...(row.then ?? []).map((stage) => stageText(stage.needed, stage.group)),
  ].join(t`, then `);
}

/** The decision that a policy is about, as a title. */
export function purposeText(purpose: Policy["purpose"]): string {
  switch (purpose) {
    case "switch":
      return t`Switch`;
    case "revert":
      return t`Rollback`;
    case "brownout":
      return t`Brown-out`;
    case "evict":
      return t`Eviction`;
  }
}

type NewPolicy = components["schemas"]["NewPolicyRequest"];

const RULES = [
  "name",
  "purpose",
  "service",
  "region",
  "environment",
  "needed",
  "group",
  "last_approver_may_run",
  "expires_seconds",
  "critical",
  "window_needed",
  "break_glass_group",
  "then",
  "free_seconds",
  "about",
  "void_when_worse",
] as const satisfies (keyof NewPolicy)[];

/** The rules of a policy, as it is kept or as the dry run says that it would be. */
export function asPolicy(of: NewPolicy): NewPolicy {
  return Object.fromEntries(RULES.map((name) => [name, of[name]])) as unknown as NewPolicy;
}

export function Policies() {
  const policies = useQuery({
    queryKey: ["access", "policies"],
    queryFn: ({ signal }) => read("/policies", { signal }),
  });
  const may = useAccount()?.permissions.includes("policy.write") ?? false;
  const [editing, edit] = useState<Policy | "new" | null>(null);
  const [removing, remove] = useState<Policy | null>(null);
  return (
    <>
      {may ? (
        <div className="row end above">
          <Button variant="filled" onClick={() => edit("new")}>
            {t`New policy…`}
          </Button>
        </div>
      ) : null}
      <Loaded of={policies}>
        {(data) => (
          <Card className="flush">
            <DataTable
              label={t`Approval policies`}
              rows={data.items}
              rowKey={(row) => row.name}
              columns={[
                {
                  header: t`Policy`,
                  isRowHeader: true,
                  cell: (row) => (
                    <>
                      {row.name}
                      {byDefault(row) ? <div className="small muted">{t`default policy`}</div> : null}
                    </>
                  ),
                },
                { header: t`Action`, cell: (row) => purposeText(row.purpose) },
                {
                  header: t`Where`,
                  cell: (row) => (
                    <>
                      {scopeText(row)}
                      {aboutText(row.about) ? (
                        <div className="small muted">{rich`only ${aboutText(row.about)}`}</div>
                      ) : null}
                    </>
                  ),
                },
                { header: t`Needs`, cell: (row) => needsText(row) },
                { header: t`Rules`, className: "small", cell: (row) => rulesText(row) },
                {
                  header: t`Change`,
                  isHeaderUnseen: true,
                  isShown: may,
                  cell: (row) =>
                    byDefault(row) ? null : (
                      <div className="row tight">
                        <Button size="compact-xs" aria-label={t`Change ${row.name}`} onClick={() => edit(row)}>
                          {t`Change…`}
                        </Button>
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          aria-label={t`Remove ${row.name}`}
                          onClick={() => remove(row)}
                        >
                          {t`Remove…`}
                        </Button>
                      </div>
                    ),
                },
              ]}
            />
          </Card>
        )}
      </Loaded>
      {editing ? (
        <EditDialog
          of={policyForm(editing === "new" ? null : editing, (answer) => (
            <>
              <Warnings of={answer} />
              <PolicyPreview body={asPolicy(answer)} />
            </>
          ))}
          onClose={() => edit(null)}
        />
      ) : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove ${removing.name}`,
            button: t`Remove`,
            was: removing,
            seen: removing.rev,
            change: (ifMatch) =>
              rehearsedChange.delete("/policies/{name}", { path: { name: removing.name }, ifMatch }, (answer) => (
                <WarningList of={answer} />
              )),
            refresh: [["access"], ["approvals"], ["upgrade"]],
            text: <p>{t`The next wider policy, or the default policy, applies instead.`}</p>,
          }}
        />
      ) : null}
    </>
  );
}
