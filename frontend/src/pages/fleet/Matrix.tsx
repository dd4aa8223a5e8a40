import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { Shape } from "../../parts/Shape";
import { Version, Versions } from "../../parts/Status";
import { useIsCompact } from "../../parts/tables/choices";
import { useFlash } from "../../parts/tables/useFlash";
import type { Cell, FleetService, Region } from "../../wire/model";
import { cellWord, continentOf, isMoving, newestOf, activityOf } from "./fleet";
import { nextSelection } from "./gridNavigation";
import { plural, rich, t } from "../../words/text";

const VIRTUAL_FROM = 60;
const ROW_HEIGHT = 62;
const COMPACT_ROW_HEIGHT = 37;
const HEAD_HEIGHT = 38;
const NAME_WIDTH = 190;
const COLUMN_WIDTH = 172;
/** After the service and the room that columns out of sight take. */
const FIRST_COLUMN = 3;
const TURN = 2 * Math.PI * 8.5;

/** How many shards are ready, as a ring. */
export function Ring({ ready, total, tone }: { ready: number; total: number; tone: string }) {
  const share = total ? ready / total : 0;
  return (
    <svg
      width="22"
      height="22"
      viewBox="0 0 22 22"
      fill="none"
      strokeWidth="3"
      className={`ink-${tone}`}
      aria-hidden="true"
    >
      <circle cx="11" cy="11" r="8.5" stroke="var(--line-strong)" />
      <circle
        cx="11"
        cy="11"
        r="8.5"
        stroke="currentColor"
        strokeDasharray={TURN}
        strokeDashoffset={TURN * (1 - share)}
        transform="rotate(-90 11 11)"
      />
    </svg>
  );
}

function CellView({
  cell,
  service,
  reachable,
  chosen,
  onSelect,
}: {
  cell: Cell;
  service: FleetService;
  reachable: boolean;
  chosen: boolean;
  onSelect: () => void;
}) {
  const word = cellWord(cell);
  const moving = isMoving(cell);
  const newest = newestOf(service);
  const flash = useFlash<HTMLAnchorElement>(activityOf(cell));
  const note = moving
    ? `${word.word}${cell.total ? t` · ${cell.ready} of ${plural(cell.total, "# shard", "# shards")}` : ""}`
    : cell.disabled
      ? t`disabled`
      : newest && newest !== cell.current_version
        ? t`${newest} available`
        : t`newest`;
  return (
    <Link
      ref={flash}
      data-cell
      tabIndex={reachable ? 0 : -1}
      to={cell.upgrade_id && moving ? `/upgrades/${cell.upgrade_id}` : `/d/${cell.service}/${cell.region}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          onSelect();
        }
      }}
      className={`cell ${chosen ? "chosen" : ""} ${moving || cell.disabled ? `soft-${word.tone}` : ""}`}
    >
      <span className="unseen">
        {rich`${chosen ? t`selected, ` : ""}${cell.service} in ${cell.region}, ${word.word}:`}{" "}
      </span>
      {moving && cell.total ? (
        <Ring ready={cell.ready} total={cell.total} tone={word.tone} />
      ) : (
        <Shape tone={word.tone} />
      )}
      <span className="cell-text">
        {moving ? (
          <Versions from={cell.current_version} to={cell.target_version} />
        ) : (
          <Version of={cell.current_version} as={newest === cell.current_version ? "new" : "old"} />
        )}
        <small>
          {note}
          {cell.automatic && moving ? t` · automatic` : ""}
        </small>
      </span>
      <span className="mode pill soft-plain">{cell.automatic ? t`automatic` : t`manual`}</span>
    </Link>
  );
}

interface Column {
  at: number;
  region: Region;
}

function Row({
  service,
  columns,
  places,
  at,
  first,
  selected,
  onSelect,
}: {
  service: FleetService;
  columns: Column[];
  places: Map<string, Cell>;
  at: number;
  first: string;
  selected: ReadonlySet<string>;
  onSelect: (name: string) => void;
}) {
  return (
    <>
      <div role="rowheader" aria-colindex={1} className="service-name">
        <b className="clip" title={service.name}>
          {service.name}
        </b>
        <small className="muted clip">
          {rich`tier ${service.rank}`}
          {service.display_name && service.display_name !== service.name ? ` · ${service.display_name}` : ""}
        </small>
      </div>
      {columns.map(({ region, at: column }, place) => {
        const cell = places.get(`${service.name} ${region.name}`);
        return (
          <div
            role="gridcell"
            key={region.name}
            aria-colindex={column + 2}
            style={{ gridColumn: place + FIRST_COLUMN }}
            data-at={`${at},${column}`}
            data-name={cell?.name ?? ""}
            aria-selected={cell ? selected.has(cell.name) : false}
          >
            {cell ? (
              <CellView
                cell={cell}
                service={service}
                reachable={cell.name === first}
                chosen={selected.has(cell.name)}
                onSelect={() => onSelect(cell.name)}
              />
            ) : (
              <span className="muted small absent">{t`not deployed`}</span>
            )}
          </div>
        );
      })}
    </>
  );
}

interface MatrixProps {
  services: FleetService[];
  /** They stand in the order of their tiers: a line parts one from the next. */
  tiers?: boolean;
  regions: Region[];
  places: Map<string, Cell>;
  selected: ReadonlySet<string>;
  onSelect: (name: string) => void;
}

/** Services down, regions across; one cell is one deployment. Beyond sixty of either only those in sight exist. */
export function Matrix(props: MatrixProps) {
  const isCompact = useIsCompact();
  // The heights of rows are kept from the first estimate on: with another one the grid is another grid.
  return <Grid key={String(isCompact)} isCompact={isCompact} {...props} />;
}

function Grid({
  services,
  tiers = false,
  regions,
  places,
  selected,
  onSelect,
  isCompact,
}: MatrixProps & { isCompact: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const target = useRef("");
  const tall = services.length > VIRTUAL_FROM;
  const wide = regions.length > VIRTUAL_FROM;
  const down = useVirtualizer({
    count: services.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT),
    overscan: 8,
    enabled: tall,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const across = useVirtualizer({
    count: regions.length,
    horizontal: true,
    getScrollElement: () => box.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: 4,
    enabled: wide,
    paddingStart: NAME_WIDTH,
    scrollPaddingStart: NAME_WIDTH,
  });
  const inSight = across.getVirtualItems();
  const columns: Column[] = wide
    ? inSight.flatMap((item) => {
        const region = regions[item.index];
        return region ? [{ at: item.index, region }] : [];
      })
    : regions.map((region, at) => ({ at, region }));
  const before = wide ? Math.max(0, (inSight[0]?.start ?? NAME_WIDTH) - NAME_WIDTH) : 0;
  const size = wide ? `${COLUMN_WIDTH}px` : `minmax(${COLUMN_WIDTH}px, 1fr)`;
  const names = wide ? `${NAME_WIDTH}px` : `minmax(${NAME_WIDTH}px, 1.1fr)`;
  const style = {
    gridTemplateColumns: `${names} ${before}px repeat(${Math.max(1, columns.length)}, ${size})`,
  };
  const minWidth = NAME_WIDTH + regions.length * COLUMN_WIDTH;
  const rows = tall
    ? down.getVirtualItems().map((item) => ({
        at: item.index,
        style: {
          position: "absolute" as const,
          top: 0,
          left: 0,
          right: 0,
          transform: `translateY(${item.start}px)`,
          ...style,
        },
      }))
    : services.map((_, at) => ({ at, style }));
  const first =
    rows
      .flatMap(({ at }) => columns.map(({ region }) => places.get(`${services[at]?.name ?? ""} ${region.name}`)))
      .find((cell) => cell !== undefined)?.name ?? "";
  useLayoutEffect(() => {
    const cell = target.current
      ? box.current?.querySelector<HTMLElement>(`[data-at="${target.current}"] [data-cell]`)
      : null;
    if (!cell) return;
    target.current = "";
    cell.focus();
  });
  const go = (row: number, column: number): void => {
    const cell = box.current?.querySelector<HTMLElement>(`[data-at="${row},${column}"] [data-cell]`);
    if (cell) return cell.focus();
    target.current = `${row},${column}`;
    if (tall) down.scrollToIndex(row);
    if (wide) across.scrollToIndex(column);
  };
  const nameAt = (row: number, column: number): string | undefined =>
    places.get(`${services[row]?.name ?? ""} ${regions[column]?.name ?? ""}`)?.name;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void =>
    nextSelection(event, { rows: services.length, columns: regions.length, nameAt, selected, onSelect, go });
  return (
    <div
      ref={box}
      className={isCompact ? "matrix compact scroll" : "matrix scroll"}
      role="grid"
      tabIndex={-1}
      aria-multiselectable="true"
      aria-label={t`Deployments by service and region`}
      aria-rowcount={services.length + 1}
      aria-colcount={regions.length + 1}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className="matrix-row matrix-head" style={{ ...style, minWidth }}>
        <div role="columnheader" aria-colindex={1}>
          {t`Service`}
        </div>
        {columns.map(({ region, at }, place) => (
          <div
            role="columnheader"
            key={region.name}
            aria-colindex={at + 2}
            style={{ gridColumn: place + FIRST_COLUMN }}
          >
            {region.name}
            {region.title && region.title !== region.name ? <small> {region.title}</small> : null}
            {wide && continentOf(region) ? <small className="muted"> {continentOf(region)}</small> : null}
          </div>
        ))}
      </div>
      <div
        role="rowgroup"
        className="matrix-body"
        style={{ minWidth, ...(tall ? { height: down.getTotalSize() } : {}) }}
      >
        {rows.map(({ at, style: placed }) => {
          const service = services[at];
          const begins = tiers && at > 0 && service?.rank !== services[at - 1]?.rank;
          return service ? (
            <div
              role="row"
              key={service.name}
              className={`matrix-row ${begins ? "rank-begins" : ""}`}
              style={placed}
              aria-rowindex={at + 2}
            >
              <Row
                service={service}
                columns={columns}
                places={places}
                at={at}
                first={first}
                selected={selected}
                onSelect={onSelect}
              />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}
