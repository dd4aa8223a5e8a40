import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { type Draft, EditDialog, RemoveDialog, Warnings } from "../../parts/EditDialog";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Loaded } from "../../parts/states";
import { durationText } from "../../time/clock";
import type { Page as PageOf, Policy } from "../../wire/model";
import { scopeText } from "../windows/WindowsPage";
import { aboutText, policyForm } from "./forms";
import { PolicyPreview } from "./PolicyPreview";
import { rich, t } from "../../words/text";

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

/** How many votes from whom, stage by stage. */
export function needsText(row: Policy): string {
  if (row.needed === 0) return t`none`;
  return [
    t`${row.needed} of ${row.group || t`any account that may vote`}`,
    ...(row.then ?? []).map((stage) => t`${stage.needed} of ${stage.group}`),
  ].join(t`, then `);
}

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
];

/** The policy as it would be kept, out of the answer of the dry run. */
export function asPolicy(answer: Record<string, unknown>): Draft {
  return Object.fromEntries(RULES.map((name) => [name, answer[name] as Draft[string]]));
}

export function Policies() {
  const policies = useQuery({
    queryKey: ["access", "/policies"],
    queryFn: ({ signal }) => send<PageOf<Policy>>("/policies", { signal }),
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
            <Scroll label={t`Approval policies`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t`Policy`}</th>
                    <th scope="col">{t`Action`}</th>
                    <th scope="col">{t`Where`}</th>
                    <th scope="col">{t`Needs`}</th>
                    <th scope="col">{t`Rules`}</th>
                    {may ? (
                      <th scope="col">
                        <span className="unseen">{t`Change`}</span>
                      </th>
                    ) : null}
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((row) => (
                    <tr key={row.name}>
                      <th scope="row">
                        {row.name}
                        {byDefault(row) ? <div className="small muted">{t`default policy`}</div> : null}
                      </th>
                      <td>{row.purpose === "revert" ? t`rollback` : row.purpose}</td>
                      <td>
                        {scopeText(row)}
                        {aboutText(row.about) ? (
                          <div className="small muted">{rich`only ${aboutText(row.about)}`}</div>
                        ) : null}
                      </td>
                      <td>{needsText(row)}</td>
                      <td className="small">{rulesText(row)}</td>
                      {may ? (
                        <td>
                          {byDefault(row) ? null : (
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
                          )}
                        </td>
                      ) : null}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
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
            path: `/policies/${encodeURIComponent(removing.name)}`,
            was: removing,
            seen: removing.rev,
            refresh: [["access"], ["approvals"], ["upgrade"]],
            text: <p>{t`The next wider policy, or the default policy, applies instead.`}</p>,
          }}
        />
      ) : null}
    </>
  );
}
