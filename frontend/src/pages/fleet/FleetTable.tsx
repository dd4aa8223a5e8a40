import { Checkbox, UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "react-router";
import { send } from "../../api/client";
import { useRows } from "../../parts/rows";
import { useFlash } from "../../parts/useFlash";
import { useSteady } from "../../parts/useSteady";
import { Status, Version, Versions } from "../../parts/Status";
import { lagText } from "../../parts/status";
import { Shape } from "../../parts/Shape";
import { Age, Time } from "../../time/Time";
import type { Cell, FleetService } from "../../wire/model";
import type { components } from "../../wire/schema";
import {
  cellWord,
  newestOf,
  sorted,
  activityOf,
  versionsBehind,
  windowsFrom,
  type FleetOrder,
  type WindowForecast,
} from "./fleet";
import { t } from "../../words/text";

const ROW_HEIGHT = 39;

const columns: { key: FleetOrder; title: string; num?: boolean }[] = [
  { key: "service", title: t`Service` },
  { key: "region", title: t`Region` },
  { key: "version", title: t`Versions` },
  { key: "newest", title: t`Newest` },
  { key: "data", title: t`Data` },
  { key: "state", title: t`State` },
  { key: "ready", title: t`Shards ready`, num: true },
  { key: "lag", title: t`Lag`, num: true },
  { key: "reported", title: t`Reported` },
  { key: "started", title: t`Started` },
  { key: "owner", title: t`Owner` },
  { key: "switch", title: t`Switch` },
  { key: "window", title: t`Window` },
];

/** Switch window next; the sentence behind it names the rule. */
export function NextWindow({ of }: { of: WindowForecast | undefined }) {
  if (!of) return <span className="muted">–</span>;
  const when = of.allowed ? of.closes : of.opens;
  const word = of.allowed ? (when ? t`open until` : t`any time`) : when ? t`opens` : t`none planned`;
  return (
    <span className="row tight" title={of.sentence}>
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

function Row({
  cell,
  newest,
  at,
  chosen,
  window,
  onSelect,
}: {
  cell: Cell;
  newest: string;
  at: number;
  chosen: boolean;
  window: WindowForecast | undefined;
  onSelect: (names: string[], on: boolean) => void;
}) {
  const row = useFlash<HTMLTableRowElement>(activityOf(cell));
  return (
    <tr ref={row} aria-rowindex={at} style={{ height: ROW_HEIGHT }} className={chosen ? "chosen" : ""}>
      <td>
        <Checkbox
          size="xs"
          aria-label={t`Select ${cell.service} @ ${cell.region}`}
          checked={chosen}
          onChange={(event) => onSelect([cell.name], event.currentTarget.checked)}
        />
      </td>
      <th scope="row">
        <Link data-row to={`/d/${cell.service}/${cell.region}`}>
          {cell.service}
        </Link>
      </th>
      <td>{cell.region}</td>
      <td>
        <Versions from={cell.current_version} to={cell.target_version} newest={newest} />
      </td>
      <td>
        {newest && newest !== cell.current_version ? (
          <Version of={newest} as="new" />
        ) : (
          <span className="muted">{newest ? t`up to date` : "–"}</span>
        )}
      </td>
      <td>{cell.data_version || "–"}</td>
      <td>
        <Status of={cellWord(cell)} />
      </td>
      <td className="num">{cell.total ? t`${cell.ready} of ${cell.total}` : "–"}</td>
      <td className="num">{lagText(cell.lag_seconds)}</td>
      <td className="nowrap">
        <Age at={cell.oldest_report_at} />
      </td>
      <td className="nowrap">{cell.started_at ? <Age at={cell.started_at} /> : "–"}</td>
      <td>{cell.owner ?? "–"}</td>
      <td className="nowrap">{cell.automatic ? t`automatic` : t`manual`}</td>
      <td className="nowrap">
        <NextWindow of={window} />
      </td>
    </tr>
  );
}

/** Every deployment as a row; only the rows in sight exist, so ten thousand scroll like ten. */
export function FleetTable({
  cells,
  services,
  order,
  down,
  onOrder,
  selected,
  onSelect,
}: {
  cells: Cell[];
  services: FleetService[];
  order: FleetOrder;
  down: boolean;
  onOrder: (order: FleetOrder, down: boolean) => void;
  selected: ReadonlySet<string>;
  onSelect: (names: string[], on: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const body = useRows();
  const announced = useQuery({
    queryKey: ["fleet", "windows"],
    queryFn: ({ signal }) => send<components["schemas"]["FleetWindows"]>("/fleet/windows", { signal }),
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  const windows = windowsFrom(announced.data);
  const { rows, over } = useSteady(
    sorted(cells, order, down, windows, versionsBehind(services)),
    (cell) => cell.name,
    `${order} ${down}`,
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const newest = new Map(services.map((service) => [service.name, newestOf(service)]));
  const all = cells.length > 0 && cells.every((cell) => selected.has(cell.name));
  return (
    <div ref={box} className="scroll fleet-table" role="region" aria-label={t`Deployments`} tabIndex={0}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
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
            </th>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.num ? "num" : ""}
                aria-sort={order === column.key ? (down ? "descending" : "ascending") : "none"}
              >
                <UnstyledButton className="sort" onClick={() => onOrder(column.key, order === column.key && !down)}>
                  {column.title}
                  {order === column.key ? <span aria-hidden="true">{down ? " ↓" : " ↑"}</span> : null}
                </UnstyledButton>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} {...over}>
          {above > 0 ? (
            <tr aria-hidden="true" style={{ height: above }}>
              <td colSpan={columns.length + 1} />
            </tr>
          ) : null}
          {items.map((item) => {
            const cell = rows[item.index];
            return cell ? (
              <Row
                key={cell.name}
                cell={cell}
                newest={newest.get(cell.service) ?? ""}
                at={item.index + 2}
                chosen={selected.has(cell.name)}
                window={windows(cell)}
                onSelect={onSelect}
              />
            ) : null;
          })}
          {below > 0 ? (
            <tr aria-hidden="true" style={{ height: below }}>
              <td colSpan={columns.length + 1} />
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}
