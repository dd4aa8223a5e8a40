import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useSteady } from "../../parts/tables/useSteady";
import { Status, Version, Versions } from "../../parts/Status";
import { lagText } from "../../parts/status";
import { Shape } from "../../parts/Shape";
import type { Column } from "../../parts/tables/columns";
import { useIsCompact } from "../../parts/tables/choices";
import { VirtualTable } from "../../parts/tables/VirtualTable";
import { Age, Time } from "../../time/Time";
import type { Cell, FleetService } from "../../wire/model";
import {
  cellWord,
  isMoving,
  newestOf,
  sorted,
  activityOf,
  versionsBehind,
  windowsFrom,
  type FleetOrder,
  type WindowForecast,
} from "./fleet";
import { worded } from "../../words/server";
import { t } from "../../words/text";

const [ROW_HEIGHT, COMPACT_HEIGHT] = [39, 28];

interface Facts {
  newest: ReadonlyMap<string, string>;
  windows: (cell: Cell) => WindowForecast | undefined;
  hasDataVersions: boolean;
  isAnyStarted: boolean;
  isAnyOwned: boolean;
}

/** Switch window next; the sentence behind it names the rule. */
export function NextWindow({ of }: { of: WindowForecast | undefined }) {
  if (!of) return <span className="muted">–</span>;
  const when = of.allowed ? of.closes : of.opens;
  const word = of.allowed ? (when ? t`open until` : t`any time`) : when ? t`opens` : t`none planned`;
  return (
    <span className="row tight" title={worded(of.sentence, of.phrases)}>
      <Shape tone={of.allowed ? "ok" : "wait"} size={12} />
      <span>
        {word}
        {when ? (
          <>
            {" "}
            <Time at={when} age={false} />
          </>
        ) : null}
      </span>
    </span>
  );
}

/** The version that a deployment could move to; muted where it serves the newest. */
function Newest({ of, newest }: { of: Cell; newest: string }) {
  return newest && newest !== of.current_version ? (
    <Version of={newest} as="new" />
  ) : (
    <span className="muted">{newest ? t`newest` : "–"}</span>
  );
}

/** Figures of an upgrade: blank in the row of a deployment that has none under way. */
function whileMoving(figure: (cell: Cell) => ReactNode): (cell: Cell) => ReactNode {
  return (cell) => (isMoving(cell) ? figure(cell) : null);
}

/** What decides comes before what is only known: the last columns may lie beyond the edge. */
function columnsOf({
  newest,
  windows,
  hasDataVersions,
  isAnyStarted,
  isAnyOwned,
}: Facts): readonly Column<Cell, FleetOrder>[] {
  const newestFor = (cell: Cell): string => newest.get(cell.service) ?? "";
  return [
    {
      header: t`Service`,
      sortKey: "service",
      isRowHeader: true,
      cell: (cell) => (
        <Link data-row to={`/d/${cell.service}/${cell.region}`}>
          {cell.service}
        </Link>
      ),
    },
    { header: t`Region`, sortKey: "region", cell: (cell) => cell.region },
    {
      header: t`Versions`,
      sortKey: "version",
      cell: (cell) => <Versions from={cell.current_version} to={cell.target_version} newest={newestFor(cell)} />,
    },
    { header: t`Newest`, sortKey: "newest", cell: (cell) => <Newest of={cell} newest={newestFor(cell)} /> },
    { header: t`Data`, sortKey: "data", isShown: hasDataVersions, cell: (cell) => cell.data_version },
    { header: t`State`, sortKey: "state", cell: (cell) => <Status of={cellWord(cell)} /> },
    {
      header: t`Switch`,
      sortKey: "switch",
      className: "nowrap",
      cell: (cell) => (cell.automatic ? t`automatic` : t`manual`),
    },
    {
      header: t`Window`,
      sortKey: "window",
      className: "nowrap",
      cell: (cell) => <NextWindow of={windows(cell)} />,
    },
    {
      header: t`Shards`,
      sortKey: "ready",
      align: "end",
      cell: whileMoving((cell) => (cell.total ? t`${cell.ready} of ${cell.total}` : "–")),
    },
    { header: t`Lag`, sortKey: "lag", align: "end", cell: whileMoving((cell) => lagText(cell.lag_seconds)) },
    {
      header: t`Reported`,
      sortKey: "reported",
      className: "nowrap",
      cell: whileMoving((cell) => <Age at={cell.oldest_report_at} />),
    },
    {
      header: t`Started`,
      sortKey: "started",
      isShown: isAnyStarted,
      className: "nowrap",
      cell: (cell) => (cell.started_at ? <Age at={cell.started_at} /> : null),
    },
    { header: t`Planned by`, sortKey: "owner", isShown: isAnyOwned, cell: (cell) => cell.owner },
  ];
}

interface Selection {
  selected: ReadonlySet<string>;
  onSelect: (names: string[], on: boolean) => void;
}

/** Select one deployment, or in the header all that are shown. */
function selectionColumn(cells: readonly Cell[], { selected, onSelect }: Selection): Column<Cell, FleetOrder> {
  const all = cells.length > 0 && cells.every((cell) => selected.has(cell.name));
  return {
    header: t`Select`,
    width: 40,
    headerContent: (
      <Checkbox
        size="xs"
        aria-label={t`Select all that are shown`}
        checked={all}
        indeterminate={!all && cells.some((cell) => selected.has(cell.name))}
        onChange={(event) =>
          onSelect(
            cells.map((cell) => cell.name),
            event.currentTarget.checked,
          )
        }
      />
    ),
    cell: (cell) => (
      <Checkbox
        size="xs"
        aria-label={t`Select ${cell.service} @ ${cell.region}`}
        checked={selected.has(cell.name)}
        onChange={(event) => onSelect([cell.name], event.currentTarget.checked)}
      />
    ),
  };
}

/** Every deployment as a row. */
export function FleetTable({
  cells,
  services,
  order,
  down,
  onOrder,
  ...selection
}: Selection & {
  cells: Cell[];
  services: FleetService[];
  order: FleetOrder;
  down: boolean;
  onOrder: (order: FleetOrder, down: boolean) => void;
}) {
  const isCompact = useIsCompact();
  const announced = useQuery({
    queryKey: ["fleet", "windows"],
    queryFn: ({ signal }) => read("/fleet/windows", { signal }),
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  const windows = windowsFrom(announced.data);
  const { rows, over } = useSteady(
    sorted(cells, order, down, windows, versionsBehind(services)),
    (cell) => cell.name,
    `${order} ${down}`,
  );
  const newest = new Map(services.map((service) => [service.name, newestOf(service)]));
  return (
    <VirtualTable
      key={String(isCompact)}
      label={t`Deployments`}
      boxClass={["fleet-table", isCompact ? "compact" : ""].join(" ")}
      hasRowLinks
      bodyEvents={over}
      sort={{ key: order, isDescending: down, onChange: onOrder }}
      columns={[
        selectionColumn(cells, selection),
        ...columnsOf({
          newest,
          windows,
          hasDataVersions: cells.some((cell) => cell.data_version),
          isAnyStarted: cells.some((cell) => cell.started_at),
          isAnyOwned: cells.some((cell) => cell.owner),
        }),
      ]}
      rows={rows}
      rowKey={(cell) => cell.name}
      rowHeight={isCompact ? COMPACT_HEIGHT : ROW_HEIGHT}
      rowClass={(cell) => (selection.selected.has(cell.name) ? "chosen" : "")}
      flash={activityOf}
    />
  );
}
