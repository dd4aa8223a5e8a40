import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { ForPlanners } from "../parts/ActionButton";
import { Link } from "react-router";
import { read } from "../api/client";
import { NewRows, useNewRows } from "../parts/tables/NewRows";
import { items, More, usePages } from "../parts/tables/More";
import { Card, Page } from "../parts/Page";
import { useFilters } from "../parts/search";
import { isForbidden } from "../parts/tables/Filters";
import { SavedViews } from "../parts/tables/SavedViews";
import { Empty, Loaded } from "../parts/states";
import { Status, Versions } from "../parts/Status";
import { stateWord, upgradeWord } from "../parts/status";
import type { Column } from "../parts/tables/columns";
import { useChosenColumns, useIsCompact } from "../parts/tables/choices";
import { TableChoices } from "../parts/tables/TableChoices";
import { DataTable } from "../parts/tables/DataTable";
import { rangeText } from "../time/clock";
import { Time } from "../time/Time";
import type { UpgradeState, UpgradeSummary } from "../wire/model";
import { worded } from "../words/server";
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

/** How far the backfill is and how long it takes; nothing where it is not known or over. */
function UpgradeProgress({ of }: { of: UpgradeSummary }) {
  const { percent, eta } = of.progress;
  if (of.state !== "SYNCING") return null;
  if (percent === null || percent === undefined) return <span className="small muted">{t`not counted yet`}</span>;
  return (
    <span className="nowrap">
      <progress className="copied" max={100} value={percent} aria-label={t`Copied of ${of.service} @ ${of.region}`} />{" "}
      {percent} %
      {eta?.high_seconds ? (
        <span className="small muted"> {rich`${rangeText(eta.low_seconds, eta.high_seconds)} left`}</span>
      ) : null}
    </span>
  );
}

const COLUMNS: readonly Column<UpgradeSummary>[] = [
  {
    header: t`Deployment`,
    isRowHeader: true,
    className: "upgrade-place",
    cell: (of) => (
      <Link data-row to={`/upgrades/${of.id}`}>
        {of.service} @ {of.region}
      </Link>
    ),
  },
  {
    header: t`Versions`,
    choice: "versions",
    className: "top",
    cell: (of) => <Versions from={of.from_version} to={of.to_version} />,
  },
  {
    header: t`State`,
    className: "top",
    cell: (of) => (
      <span className="upgrade-state">
        <Status of={upgradeWord(of)} />
        <UpgradeProgress of={of} />
      </span>
    ),
  },
  {
    header: t`Status`,
    choice: "status",
    className: "small upgrade-sentence",
    cell: (of) => {
      const sentence = worded(of.sentence, of.phrases);
      return (
        <div className="one-line" title={sentence}>
          {sentence}
        </div>
      );
    },
  },
  {
    header: t`Planned`,
    choice: "planned",
    className: "top",
    cell: (of) => <Time at={of.created_at} age={false} />,
  },
  { header: t`Planned by`, choice: "planned-by", className: "top", cell: (of) => of.requested_by },
];

export function UpgradeTable({
  upgrades,
  columns = COLUMNS,
}: {
  upgrades: UpgradeSummary[];
  columns?: typeof COLUMNS;
}) {
  return (
    <DataTable
      label={t`Upgrades`}
      boxClass={useIsCompact() ? "compact" : ""}
      hasRowLinks
      columns={columns}
      rows={upgrades}
      rowKey={(of) => of.id}
      flash={(of) => upgradeWord(of).word}
    />
  );
}

function List({ all, of }: { all: UpgradeSummary[]; of: Parameters<typeof More>[0]["of"] }) {
  const { fresh, shown, show } = useNewRows(all);
  return (
    <>
      <NewRows count={fresh.length} what={[t`upgrade`, t`upgrades`]} onShow={show} />
      <Card className="flush">
        <UpgradeTable upgrades={shown} columns={useChosenColumns("upgrades", COLUMNS)} />
        <More of={of} />
      </Card>
    </>
  );
}

export function UpgradesPage() {
  const { filters, set, clear, any } = useFilters(["state", "q", "live", "stalled", "service", "region"]);
  const upgrades = usePages(["upgrades", filters], ({ cursor, signal }) =>
    read("/upgrades", { query: { ...filters, cursor }, signal }),
  );
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
      {isForbidden(upgrades) ? null : (
        <div className="row wrap list-filters">
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
          <TableChoices table="upgrades" columns={COLUMNS} />
          <SavedViews page="upgrades" />
          {filters.service || filters.region ? (
            <Button variant="subtle" onClick={clear}>
              {rich`Only ${[filters.service, filters.region].filter(Boolean).join(" @ ")}: show all`}
            </Button>
          ) : null}
        </div>
      )}
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
