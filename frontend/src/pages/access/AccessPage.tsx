import { Tabs } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { durationText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { AccountRow, Binding, Page as PageOf, Policy, Role } from "../../wire/model";
import { scopeText } from "../Windows";
import { Explain } from "./Explain";
import { Tokens } from "./Tokens";

function useList<T>(path: string): UseQueryResult<PageOf<T>> {
  return useQuery({ queryKey: ["access", path], queryFn: ({ signal }) => send<PageOf<T>>(path, { signal }) });
}

function Accounts() {
  const accounts = useList<AccountRow>("/access/accounts");
  return (
    <Loaded of={accounts}>
      {(data) => (
        <Card className="flush">
          <Scroll label="Accounts">
            <table className="table">
              <thead><tr><th scope="col">Account</th><th scope="col">State</th><th scope="col">Roles</th><th scope="col">Groups</th><th scope="col">Last signed in</th></tr></thead>
              <tbody>
                {data.items.map((row) => (
                  <tr key={row.name}>
                    <th scope="row">{row.name}<div className="small muted">{row.email || row.display_name}</div></th>
                    <td className="top"><Status of={row.active ? { tone: "ok", word: row.kind === "service" ? "service" : "active" } : { tone: "unknown", word: "closed" }} /></td>
                    <td>{row.roles?.join(", ") || <span className="muted">none</span>}</td>
                    <td>{row.groups.join(", ") || <span className="muted">none</span>}</td>
                    <td className="top"><Time at={row.last_sign_in} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </Card>
      )}
    </Loaded>
  );
}

function Roles() {
  const roles = useList<Role>("/access/roles");
  const bindings = useList<Binding>("/access/bindings");
  return (
    <div className="stack">
      <Card title="Who holds which role, and where">
        <Loaded of={bindings} lines={3}>
          {(data) => data.items.length ? (
            <Scroll label="Role bindings">
              <table className="table">
                <thead><tr><th scope="col">Who</th><th scope="col">Role</th><th scope="col">Where</th><th scope="col">Until</th><th scope="col">Given by</th></tr></thead>
                <tbody>
                  {data.items.map((row) => (
                    <tr key={row.id}>
                      <th scope="row">{row.subject}{row.subject_kind === "group" ? <span className="muted small"> group</span> : null}</th>
                      <td>{row.role}</td><td>{scopeText(row)}</td>
                      <td className="top">{row.expires_at ? <Time at={row.expires_at} /> : <span className="muted">no end</span>}</td><td>{row.created_by}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          ) : <Empty title="No role was given to anybody." />}
        </Loaded>
      </Card>
      <Card title="What each role may do">
        <Loaded of={roles} lines={3}>
          {(data) => (
            <ul className="plain-list">
              {data.items.map((row) => <li key={row.role}><b>{row.role}</b><div className="small muted">{row.permissions.map((each) => each.title.toLowerCase()).join(" · ")}</div></li>)}
            </ul>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

function Policies() {
  const policies = useList<Policy>("/policies");
  return (
    <Loaded of={policies}>
      {(data) => (
        <Card className="flush">
          <Scroll label="Approval policies">
            <table className="table">
              <thead><tr><th scope="col">Policy</th><th scope="col">For</th><th scope="col">Where</th><th scope="col">Needs</th><th scope="col">Rules</th></tr></thead>
              <tbody>
                {data.items.map((row) => (
                  <tr key={row.name}>
                    <th scope="row">{row.name}{row.rev === 0 ? <div className="small muted">counts where nobody said otherwise</div> : null}</th>
                    <td>{row.purpose === "revert" ? "going back" : row.purpose}</td><td>{scopeText(row)}</td>
                    <td>{row.needed === 0 ? "nobody" : `${row.needed} of ${row.group || "anybody who may vote"}`}</td>
                    <td className="small">
                      {[`open for ${durationText(row.expires_seconds)}`, row.critical ? "critical" : "", row.window_needed ? "only in a window" : "", row.last_approver_may_run ? "" : "the last approver may not run it"].filter(Boolean).join(" · ")}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </Card>
      )}
    </Loaded>
  );
}

export function AccessPage() {
  const permissions = useAccount()?.permissions ?? [];
  const { filters, set } = useFilters(["tab"]);
  const tabs = [
    { value: "tokens", title: "Tokens", of: <Tokens />, may: permissions.includes("token.own") },
    { value: "accounts", title: "Accounts", of: <Accounts />, may: permissions.includes("access.read") },
    { value: "roles", title: "Roles", of: <Roles />, may: permissions.includes("access.read") },
    { value: "policies", title: "Approval policies", of: <Policies />, may: permissions.includes("approval.read") },
    { value: "explain", title: "Explain", of: <Explain />, may: true },
  ].filter((tab) => tab.may);
  return (
    <Page title="Access">
      <Tabs value={filters.tab || tabs[0]?.value || "explain"} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <Tabs.List>{tabs.map((tab) => <Tabs.Tab key={tab.value} value={tab.value}>{tab.title}</Tabs.Tab>)}</Tabs.List>
        {tabs.map((tab) => <Tabs.Panel key={tab.value} value={tab.value} pt="md">{tab.of}</Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
