import { Button, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { send } from "../api/client";
import { findAction } from "../parts/ActionButton";
import { Copy } from "../parts/Copy";
import { Card, Page } from "../parts/Page";
import { useFilters } from "../parts/search";
import { Shape } from "../parts/Shape";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Status, Version, Versions } from "../parts/Status";
import { countText, stateWord } from "../parts/status";
import { useRegionZone } from "../time/Time";
import type { Deployment } from "../wire/model";
import { cellWord } from "./fleet/fleet";
import { UpgradeTable } from "./Upgrades";

function Facts({ of }: { of: Deployment }) {
  return (
    <dl className="facts">
      <dt>Serves</dt><dd><Version of={of.current_version} /></dd>
      {of.target_version ? <><dt>Moving to</dt><dd><Version of={of.target_version} as="new" /></dd></> : null}
      <dt>Newest</dt><dd><Version of={of.newest_version} {...(of.newest_version === of.current_version ? {} : { as: "new" as const })} /></dd>
      <dt>Data version</dt><dd>{of.db_data_version || "–"}</dd>
      <dt>Location</dt><dd>{of.db_location_tag || "–"}</dd>
      <dt>Domain</dt><dd className="mono">{of.public_domain || "–"}</dd>
      <dt>Switch</dt><dd>{of.automatic ? "automatic, when every check passes" : "by a person"}</dd>
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
          <span className="row"><Shape tone={each.reachable ? "ok" : "blocked"} /><Version of={each.version} />{each.reachable ? null : <span className="muted small">{each.reason}</span>}</span>
          {each.reachable && (plan === null || plan.allowed) ? (
            <Button size="xs" component={Link} to={`/upgrades/new?deployment=${encodeURIComponent(of.name)}&target=${encodeURIComponent(each.version)}`} aria-label={`Plan an upgrade to ${each.version}`}>Plan</Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Imports({ of }: { of: Deployment }) {
  if (of.imported_versions.length === 0) return <Empty title="It imports no other service." />;
  return (
    <Scroll label="Imported versions"><table className="table">
      <thead><tr><th scope="col">Service</th><th scope="col">Imported</th><th scope="col">Served there</th><th scope="col">Match</th></tr></thead>
      <tbody>
        {of.imported_versions.map((each) => (
          <tr key={`${each.service} ${each.version}`}>
            <th scope="row">{each.service}</th><td><Version of={each.version} /></td><td><Version of={each.current_version} /></td>
            <td><Status of={each.mismatch ? { tone: "wait", word: "differs" } : { tone: "ok", word: "same" }} /></td>
          </tr>
        ))}
      </tbody>
    </table></Scroll>
  );
}

function Namespaces({ of }: { of: Deployment }) {
  if (of.databases.length === 0) return <Empty title="No namespace was prepared yet." />;
  return (
    <Scroll label="Namespaces"><table className="table">
      <thead><tr><th scope="col">Namespace</th><th scope="col">Version</th><th scope="col" className="num">Resources</th><th scope="col">Role</th></tr></thead>
      <tbody>
        {of.databases.map((each) => (
          <tr key={each.namespace}>
            <th scope="row" className="mono break">{each.namespace}</th><td><Version of={each.version} /></td><td className="num">{countText(each.resources)}</td>
            <td>{each.disabled ? "disabled" : each.version === of.current_version ? "active" : each.version === of.target_version ? "syncing" : "kept"}</td>
          </tr>
        ))}
      </tbody>
    </table></Scroll>
  );
}

function Body({ of }: { of: Deployment }) {
  const { filters, set } = useFilters(["tab"]);
  const active = typeof of.active_upgrade === "string" ? of.active_upgrade : of.active_upgrade?.id;
  const raw = JSON.stringify(of.raw ?? of, null, 2);
  return (
    <>
      <section className="card">
        <div className="row wrap"><Versions from={of.current_version} to={of.target_version} /><Status of={of.disabled ? { tone: "unknown", word: "disabled" } : of.state ? stateWord(of.state) : cellWord(of)} /></div>
        <p className="sentence">{of.sentence}</p>
        {active ? <p><Link to={`/upgrades/${active}`}>Open the running upgrade</Link></p> : null}
      </section>
      {of.disabled ? <div className="notice soft-unknown"><Shape tone="unknown" /> This deployment is disabled: it takes no part in syncing and cannot be upgraded.</div> : null}
      <Tabs value={filters.tab || "summary"} onChange={(value) => set("tab", value === "summary" ? "" : (value ?? ""))} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="summary">Summary</Tabs.Tab>
          <Tabs.Tab value="upgrades">Upgrades</Tabs.Tab>
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="summary" pt="md">
          <div className="halves">
            <Card title="State"><Facts of={of} /></Card>
            <Card title="Versions it can move to"><Reachable of={of} /></Card>
            <Card title="Namespaces"><Namespaces of={of} /></Card>
            <Card title="Imported versions"><Imports of={of} /></Card>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="upgrades" pt="md">
          <Card className={of.upgrades.length ? "flush" : ""} title={of.upgrades.length ? undefined : "Upgrades"}>
            {of.upgrades.length ? <Scroll label="Upgrades"><UpgradeTable upgrades={of.upgrades} /></Scroll> : <Empty title="This deployment was never upgraded." />}
            <p className="small more"><Link to={`/upgrades?service=${of.service}&region=${of.region}`}>All upgrades of this deployment</Link></p>
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="md">
          <Card title="As the server answers" aside={<Copy value={raw} what="the JSON" />}><pre className="json" tabIndex={0} role="region" aria-label="JSON">{raw}</pre></Card>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export function DeploymentPage() {
  const { service = "", region = "" } = useParams();
  useRegionZone(region);
  const deployment = useQuery({ queryKey: ["deployment", service, region], queryFn: ({ signal }) => send<Deployment>(`/deployments/${service}/${region}`, { signal }) });
  return (
    <Page title={`${service} @ ${region}`} under={[{ title: "Fleet", to: "/fleet" }]}>
      <Loaded of={deployment} lines={8}>{(data) => <Body of={data} />}</Loaded>
    </Page>
  );
}
