import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAccount, useHealth } from "../../api/queries";
import { summary } from "../../parts/componentHealth";
import { MiniSpine } from "../../parts/charts/MiniSpine";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Status, Version, Versions } from "../../parts/Status";
import { componentWords, shortService, upgradeWord } from "../../parts/status";
import { useSteady } from "../../parts/tables/useSteady";
import { rangeText } from "../../time/clock";
import { Age } from "../../time/Time";
import type { Fleet, Overview, UpgradeSummary } from "../../wire/model";
import { planAddress } from "./FleetCard";
import { available } from "./heat";
import { OwnRequests, PendingTasks } from "./PendingTasks";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

const MOST_AVAILABLE = 3;

function Counts({ now }: { now: Overview["now"] }) {
  const facts = [
    { to: "/approvals?tab=open", count: now.waiting_others, word: t`awaiting others` },
    { to: "/upgrades?stalled=true", count: now.stalled, word: t`stalled` },
    { to: "/upgrades?state=HALTED", count: now.failed, word: t`failed` },
    { to: "/upgrades?state=REVERSIBLE", count: now.reversible, word: t`rollback open` },
  ].filter((fact) => fact.count > 0);
  return facts.map((fact) => (
    <Link key={fact.word} to={fact.to}>
      {fact.count} {fact.word}
    </Link>
  ));
}

/** What could be upgraded, read from the fleet itself. */
export function AvailableUpgrades({ fleet }: { fleet: Fleet }) {
  const mayPlan = useAccount()?.permissions.includes("upgrade.plan") ?? false;
  const rows = available(fleet.services, fleet.cells);
  const count = rows.reduce((sum, row) => sum + row.deployments.length, 0);
  if (rows.length === 0)
    return <p className="small muted">{t`Every deployment runs the newest version or is being upgraded.`}</p>;
  return (
    <>
      <h3>{rich`Ready to upgrade: ${plural(count, "# deployment", "# deployments")}`}</h3>
      <ul className="plain-list">
        {rows.slice(0, MOST_AVAILABLE).map((row) => (
          <li key={row.service} className="row between">
            <span className="row tight wrap">
              <Link to={`/fleet?service=${row.service}`}>{shortService(row.service)}</Link>
              <Version of={row.version} as="new" />
              <span className="small muted">{plural(row.deployments.length, "# region", "# regions")}</span>
            </span>
            {mayPlan ? (
              <Button
                size="compact-sm"
                component={Link}
                to={planAddress(row.deployments, row.version)}
                aria-label={t`Plan ${shortService(row.service)} ${row.version}`}
              >
                {t`Plan`}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {rows.length > MOST_AVAILABLE ? (
        <p className="small">
          <Link to="/fleet?view=table&behind=1">{rich`${rows.length - MOST_AVAILABLE} more services`}</Link>
        </p>
      ) : null}
    </>
  );
}

function leftOf(upgrade: UpgradeSummary): ReactNode {
  const { percent, eta } = upgrade.progress;
  if (upgrade.state === "REVERSIBLE" && upgrade.reversible_until)
    return <>{rich`ends ${(<Age at={upgrade.reversible_until} />)}`}</>;
  if (upgrade.state !== "SYNCING") return null;
  return [
    percent === null || percent === undefined ? "" : `${percent} %`,
    eta?.high_seconds ? t`${rangeText(eta.low_seconds, eta.high_seconds)} left` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function UnderWay({ running }: { running: Overview["running"] }) {
  const { rows, over } = useSteady(running, (upgrade) => upgrade.id, "");
  const mayPlan = useAccount()?.permissions.includes("upgrade.plan") ?? false;
  if (running.length === 0)
    return (
      <Empty title={t`No upgrade is under way.`}>
        {mayPlan ? (
          <Link to="/upgrades/new">{t`Plan an upgrade`}</Link>
        ) : (
          t`An upgrade is shown here from its start until its rollback window ends.`
        )}
      </Empty>
    );
  return (
    <ul className="plain-list under-way" {...over}>
      {rows.map((upgrade) => {
        const word = upgradeWord(upgrade);
        return (
          <li key={upgrade.id}>
            <Link to={`/upgrades/${upgrade.id}`} className="clip" title={worded(upgrade.sentence, upgrade.phrases)}>
              {shortService(upgrade.service)} @ {upgrade.region}
            </Link>
            <MiniSpine state={upgrade.state} tone={word.tone} />
            <span className="small">
              <Status of={word} size={13} /> <span className="muted">{leftOf(upgrade)}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function milliseconds(value: number | null): string {
  if (value === null) return "–";
  return value < 1000 ? t`${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

function HealthLine() {
  const health = useHealth();
  return (
    <Loaded of={health} lines={1}>
      {(data) => (
        <p className="small row tight wrap">
          <Status of={componentWords[data.status]} size={13} />
          <Link to="/health">{summary(data.components)}</Link>
        </p>
      )}
    </Loaded>
  );
}

function LastWeek({ week }: { week: Overview["week"] }) {
  if (week.switches === 0)
    return (
      <Empty title={t`No deployment was switched in the last 7 days.`}>
        {t`Each switch is shown here with how long it paused writes.`}
      </Empty>
    );
  const alone = week.switches === 1;
  return (
    <>
      <dl className="last-week">
        <dd>{week.switches}</dd>
        <dt>{rich`${plural(week.switches, "switch", "switches")} · ${week.rolled_back} rolled back`}</dt>
        <dd>{milliseconds(week.median_freeze_ms)}</dd>
        <dt>
          {alone ? t`pause of writes` : rich`median pause of writes · longest ${milliseconds(week.longest_freeze_ms)}`}
        </dt>
      </dl>
      <ul className="plain-list small">
        {week.newest.map((row) => (
          <li key={row.id} className="row between wrap">
            <span className="row tight wrap">
              <Link to={`/upgrades/${row.id}`}>
                {shortService(row.service)} @ {row.region}
              </Link>
              <Versions from={row.from_version} to={row.to_version} />
            </span>
            <span className="muted nowrap">
              {alone ? null : <>{milliseconds(row.freeze_ms)} · </>}
              <Age at={row.at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What waits for this person, what runs, and what was done: the strip above the fleet. */
export function Strip({ overview, fleet }: { overview: Overview; fleet: Fleet | undefined }) {
  return (
    <div className="home-strip">
      <Card
        title={t`Awaiting you`}
        aside={
          overview.now.waiting_mine ? (
            <Link to="/approvals?tab=mine">{plural(overview.now.waiting_mine, "# approval", "# approvals")}</Link>
          ) : null
        }
      >
        <PendingTasks needs={overview.needs_you} />
        <OwnRequests />
        {fleet && fleet.cells.length ? <AvailableUpgrades fleet={fleet} /> : null}
      </Card>
      <Card title={t`Under way`} aside={<Counts now={overview.now} />}>
        <UnderWay running={overview.running} />
      </Card>
      <Card title={t`Last 7 days`} aside={<Link to="/upgrades">{t`All upgrades`}</Link>}>
        <LastWeek week={overview.week} />
        <HealthLine />
      </Card>
    </div>
  );
}
