import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { ForPlanners } from "../parts/ActionButton";
import { Link } from "react-router";
import { NewRows, useNewRows } from "../parts/NewRows";
import { items, More, usePages } from "../parts/More";
import { Card, Page } from "../parts/Page";
import { useRows } from "../parts/rows";
import { useFilters } from "../parts/search";
import { SavedViews } from "../parts/SavedViews";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Status, Versions } from "../parts/Status";
import { stateWord, upgradeWord } from "../parts/status";
import { useFlash } from "../parts/useFlash";
import { rangeText } from "../time/clock";
import { Time } from "../time/Time";
import type { UpgradeState, UpgradeSummary } from "../wire/model";
import { rich, t } from "../words/text";

const STATES: UpgradeState[] = [
  "PLANNED",
  "SYNCING",
  "READY",
  "SWITCHING",
  "REVERSIBLE",
  "COMPLETED",
  "ABORTED",
  "REVERTING",
  "REVERTED",
  "HALTED",
  "HANDED_OVER",
];

const COPIED = new Set(["READY", "SWITCHING", "REVERSIBLE", "COMPLETED", "REVERTING", "REVERTED"]);

/** How far the backfill is and how long it takes; nothing where it is not known or over. */
function UpgradeProgress({ of }: { of: UpgradeSummary }) {
  const { percent, eta } = of.progress;
  if (of.state !== "SYNCING") return <span className="muted">{COPIED.has(of.state) ? t`copied` : "–"}</span>;
  if (percent === null || percent === undefined) return <span className="muted">{t`not counted yet`}</span>;
  return (
    <div className="nowrap">
      <progress className="copied" max={100} value={percent} aria-label={t`Copied of ${of.service} @ ${of.region}`} />{" "}
      {percent} %
      {eta?.high_seconds ? (
        <div className="small muted">{rich`${rangeText(eta.low_seconds, eta.high_seconds)} left`}</div>
      ) : null}
    </div>
  );
}

function Row({ of }: { of: UpgradeSummary }) {
  const row = useFlash<HTMLTableRowElement>(upgradeWord(of).word);
  return (
    <tr ref={row}>
      <th scope="row">
        <Link data-row to={`/upgrades/${of.id}`}>
          {of.service} @ {of.region}
        </Link>
      </th>
      <td data-label={t`Versions`} className="top">
        <Versions from={of.from_version} to={of.to_version} />
      </td>
      <td data-label={t`State`} className="top">
        <Status of={upgradeWord(of)} />
      </td>
      <td data-label={t`Progress`} className="top">
        <UpgradeProgress of={of} />
      </td>
      <td data-label={t`Status`}>{of.sentence}</td>
      <td data-label={t`Requested by`} className="top">
        {of.requested_by}
      </td>
      <td data-label={t`Created`} className="top">
        <Time at={of.created_at} />
      </td>
    </tr>
  );
}

export function UpgradeTable({ upgrades }: { upgrades: UpgradeSummary[] }) {
  const body = useRows();
  return (
    <table className="table cards-on-phone">
      <thead>
        <tr>
          <th scope="col">{t`Deployment`}</th>
          <th scope="col">{t`Versions`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Progress`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">{t`Requested by`}</th>
          <th scope="col">{t`Created`}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {upgrades.map((upgrade) => (
          <Row key={upgrade.id} of={upgrade} />
        ))}
      </tbody>
    </table>
  );
}

function List({ all, of }: { all: UpgradeSummary[]; of: Parameters<typeof More>[0]["of"] }) {
  const { fresh, shown, show } = useNewRows(all);
  return (
    <>
      <NewRows count={fresh.length} what={[t`upgrade`, t`upgrades`]} onShow={show} />
      <Card className="flush">
        <Scroll label={t`Upgrades`}>
          <UpgradeTable upgrades={shown} />
        </Scroll>
        <More of={of} />
      </Card>
    </>
  );
}

export function UpgradesPage() {
  const { filters, set, clear, any } = useFilters(["state", "q", "live", "stalled", "service", "region"]);
  const upgrades = usePages<UpgradeSummary>("upgrades", "/upgrades", filters);
  return (
    <Page
      title={t`Upgrades`}
      actions={
        <>
          <Button component={Link} to="/rollouts">
            {t`Rollouts`}
          </Button>
          <ForPlanners label={t`Plan upgrade…`}>
            <Button component={Link} to="/upgrades/new" variant="filled">
              {t`Plan upgrade…`}
            </Button>
          </ForPlanners>
        </>
      }
    >
      <div className="row wrap">
        <Select
          aria-label={t`State`}
          placeholder={t`Any state`}
          clearable
          clearButtonProps={{ "aria-label": t`Clear state` }}
          data={STATES.map((state) => ({ value: state, label: stateWord(state).word }))}
          value={filters.state || null}
          onChange={(value) => set("state", value ?? "")}
        />
        <TextInput
          data-filter
          type="search"
          aria-label={t`Deployment`}
          placeholder={t`Deployment`}
          value={filters.q}
          onChange={(event) => set("q", event.currentTarget.value)}
        />
        <Checkbox
          label={t`Running only`}
          checked={filters.live === "true"}
          onChange={(event) => set("live", event.currentTarget.checked ? "true" : "")}
        />
        <Checkbox
          label={t`Stalled only`}
          checked={filters.stalled === "true"}
          onChange={(event) => set("stalled", event.currentTarget.checked ? "true" : "")}
        />
        <span className="grow" />
        <SavedViews page="upgrades" />
        {filters.service || filters.region ? (
          <Button variant="subtle" onClick={clear}>
            {rich`Only ${[filters.service, filters.region].filter(Boolean).join(" @ ")}: show all`}
          </Button>
        ) : null}
      </div>
      <Loaded of={upgrades}>
        {(data) => {
          const all = items(data);
          if (all.length === 0) {
            return (
              <Card>
                {any ? (
                  <Empty title={t`No upgrade matches.`}>
                    <Button onClick={clear}>{t`Clear filters`}</Button>
                  </Empty>
                ) : (
                  <Empty title={t`No upgrades yet.`} command="swy upgrade plan SERVICE@REGION VERSION">
                    {t`An upgrade moves one deployment to another version of its API. A rollback stays possible
                    after the switch.`}
                  </Empty>
                )}
              </Card>
            );
          }
          return <List key={JSON.stringify(filters)} all={all} of={upgrades} />;
        }}
      </Loaded>
    </Page>
  );
}
