import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { read } from "../api/client";
import { useAccount } from "../api/queries";
import { useRegionZone } from "../api/regionZone";
import { Copy } from "../parts/Copy";
import { Card, Page } from "../parts/Page";
import { useNeighbours } from "../parts/tables/rows";
import { useFilters } from "../parts/search";
import { Shape } from "../parts/Shape";
import { Empty, Loaded } from "../parts/states";
import { Status, Versions } from "../parts/Status";
import { stateWord } from "../parts/status";
import { TabList } from "../parts/tabs/TabList";
import { Time } from "../time/Time";
import type { Deployment } from "../wire/model";
import { outcomes } from "./activity/outcomes";
import { cellWord } from "./fleet/fleet";
import { Compatibility } from "./deployment/Compatibility";
import { Callers } from "./deployment/Callers";
import { CurrentUpgrade } from "./deployment/Current";
import { Day } from "./deployment/Day";
import { History } from "./deployment/History";
import { Dependents } from "./deployment/Dependents";
import { WeekAhead } from "./deployment/Week";
import { ConstraintsPanel } from "./deployment/Constraints";
import { Facts, Reachable, Imports, Namespaces } from "./deployment/Facts";
import { logAddress } from "./logs/fields";
import { KeptTypes } from "./deployment/KeptTypes";
import { Switches } from "./deployment/Switches";
import { ConsideredRules } from "./windows/ConsideredRules";
import { worded } from "../words/server";
import { rich, t } from "../words/text";

/** What an address may name; anything else, as an old link, is the first one. */
const TABS = new Set(["upgrades", "references", "compatibility", "constraints", "windows", "activity", "raw"]);

/** The rule that wins for this deployment now, and when that changes. */
function Ruled({ of }: { of: Deployment }) {
  const ruling = useQuery({
    queryKey: ["windows", "explain", of.name, ""],
    queryFn: ({ signal }) => read("/windows/explain", { query: { deployment: of.name }, signal }),
  });
  return (
    <Card title={t`Switch permitted now?`}>
      <Loaded of={ruling} lines={2}>
        {(data) => (
          <>
            <p className={`sentence ${data.allowed ? "ink-ok" : "ink-bad"}`}>
              <Shape tone={data.allowed ? "ok" : "blocked"} size={18} /> {worded(data.sentence, data.phrases)}
            </p>
            {data.considered.length ? <ConsideredRules of={data} /> : null}
            {data.next_open ? <p className="small">{rich`Opens next ${(<Time at={data.next_open} />)}`}</p> : null}
            <p className="small">
              <Link to={`/windows?deployment=${encodeURIComponent(of.name)}`}>{t`Check another time`}</Link>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** What people and programs did to this deployment, also by its upgrades and their approvals. */
function Happened({ of }: { of: Deployment }) {
  const entries = useQuery({
    queryKey: ["audit", "deployment", of.name],
    queryFn: ({ signal }) =>
      read("/audit", { query: { service: of.service, region: of.region, quiet: true, limit: 20 }, signal }),
  });
  return (
    <Card
      title={t`Activity`}
      aside={<Link to={`/activity?service=${of.service}&region=${of.region}`}>{t`All activity`}</Link>}
    >
      <Loaded of={entries} lines={3}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t`No activity yet.`} />
          ) : (
            <ul className="plain-list small">
              {data.items.map((each) => (
                <li key={each.id} className="row between wrap">
                  <span>
                    <b>{each.actor || t`none`}</b> {worded(each.action_title ?? "") || each.action}{" "}
                    {each.outcome === "done" ? "" : outcomes[each.outcome].word}{" "}
                    <span className="muted">{worded(each.reason, each.reason_phrases)}</span>
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

function Body({ of }: { of: Deployment }) {
  const { filters, set } = useFilters(["tab"]);
  const permissions = useAccount()?.permissions ?? [];
  const mayAudit = permissions.includes("audit.read");
  const mayRead = permissions.includes("activity.read");
  const raw = JSON.stringify(of.raw ?? of, null, 2);
  return (
    <>
      <section className="card">
        <div className="row wrap">
          <Versions from={of.current_version} to={of.target_version} newest={of.newest_version} />
          <Status
            of={of.disabled ? { tone: "unknown", word: t`disabled` } : of.state ? stateWord(of.state) : cellWord(of)}
          />
        </div>
        <p className="sentence">{worded(of.sentence, of.phrases)}</p>
        <p className="row wrap">
          {of.current_version ? (
            <>
              <Link to={`/resources?service=${of.service}&region=${of.region}`}>{t`Resources`}</Link>
              <Link to={logAddress("changes", of.service, of.region)}>{t`Resource changes`}</Link>
              {mayRead ? <Link to={logAddress("activity", of.service, of.region)}>{t`Activity log`}</Link> : null}
            </>
          ) : null}
          {of.newest_version && of.newest_version !== of.current_version ? (
            <Link to={`/compat/${of.service}/${of.current_version}..${of.newest_version}`}>
              {rich`Compatibility with ${of.newest_version}`}
            </Link>
          ) : null}
        </p>
      </section>
      {of.resharded ? (
        <div className="notice soft-wait" role="status">
          <Shape tone="wait" />{" "}
          <span>
            {rich`Resharded ${of.resharded.before} to ${of.resharded.after} at ${(<Time at={of.resharded.at} />)};
            counts restarted.`}
          </span>
        </div>
      ) : null}
      {of.disabled ? (
        <div className="notice soft-unknown">
          <Shape tone="unknown" /> {t`This deployment is disabled: it does not sync and cannot be upgraded.`}
        </div>
      ) : null}
      <Tabs
        value={TABS.has(filters.tab) ? filters.tab : "summary"}
        onChange={(value) => set("tab", value === "summary" ? "" : (value ?? ""))}
        keepMounted={false}
      >
        <TabList chosen={filters.tab}>
          <Tabs.Tab value="summary">{t`Summary`}</Tabs.Tab>
          <Tabs.Tab value="upgrades">{t`Upgrades`}</Tabs.Tab>
          <Tabs.Tab value="references">{t`References`}</Tabs.Tab>
          <Tabs.Tab value="compatibility">{t`Compatibility`}</Tabs.Tab>
          <Tabs.Tab value="constraints">{t`Constraints`}</Tabs.Tab>
          <Tabs.Tab value="windows">{t`Windows`}</Tabs.Tab>
          {mayAudit ? <Tabs.Tab value="activity">{t`Activity`}</Tabs.Tab> : null}
          <Tabs.Tab value="raw">{t`Raw`}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="summary" pt="md">
          <div className="halves">
            {of.active_upgrade && typeof of.active_upgrade !== "string" ? (
              <CurrentUpgrade of={of.active_upgrade} />
            ) : null}
            <Card title={t`State`}>
              <Facts of={of} />
            </Card>
            <Card title={t`Reachable versions`}>
              <Reachable of={of} />
            </Card>
            <Callers service={of.service} region={of.region} />
            <Card title={t`Namespaces`}>
              <Namespaces of={of} />
            </Card>
            <Card title={t`Imported versions`}>
              <Imports of={of} />
            </Card>
            <Card title={t`Last upgrades`}>
              {of.upgrades.length === 0 ? (
                <Empty title={t`This deployment was never upgraded.`} />
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
            <KeptTypes of={of} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="upgrades" pt="md">
          <History service={of.service} region={of.region} />
        </Tabs.Panel>
        <Tabs.Panel value="references" pt="md">
          <Dependents of={of} />
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
            title={t`API response`}
            aside={
              <>
                <code>swy deployments get {of.name}</code>
                <Copy value={raw} what={t`the JSON`} />
              </>
            }
          >
            <pre className="json" tabIndex={0} role="region" aria-label={t`JSON`}>
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
    queryFn: ({ signal }) => read("/deployments/{service}/{region}", { path: { service, region }, signal }),
  });
  return (
    <Page
      title={`${service} @ ${region}`}
      under={[{ title: t`Fleet`, to: "/fleet" }]}
      actions={deployment.data ? <Switches of={deployment.data} /> : null}
    >
      <Loaded of={deployment} lines={8}>
        {(data) => <Body of={data} />}
      </Loaded>
    </Page>
  );
}
