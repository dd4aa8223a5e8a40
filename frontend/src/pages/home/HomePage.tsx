import { Link } from "react-router";
import { useHealth, useOverview } from "../api/queries";
import { Card, Page } from "../parts/Page";
import { Shape, type Tone } from "../parts/Shape";
import { ShardStrip } from "../parts/ShardStrip";
import { Empty, Loaded } from "../parts/states";
import { Status, Versions } from "../parts/Status";
import { componentWords, stateWord, upgradeWord } from "../parts/status";
import { useFlash } from "../parts/useFlash";
import { useSteady } from "../parts/useSteady";
import { rangeText } from "../time/clock";
import { Age } from "../time/Time";
import type { Overview as OverviewData } from "../wire/model";
import { LoadExample } from "./fleet/LoadExample";
import { summary } from "./Health";
import { PendingTasks, OwnRequests } from "./overview/PendingTasks";

interface Fact {
  title: string;
  tone: Tone;
  to: string;
  of: (now: OverviewData["now"]) => number;
}

const facts: Fact[] = [
  { title: "running", tone: "run", to: "/upgrades?live=true", of: (now) => now.running },
  { title: "awaiting you", tone: "wait", to: "/approvals?tab=mine", of: (now) => now.waiting_mine },
  { title: "awaiting others", tone: "plain", to: "/approvals?tab=open", of: (now) => now.waiting_others },
  { title: "stalled", tone: "wait", to: "/upgrades?stalled=true", of: (now) => now.stalled },
  { title: "failed", tone: "bad", to: "/upgrades?state=HALTED", of: (now) => now.failed },
  { title: "rollback open", tone: "ok", to: "/upgrades?state=REVERSIBLE", of: (now) => now.reversible },
];

function Counted({ fact, count }: { fact: Fact; count: number }) {
  const number = useFlash<HTMLSpanElement>(count);
  return (
    <Link to={fact.to} className={count > 0 ? `card fact ink-${fact.tone}` : "card fact quiet"}>
      <span ref={number} className="number">
        {count}
      </span>{" "}
      <span className="row">
        <Shape tone={count > 0 ? fact.tone : "plain"} />
        {fact.title}
      </span>
    </Link>
  );
}

export function NowStrip({ now }: { now: OverviewData["now"] }) {
  return (
    <nav className="now" aria-label="Upgrades now">
      {facts.map((fact) => (
        <Counted key={fact.title} fact={fact} count={fact.of(now)} />
      ))}
    </nav>
  );
}

function Running({ running }: { running: OverviewData["running"] }) {
  const { rows, over } = useSteady(running, (upgrade) => upgrade.id, "");
  if (running.length === 0) return <Empty title="No upgrade is running." />;
  return (
    <ul className="plain-list" {...over}>
      {rows.map((upgrade) => (
        <li key={upgrade.id}>
          <div className="row between">
            <Link to={`/upgrades/${upgrade.id}`}>
              <b>
                {upgrade.service} @ {upgrade.region}
              </b>
            </Link>
            <span className="row">
              <Versions from={upgrade.from_version} to={upgrade.to_version} />
              <span className="small muted">by {upgrade.requested_by}</span>
            </span>
          </div>
          <div className="row between small">
            <span className="muted">{upgrade.sentence}</span>
            <span className="row nowrap">
              {upgrade.progress.eta?.high_seconds ? (
                <span className="muted">
                  {rangeText(upgrade.progress.eta.low_seconds, upgrade.progress.eta.high_seconds)} left
                </span>
              ) : null}
              {upgrade.progress.oldest_report_at ? (
                <span className="muted">
                  reported <Age at={upgrade.progress.oldest_report_at} />
                </span>
              ) : null}
              <Status of={upgradeWord(upgrade)} />
            </span>
          </div>
          <ShardStrip shards={upgrade.shards.items} />
        </li>
      ))}
    </ul>
  );
}

/** One bar per service, a part per version; the numbers stand in the legend beside it. */
export function Skew({ skew }: { skew: OverviewData["skew"] }) {
  if (skew.length === 0)
    return (
      <Empty title="No services are registered." command="swy service apply examples/secrets">
        A service defines resource types, versions and the conversions between them.
        <LoadExample />
      </Empty>
    );
  return (
    <ul className="plain-list skew">
      {skew.map((row) => {
        const total = row.versions.reduce((sum, version) => sum + version.count, 0) || 1;
        return (
          <li key={row.service}>
            <Link to={`/fleet?service=${row.service}`}>{row.service}</Link>
            <div className="bar" aria-hidden="true">
              {row.versions.map((version, at) => (
                <span
                  key={version.version}
                  className={`part-${row.versions.length === 1 ? "only" : at === row.versions.length - 1 ? "new" : at === 0 ? "old" : "mid"}`}
                  style={{ width: `${(100 * version.count) / total}%` }}
                />
              ))}
            </div>
            <span className="small muted">
              {row.versions.map((version, at) => (
                <span key={version.version}>
                  {at ? " · " : ""}
                  <Link to={`/fleet?service=${row.service}&version=${version.version}`}>
                    {version.version}: {version.count}
                  </Link>
                </span>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Windows({ windows }: { windows: OverviewData["windows"] }) {
  if (windows.length === 0) return <Empty title="No window opens or closes in the next 24 hours." />;
  return (
    <ul className="plain-list">
      {windows.map((window, at) => (
        <li key={`${window.name} ${at}`} className="row between">
          <span>
            {window.name} <span className="muted">{window.effect === "deny" ? "freeze" : "window"}</span>
          </span>
          <span className="small muted">
            {window.open ? (
              <>
                closes <Age at={window.closes} />
              </>
            ) : (
              <>
                opens <Age at={window.opens} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The deployments one follows, each with its sentence; a change of state is also told as a notice. */
function Followed({ of }: { of: OverviewData["followed"] }) {
  return (
    <ul className="plain-list">
      {of.map((each) => (
        <li key={`${each.service} ${each.region}`}>
          <div className="row between">
            <Link to={each.link}>
              <b>
                {each.service} @ {each.region}
              </b>
            </Link>
            <Status of={stateWord(each.state)} />
          </div>
          <span className="small muted">{each.sentence}</span>
        </li>
      ))}
    </ul>
  );
}

function HealthLine() {
  const health = useHealth();
  return (
    <Card title="System health" aside={<Link to="/health">All components</Link>}>
      <Loaded of={health} lines={1}>
        {(data) => (
          <div className="row">
            <Status of={componentWords[data.status]} />
            <span className="muted">{summary(data.components)}</span>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

export function OverviewPage() {
  const overview = useOverview();
  return (
    <Page title="Overview">
      <Loaded of={overview} lines={8}>
        {(data) => (
          <>
            <NowStrip now={data.now} />
            <div className="halves">
              <Card title="Pending tasks">
                <PendingTasks needs={data.needs_you} />
                <OwnRequests />
              </Card>
              <Card title="Running upgrades">
                <Running running={data.running} />
              </Card>
              <Card title="Versions in use">
                <Skew skew={data.skew} />
              </Card>
              {data.followed.length ? (
                <Card title="Followed deployments">
                  <Followed of={data.followed} />
                </Card>
              ) : null}
              <Card title="Windows in the next 24 hours">
                <Windows windows={data.windows} />
              </Card>
            </div>
          </>
        )}
      </Loaded>
      <HealthLine />
    </Page>
  );
}
