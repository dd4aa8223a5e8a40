import { Button, Modal, Tabs, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { send } from "../api/client";
import { useAccount } from "../api/queries";
import { useRegionZone } from "../api/regionZone";
import { ActionButton, findAction } from "../parts/ActionButton";
import { Conflict, conflictOf } from "../parts/Conflict";
import { Copy } from "../parts/Copy";
import { Card, Page } from "../parts/Page";
import { useNeighbours } from "../parts/rows";
import { useFilters } from "../parts/search";
import { Shape } from "../parts/Shape";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded, ProblemPanel } from "../parts/states";
import { Status, Version, Versions } from "../parts/Status";
import { countText, stateWord } from "../parts/status";
import { Time } from "../time/Time";
import type { AuditEntry, Deployment, Page as PageOf, Ruling } from "../wire/model";
import { cellWord } from "./fleet/fleet";
import { Compatibility } from "./deployment/Compatibility";
import { CurrentUpgrade } from "./deployment/Current";
import { Day } from "./deployment/Day";
import { changedSince, Rehearsal } from "./deployment/changing";
import { History } from "./deployment/History";
import { Standing } from "./deployment/Standing";
import { WeekAhead } from "./deployment/Week";
import { ConstraintsPanel } from "./deployment/Constraints";

function Facts({ of }: { of: Deployment }) {
  return (
    <dl className="facts">
      <dt>Serves</dt>
      <dd>
        <Version of={of.current_version} />
      </dd>
      {of.target_version && of.target_version !== of.current_version ? (
        <>
          <dt>Moving to</dt>
          <dd>
            <Version of={of.target_version} as="new" />
          </dd>
        </>
      ) : null}
      <dt>Newest</dt>
      <dd>
        <Version of={of.newest_version} {...(of.newest_version === of.current_version ? {} : { as: "new" as const })} />
      </dd>
      <dt>Data version</dt>
      <dd>{of.db_data_version || "–"}</dd>
      <dt>Location</dt>
      <dd>{of.db_location_tag || "–"}</dd>
      <dt>Domain</dt>
      <dd className="mono">{of.public_domain || "–"}</dd>
      <dt>Switch</dt>
      <dd>
        {of.automatic ? "automatic, when every check passes" : "by a person"}
        {of.switch_mode_set ? (
          <div className="small muted">
            set by {of.switch_mode_set.who}, <Time at={of.switch_mode_set.at} />
          </div>
        ) : null}
      </dd>
    </dl>
  );
}

function Reachable({ of }: { of: Deployment }) {
  const others = of.reachable_versions.filter((each) => each.version !== of.current_version);
  if (others.length === 0) return <Empty title="This service has no other version." />;
  const plan = findAction(of.actions, "plan");
  return (
    <ul className="plain-list">
      {others.map((each) => (
        <li key={each.version} className="row between">
          <span className="row">
            <Shape tone={each.reachable ? "ok" : "blocked"} />
            <Version of={each.version} />
            {each.reachable ? null : <span className="muted small">{each.reason}</span>}
          </span>
          {each.reachable && (plan === null || plan.allowed) ? (
            <Button
              size="xs"
              component={Link}
              to={`/upgrades/new?deployment=${encodeURIComponent(of.name)}&target=${encodeURIComponent(each.version)}`}
              aria-label={`Plan an upgrade to ${each.version}`}
            >
              Plan
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Imports({ of }: { of: Deployment }) {
  if (of.imported_versions.length === 0) return <Empty title="It imports no other service." />;
  return (
    <Scroll label="Imported versions">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Imported</th>
            <th scope="col">Served there</th>
            <th scope="col">Match</th>
          </tr>
        </thead>
        <tbody>
          {of.imported_versions.map((each) => (
            <tr key={`${each.service} ${each.version}`}>
              <th scope="row">{each.service}</th>
              <td>
                <Version of={each.version} />
              </td>
              <td>
                <Version of={each.current_version} />
              </td>
              <td>
                <Status of={each.mismatch ? { tone: "wait", word: "differs" } : { tone: "ok", word: "same" }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Namespaces({ of }: { of: Deployment }) {
  if (of.databases.length === 0) return <Empty title="No namespace was prepared yet." />;
  return (
    <Scroll label="Namespaces">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Namespace</th>
            <th scope="col">Version</th>
            <th scope="col" className="num">
              Resources, last copy
            </th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          {of.databases.map((each) => (
            <tr key={each.namespace}>
              <th scope="row" className="mono break">
                {each.namespace}
              </th>
              <td>
                <Version of={each.version} />
              </td>
              <td className="num">{countText(each.resources)}</td>
              <td>
                {each.disabled
                  ? "disabled"
                  : each.version === of.current_version
                    ? "active"
                    : each.version === of.target_version
                      ? "syncing"
                      : "kept"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The rule that wins for this deployment now, and when that changes. */
function Ruled({ of }: { of: Deployment }) {
  const ruling = useQuery({
    queryKey: ["windows", "explain", of.name, ""],
    queryFn: ({ signal }) => send<Ruling>("/windows/explain", { query: { deployment: of.name }, signal }),
  });
  return (
    <Card title="May it switch now?">
      <Loaded of={ruling} lines={2}>
        {(data) => (
          <>
            <p className={`sentence ${data.allowed ? "ink-ok" : "ink-bad"}`}>
              <Shape tone={data.allowed ? "ok" : "blocked"} size={18} /> {data.sentence}
            </p>
            {data.considered.length ? (
              <ul className="plain-list small">
                {data.considered.map((each) => (
                  <li key={each}>{each === data.winner ? <b>{each}, which wins</b> : each}</li>
                ))}
              </ul>
            ) : (
              <p className="muted">No rule speaks about it.</p>
            )}
            {data.next_open ? (
              <p className="small">
                Opens next <Time at={data.next_open} />
              </p>
            ) : null}
            <p className="small">
              <Link to={`/windows?deployment=${encodeURIComponent(of.name)}`}>At another time</Link>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** What people and programs did to this deployment. */
function Happened({ of }: { of: Deployment }) {
  const entries = useQuery({
    queryKey: ["audit", "deployment", of.name],
    queryFn: ({ signal }) => send<PageOf<AuditEntry>>("/audit", { query: { target: of.name, limit: 20 }, signal }),
  });
  return (
    <Card title="Activity" aside={<Link to={`/activity?target=${encodeURIComponent(of.name)}`}>All of it</Link>}>
      <Loaded of={entries} lines={3}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title="Nothing was done to it yet." />
          ) : (
            <ul className="plain-list small">
              {data.items.map((each) => (
                <li key={each.id} className="row between wrap">
                  <span>
                    <b>{each.actor || "nobody"}</b> <span className="mono">{each.action}</span>{" "}
                    {each.outcome === "done" ? "" : each.outcome} <span className="muted">{each.reason}</span>
                  </span>
                  <Time at={each.at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

interface Change {
  action: string;
  word: string;
  danger: boolean;
  says: string;
  body: Record<string, unknown>;
}

/** What of a deployment is changed by a button; said twice, because everything that depends on it notices. */
function changesOf(of: Deployment): Change[] {
  return [
    of.automatic
      ? {
          action: "set-switch-mode",
          word: "Switch by a person",
          danger: false,
          says: "A person has to say when this deployment switches. An upgrade that runs keeps what its plan said.",
          body: { automaticVersionSwitch: false },
        }
      : {
          action: "set-switch-mode",
          word: "Switch automatically",
          danger: false,
          says: "From then on this deployment switches by itself once every check passes and its approvals are given. An upgrade that runs keeps what its plan said.",
          body: { automaticVersionSwitch: true },
        },
    of.disabled
      ? {
          action: "disable",
          word: "Enable",
          danger: false,
          says: "It serves again and takes part in syncing and upgrades.",
          body: { isDisabled: false },
        }
      : {
          action: "disable",
          word: "Disable",
          danger: true,
          says: "Its resource server stops answering, and it takes no part in syncing or upgrades until it is enabled again. Nothing is deleted.",
          body: { isDisabled: true },
        },
  ];
}

function Switches({ of }: { of: Deployment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const plan = findAction(of.actions, "plan");
  const [asked, ask] = useState<Change | null>(null);
  const change = useMutation({
    mutationFn: (wanted: Change) =>
      send<Deployment>(`/deployments/${of.service}/${of.region}`, {
        method: "PUT",
        body: { deployment: wanted.body },
        ifMatch: of.rev,
      }),
    onSettled: () => {
      for (const key of ["deployment", "fleet"]) void cache.invalidateQueries({ queryKey: [key] });
    },
    onSuccess: () => ask(null),
  });
  const name = `${of.service}@${of.region}`;
  const [typed, type] = useState("");
  const [read, reread] = useState(of);
  const stale = conflictOf(change.error);
  const follow = useMutation({
    mutationFn: (on: boolean) =>
      send(`/deployments/${of.service}/${of.region}/subscription`, { method: on ? "PUT" : "DELETE" }),
    onSettled: () => {
      for (const key of ["deployment", "overview"]) void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <>
      {plan ? (
        <ActionButton
          of={plan}
          primary
          onAct={() => void navigate(`/upgrades/new?deployment=${encodeURIComponent(of.name)}`)}
        >
          Plan an upgrade…
        </ActionButton>
      ) : null}
      <Copy value={location.href} what="the address of this page" />
      <Button aria-pressed={of.followed} loading={follow.isPending} onClick={() => follow.mutate(!of.followed)}>
        {of.followed ? "Following" : "Follow"}
      </Button>
      {changesOf(of).map((each) => {
        const action = findAction(of.actions, each.action);
        return action ? (
          <ActionButton
            key={each.action}
            of={action}
            onAct={() => {
              change.reset();
              reread(of);
              type("");
              ask(each);
            }}
          >
            {each.word}…
          </ActionButton>
        ) : null;
      })}
      {asked ? (
        <Modal
          opened
          onClose={() => ask(null)}
          title={`${asked.word}: ${of.service} @ ${of.region}`}
          closeButtonProps={{ "aria-label": "Close" }}
        >
          <div className="stack dialog">
            <p>{asked.says}</p>
            {asked.danger ? <Rehearsal of={of} body={asked.body} /> : null}
            {asked.danger ? (
              <TextInput
                label={
                  <>
                    Type <code>{name}</code> to confirm
                  </>
                }
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => type(event.currentTarget.value)}
              />
            ) : null}
            {stale ? (
              <Conflict
                of={stale}
                mine="you saw"
                differences={changedSince((stale.current ?? of) as unknown as Deployment, read)}
                onTheirs={() => ask(null)}
                onMine={() => {
                  reread(of);
                  change.reset();
                }}
              />
            ) : change.isError ? (
              <ProblemPanel error={change.error} />
            ) : null}
            <div className="row end">
              <Button data-autofocus onClick={() => ask(null)}>
                Cancel
              </Button>
              <Button
                variant="filled"
                {...(asked.danger ? { color: "red" } : {})}
                disabled={stale !== null || (asked.danger && typed.replaceAll(" ", "") !== name)}
                loading={change.isPending}
                onClick={() => change.mutate(asked)}
              >
                {change.isPending ? "Recording…" : asked.word}
              </Button>
            </div>
          </div>
        </Modal>
      ) : null}
    </>
  );
}

function Body({ of }: { of: Deployment }) {
  const { filters, set } = useFilters(["tab"]);
  const mayAudit = useAccount()?.permissions.includes("audit.read") ?? false;
  const raw = JSON.stringify(of.raw ?? of, null, 2);
  return (
    <>
      <section className="card">
        <div className="row wrap">
          <Versions from={of.current_version} to={of.target_version} />
          <Status
            of={of.disabled ? { tone: "unknown", word: "disabled" } : of.state ? stateWord(of.state) : cellWord(of)}
          />
        </div>
        <p className="sentence">{of.sentence}</p>
        <p className="row wrap">
          {of.active_upgrade && typeof of.active_upgrade === "string" ? (
            <Link to={`/upgrades/${of.active_upgrade}`}>Open the running upgrade</Link>
          ) : null}
          {of.current_version ? (
            <Link to={`/resources?service=${of.service}&region=${of.region}`}>Its resources</Link>
          ) : null}
          {of.newest_version && of.newest_version !== of.current_version ? (
            <Link to={`/compat/${of.service}/${of.current_version}..${of.newest_version}`}>
              Compatibility with {of.newest_version}
            </Link>
          ) : null}
        </p>
      </section>
      {of.resharded ? (
        <div className="notice soft-wait" role="status">
          <Shape tone="wait" />{" "}
          <span>
            Resharded {of.resharded.before} to {of.resharded.after} at <Time at={of.resharded.at} />; counts restarted.
          </span>
        </div>
      ) : null}
      {of.disabled ? (
        <div className="notice soft-unknown">
          <Shape tone="unknown" /> This deployment is disabled: it takes no part in syncing and cannot be upgraded.
        </div>
      ) : null}
      <Tabs
        value={filters.tab || "summary"}
        onChange={(value) => set("tab", value === "summary" ? "" : (value ?? ""))}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="summary">Summary</Tabs.Tab>
          <Tabs.Tab value="upgrades">Upgrades</Tabs.Tab>
          <Tabs.Tab value="references">References</Tabs.Tab>
          <Tabs.Tab value="compatibility">Compatibility</Tabs.Tab>
          <Tabs.Tab value="constraints">Constraints</Tabs.Tab>
          <Tabs.Tab value="windows">Windows</Tabs.Tab>
          {mayAudit ? <Tabs.Tab value="activity">Activity</Tabs.Tab> : null}
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="summary" pt="md">
          <div className="halves">
            {of.active_upgrade && typeof of.active_upgrade !== "string" ? (
              <CurrentUpgrade of={of.active_upgrade} />
            ) : null}
            <Card title="State">
              <Facts of={of} />
            </Card>
            <Card title="Versions it can move to">
              <Reachable of={of} />
            </Card>
            <Card title="Namespaces">
              <Namespaces of={of} />
            </Card>
            <Card title="Imported versions">
              <Imports of={of} />
            </Card>
            <Card title="Last upgrades">
              {of.upgrades.length === 0 ? (
                <Empty title="This deployment was never upgraded." />
              ) : (
                <ul className="plain-list">
                  {of.upgrades.map((each) => (
                    <li key={each.id} className="row between wrap">
                      <Link to={`/upgrades/${each.id}`}>
                        <Versions from={each.from_version} to={each.to_version} />
                      </Link>
                      <span className="row small">
                        <Status of={stateWord(each.state)} />
                        <span className="muted">
                          <Time at={each.created_at} />
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
            <Day service={of.service} region={of.region} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="upgrades" pt="md">
          <History service={of.service} region={of.region} />
        </Tabs.Panel>
        <Tabs.Panel value="references" pt="md">
          <Standing of={of} />
        </Tabs.Panel>
        <Tabs.Panel value="compatibility" pt="md">
          <Compatibility of={of} />
        </Tabs.Panel>
        <Tabs.Panel value="constraints" pt="md">
          <ConstraintsPanel service={of.service} region={of.region} />
        </Tabs.Panel>
        <Tabs.Panel value="windows" pt="md">
          <div className="stack">
            <Ruled of={of} />
            <WeekAhead deployment={of.name} />
          </div>
        </Tabs.Panel>
        {mayAudit ? (
          <Tabs.Panel value="activity" pt="md">
            <Happened of={of} />
          </Tabs.Panel>
        ) : null}
        <Tabs.Panel value="raw" pt="md">
          <Card
            title="As the server answers"
            aside={
              <>
                <code>swy deployments get {of.name}</code>
                <Copy value={raw} what="the JSON" />
              </>
            }
          >
            <pre className="json" tabIndex={0} role="region" aria-label="JSON">
              {raw}
            </pre>
          </Card>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export function DeploymentPage() {
  const { service = "", region = "" } = useParams();
  useRegionZone(region);
  useNeighbours();
  const deployment = useQuery({
    queryKey: ["deployment", service, region],
    queryFn: ({ signal }) => send<Deployment>(`/deployments/${service}/${region}`, { signal }),
  });
  return (
    <Page
      title={`${service} @ ${region}`}
      under={[{ title: "Fleet", to: "/fleet" }]}
      actions={deployment.data ? <Switches of={deployment.data} /> : null}
    >
      <Loaded of={deployment} lines={8}>
        {(data) => <Body of={data} />}
      </Loaded>
    </Page>
  );
}
