import { Button, Tabs } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { read, rehearsedChange } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { Binding } from "../../wire/model";
import { scopeText } from "../windows/WindowsPage";
import { EditDialog, RemoveDialog, type Editing } from "../../parts/forms/EditDialog";
import { DataTable } from "../../parts/tables/DataTable";
import { TabList } from "../../parts/tabs/TabList";
import { Approvers } from "./Approvers";
import { Overrides } from "./Overrides";
import { Explain } from "./Explain";
import { conditionText } from "./conditions";
import { accountForm, bindingForm, lostForm, openForm } from "./forms";
import { Sessions } from "../account/Sessions";
import { Groups } from "./Groups";
import { CustomRoles } from "./CustomRoles";
import { Policies } from "./Policies";
import { Requests } from "./Requests";
import { Tokens } from "./Tokens";
import { t } from "../../words/text";

export function Accounts() {
  const accounts = useQuery({
    queryKey: ["access", "accounts"],
    queryFn: ({ signal }) => read("/access/accounts", { signal }),
  });
  const account = useAccount();
  const may = account?.permissions.includes("access.manage") ?? false;
  const [editing, edit] = useState<Editing | null>(null);
  return (
    <>
      {may ? (
        <div className="row end above">
          <Button variant="filled" onClick={() => edit(accountForm)}>
            {t`New account…`}
          </Button>
        </div>
      ) : null}
      {editing ? <EditDialog of={editing} onClose={() => edit(null)} /> : null}
      <Loaded of={accounts}>
        {(data) => (
          <Card className="flush">
            <DataTable
              label={t`Accounts`}
              rows={data.items}
              rowKey={(row) => row.name}
              columns={[
                {
                  header: t`Account`,
                  isRowHeader: true,
                  cell: (row) => (
                    <>
                      {row.name}
                      <div className="small muted">
                        {[row.kind === "service" && t`service account`, row.email || row.display_name]
                          .filter(Boolean)
                          .join(" · ")}
                      </div>
                    </>
                  ),
                },
                {
                  header: t`State`,
                  className: "top",
                  cell: (row) => (
                    <Status of={row.active ? { tone: "ok", word: t`active` } : { tone: "plain", word: t`disabled` }} />
                  ),
                },
                { header: t`Roles`, cell: (row) => row.roles?.join(", ") || <span className="muted">{t`none`}</span> },
                { header: t`Groups`, cell: (row) => row.groups.join(", ") || <span className="muted">{t`none`}</span> },
                { header: t`Last signed in`, className: "top", cell: (row) => <Time at={row.last_sign_in} /> },
                {
                  header: t`Change`,
                  isHeaderUnseen: true,
                  isShown: may,
                  cell: (row) =>
                    row.name === account?.name ? null : (
                      <div className="row tight end">
                        {row.active && row.kind === "user" ? (
                          <Button
                            size="compact-xs"
                            variant="subtle"
                            aria-label={t`Unlock ${row.name}`}
                            onClick={() => edit(lostForm(row))}
                          >
                            {t`Unlock…`}
                          </Button>
                        ) : null}
                        <Button
                          size="compact-xs"
                          aria-label={row.active ? t`Disable ${row.name}` : t`Enable ${row.name}`}
                          onClick={() => edit(openForm(row))}
                        >
                          {row.active ? t`Disable…` : t`Enable…`}
                        </Button>
                      </div>
                    ),
                },
              ]}
            />
          </Card>
        )}
      </Loaded>
    </>
  );
}

function Roles() {
  const roles = useQuery({
    queryKey: ["access", "roles"],
    queryFn: ({ signal }) => read("/access/roles", { signal }),
  });
  const bindings = useQuery({
    queryKey: ["access", "bindings"],
    queryFn: ({ signal }) => read("/access/bindings", { signal }),
  });
  const may = useAccount()?.permissions.includes("access.manage") ?? false;
  const [editing, edit] = useState<Binding | "new" | null>(null);
  const [removing, remove] = useState<Binding | null>(null);
  return (
    <div className="stack">
      {editing && roles.data ? (
        <EditDialog of={bindingForm(editing === "new" ? null : editing, roles.data.items)} onClose={() => edit(null)} />
      ) : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove ${removing.role} from ${removing.subject}`,
            button: t`Remove`,
            was: removing,
            seen: removing.tag,
            change: (ifMatch) =>
              rehearsedChange.delete(
                "/access/bindings/{binding}",
                { path: { binding: removing.id }, ifMatch },
                () => null,
              ),
            refresh: [["access"], ["session"]],
            text: <p>{t`The role ends immediately, also in open pages. Other roles stay.`}</p>,
          }}
        />
      ) : null}
      <Card
        title={t`Role bindings`}
        aside={
          may ? (
            <Button size="xs" onClick={() => edit("new")}>
              {t`Grant a role…`}
            </Button>
          ) : null
        }
      >
        <Loaded of={bindings} lines={3}>
          {(data) =>
            data.items.length ? (
              <DataTable
                label={t`Role bindings`}
                rows={data.items}
                rowKey={(row) => row.id}
                columns={[
                  {
                    header: t`Who`,
                    isRowHeader: true,
                    cell: (row) => (
                      <>
                        {row.subject}
                        {row.subject_kind === "group" ? <span className="muted small"> {t`group`}</span> : null}
                      </>
                    ),
                  },
                  { header: t`Role`, cell: (row) => row.role },
                  {
                    header: t`Where`,
                    cell: (row) => (
                      <>
                        {scopeText(row)}
                        {row.counts === "always" ? null : (
                          <div className="small muted">
                            {conditionText(row.conditions)}
                            {row.counts_now ? "" : t`; inactive now`}
                          </div>
                        )}
                      </>
                    ),
                  },
                  {
                    header: t`Until`,
                    className: "top",
                    cell: (row) =>
                      row.expires_at ? <Time at={row.expires_at} /> : <span className="muted">{t`no end`}</span>,
                  },
                  { header: t`Granted by`, cell: (row) => row.created_by },
                  {
                    header: t`Change`,
                    isHeaderUnseen: true,
                    isShown: may,
                    cell: (row) => (
                      <div className="row tight">
                        <Button
                          size="compact-xs"
                          aria-label={t`Change ${row.role} of ${row.subject}`}
                          onClick={() => edit(row)}
                        >
                          {t`Change…`}
                        </Button>
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          aria-label={t`Remove ${row.role} from ${row.subject}`}
                          onClick={() => remove(row)}
                        >
                          {t`Remove…`}
                        </Button>
                      </div>
                    ),
                  },
                ]}
              />
            ) : (
              <Empty title={t`No role bindings yet.`} />
            )
          }
        </Loaded>
      </Card>
      <Loaded of={roles} lines={3}>
        {(data) => <CustomRoles roles={data.items} />}
      </Loaded>
    </div>
  );
}

export function AccessPage() {
  const permissions = useAccount()?.permissions ?? [];
  const { filters, set } = useFilters(["tab"]);
  const tabs = [
    { value: "tokens", title: t`Tokens`, of: <Tokens />, may: permissions.includes("token.own") },
    {
      value: "accounts",
      title: t`Accounts`,
      of: (
        <>
          <Requests />
          <Accounts />
        </>
      ),
      may: permissions.includes("access.read"),
    },
    {
      value: "sessions",
      title: t`Sessions`,
      of: <Sessions everybody may={permissions.includes("access.manage")} />,
      may: permissions.includes("access.read"),
    },
    { value: "roles", title: t`Roles`, of: <Roles />, may: permissions.includes("access.read") },
    { value: "approvers", title: t`Approvers`, of: <Approvers />, may: permissions.includes("approval.read") },
    { value: "policies", title: t`Approval policies`, of: <Policies />, may: permissions.includes("approval.read") },
    {
      value: "emergencies",
      title: t`Emergency overrides`,
      of: <Overrides />,
      may: permissions.includes("approval.read"),
    },
    {
      value: "explain",
      title: t`Explain`,
      of: (
        <div className="stack">
          <Explain />
          {permissions.includes("access.read") ? <Groups /> : null}
        </div>
      ),
      may: true,
    },
  ].filter((tab) => tab.may);
  // An address may name a tab that is gone, or that this account may not see.
  const open = (tabs.find((tab) => tab.value === filters.tab) ?? tabs[0])?.value ?? "explain";
  return (
    <Page title={t`Access`}>
      <Tabs value={open} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <TabList chosen={open}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.value} value={tab.value}>
              {tab.title}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab.value} value={tab.value} pt="md">
            {tab.of}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
