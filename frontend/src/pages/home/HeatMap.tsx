import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useNavigate } from "react-router";
import { shortService } from "../../parts/status";
import type { Cell } from "../../wire/model";
import { isMoving, type byPlace } from "../fleet/fleet";
import { cellSentence, classOf, type HeatClass, type HeatContext, legendOf } from "./heat";
import {
  cellsAt,
  cellsWithin,
  changedPlaces,
  geometryOf,
  type HeatGeometry,
  type HeatPlan,
  type Place,
  placeAfter,
  placeAt,
  widthOf,
} from "./layout";
import { paintCells, paintMarks } from "./paint";
import { plural, t } from "../../words/text";

/** Columns so wide have room for the service's name. */
const NAMES_FROM = 46;
/** Narrower ones have room for it upright. */
const UPRIGHT_FROM = 16;
const LETTER = 6.8;
const GROUP_HEIGHT = 24;
const MOST_UPRIGHT = 110;
/** Rows so high have room for the region's name. */
const ROW_NAMES_FROM = 14;
const DRAG_FROM = 4;
const NARROW = 560;

/** What stands for several deployments: the one that needs attention most. */
function worst(cells: readonly Cell[], context: HeatContext): HeatClass {
  let result = classOf(undefined, context);
  for (const cell of cells) {
    const heat = classOf(cell, context);
    if (heat.rank > result.rank) result = heat;
  }
  return result;
}

function addressOf(cell: Cell): string {
  return cell.upgrade_id && isMoving(cell) ? `/upgrades/${cell.upgrade_id}` : `/d/${cell.service}/${cell.region}`;
}

interface Props {
  plan: HeatPlan;
  places: ReturnType<typeof byPlace>;
  context: HeatContext;
  selected: ReadonlySet<string>;
  onSelect: (names: string[], on: boolean) => void;
  onClear: () => void;
  onFold: (group: string) => void;
}

function RowNames({ plan, geometry }: { plan: HeatPlan; geometry: HeatGeometry }) {
  const byRegion = geometry.cellHeight >= ROW_NAMES_FROM;
  const names = byRegion
    ? plan.rows.map((region, at) => ({ name: region.name, from: at, count: 1 }))
    : plan.bands.filter((band) => band.count * geometry.cellHeight >= ROW_NAMES_FROM);
  return (
    <div className="heat-rows small muted" style={{ height: geometry.height }} aria-hidden="true">
      {names.map(({ name, from, count }) => (
        <span
          key={`${name} ${from}`}
          className="clip"
          style={{
            top: from * geometry.cellHeight,
            height: count * geometry.cellHeight,
            lineHeight: byRegion ? `${geometry.cellHeight}px` : undefined,
          }}
        >
          {name}
        </span>
      ))}
    </div>
  );
}

function Heads({
  plan,
  geometry,
  onFold,
}: {
  plan: HeatPlan;
  geometry: HeatGeometry;
  onFold: (group: string) => void;
}) {
  const names = plan.columns.map((column) =>
    column.services.length === 1 ? shortService(column.key) : t`all ${column.services.length}`,
  );
  const longest = LETTER * Math.max(0, ...names.map((name) => name.length));
  const isFlat = geometry.cellWidth >= NAMES_FROM && longest <= geometry.cellWidth;
  const isUpright = !isFlat && geometry.cellWidth >= UPRIGHT_FROM;
  const length = Math.min(MOST_UPRIGHT, longest + 14);
  return (
    <div
      className={`heat-heads ${isFlat ? "two" : isUpright ? "upright" : ""}`}
      style={{ width: geometry.width, ...(isUpright ? { height: GROUP_HEIGHT + length } : {}) }}
    >
      {plan.groups.map((group) => {
        const last = group.from + group.count - 1;
        const left = geometry.lefts[group.from] ?? 0;
        return (
          <button
            key={group.name}
            type="button"
            className="heat-group small"
            style={{ left, width: (geometry.lefts[last] ?? 0) + widthOf(plan, geometry, last) - left }}
            aria-expanded={!group.folded}
            aria-label={`${group.name}, ${plural(group.services, "# service", "# services")}`}
            title={t`${group.name}: ${group.folded ? t`expand` : t`collapse`} ${plural(group.services, "# service", "# services")}`}
            onClick={() => onFold(group.name)}
          >
            {group.folded ? "+" : ""} {group.name}
            {group.services > 1 ? ` (${group.services})` : ""}
          </button>
        );
      })}
      {isFlat || isUpright
        ? plan.columns.map((column, at) => (
            <span
              key={column.key}
              className="heat-column small muted clip"
              style={{
                left: geometry.lefts[at],
                width: widthOf(plan, geometry, at) - (isFlat ? 3 : 0),
                ...(isUpright ? { height: length, lineHeight: `${widthOf(plan, geometry, at)}px` } : {}),
              }}
              title={column.services.map((service) => service.name).join(", ")}
              aria-hidden="true"
            >
              {names[at]}
            </span>
          ))
        : null}
    </div>
  );
}

/** Services across, regions down, one coloured cell a deployment; the grid for screen readers holds the cell in focus. */
export function HeatMap({ plan, places, context, selected, onSelect, onClear, onFold }: Props) {
  const navigate = useNavigate();
  const scheme = useComputedColorScheme("light");
  const { ref: room, width } = useElementSize();
  const cells = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<Place | null>(null);
  const [byKeyboard, setByKeyboard] = useState(false);
  const [brush, setBrush] = useState<{ from: Place; to: Place; x: number; y: number } | null>(null);
  const anchor = useRef<Place | null>(null);
  const gutter = width < NARROW ? 76 : 118;
  const geometry = useMemo(() => geometryOf(plan, Math.max(0, width - gutter)), [plan, width, gutter]);

  const painted = useRef<{ by: readonly unknown[]; places: Props["places"] } | null>(null);
  useEffect(() => {
    if (!cells.current) return;
    const by = [plan, context, geometry, scheme];
    const before = painted.current;
    // While nothing but deployments changed, only those are drawn: a large fleet changes many times a second.
    const isSame = before?.by.every((value, at) => value === by[at]) ?? false;
    const changed = before && isSame ? changedPlaces(plan, before.places, places) : null;
    painted.current = { by, places };
    paintCells(
      cells.current,
      plan,
      geometry,
      (row, column) => {
        const here = cellsAt(plan, places, row, column);
        const text = here.length === 1 ? (here[0]?.current_version ?? "") : here.length > 1 ? `${here.length}` : "";
        return { heat: worst(here, context), text };
      },
      changed,
    );
  }, [plan, places, context, geometry, scheme]);

  const chosen = useMemo(() => {
    if (selected.size === 0) return [];
    const result: Place[] = [];
    for (let row = 0; row < plan.rows.length; row += 1)
      for (let column = 0; column < plan.columns.length; column += 1)
        if (cellsAt(plan, places, row, column).some((cell) => selected.has(cell.name))) result.push({ row, column });
    return result;
  }, [plan, places, selected]);
  useEffect(() => {
    if (!marks.current) return;
    paintMarks(marks.current, plan, geometry, { selected: chosen, at, brush: brush ? [brush.from, brush.to] : null });
  }, [plan, geometry, chosen, at, brush, scheme]);

  const under = (event: PointerEvent<HTMLElement>): Place | null => {
    const box = cells.current?.getBoundingClientRect();
    return box ? placeAt(plan, geometry, event.clientX - box.left, event.clientY - box.top) : null;
  };
  const open = (place: Place): void => {
    const here = cellsAt(plan, places, place.row, place.column);
    const column = plan.columns[place.column];
    if (column && column.services.length > 1) onFold(column.group);
    else if (here[0]) void navigate(addressOf(here[0]));
  };
  const toggle = (one: Place, other: Place): void => {
    const names = cellsWithin(plan, places, one, other).map((cell) => cell.name);
    onSelect(names, !names.every((name) => selected.has(name)));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const here = at ?? { row: 0, column: 0 };
    if (event.key === "Enter") open(here);
    else if (event.key === " ") toggle(here, here);
    else if (event.key === "Escape" && selected.size > 0) onClear();
    else {
      const next = placeAfter(plan, here, event.key);
      if (!next) return;
      if (event.shiftKey) {
        anchor.current ??= here;
        onSelect(
          cellsWithin(plan, places, anchor.current, next).map((cell) => cell.name),
          true,
        );
      } else anchor.current = null;
      setByKeyboard(true);
      setAt(next);
    }
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const place = under(event);
    setByKeyboard(false);
    if (place?.row !== at?.row || place?.column !== at?.column) setAt(place);
    if (brush && place) setBrush({ ...brush, to: place });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    if (!brush) return;
    setBrush(null);
    const moved = Math.hypot(event.clientX - brush.x, event.clientY - brush.y) >= DRAG_FROM;
    if (event.ctrlKey || event.metaKey) toggle(brush.from, brush.to);
    else if (!moved) open(brush.from);
    else {
      if (!event.shiftKey) onClear();
      onSelect(
        cellsWithin(plan, places, brush.from, brush.to).map((cell) => cell.name),
        true,
      );
    }
  };

  const here = at ? cellsAt(plan, places, at.row, at.column) : [];
  const region = at ? (plan.rows[at.row]?.name ?? "") : "";
  const service = at ? (plan.columns[at.column]?.key ?? "") : "";
  const sentence = !at
    ? ""
    : here.length === 0
      ? t`${shortService(service)} @ ${region}: not deployed`
      : here.length === 1 && here[0]
        ? cellSentence(here[0], context)
        : t`${plan.columns[at.column]?.group} @ ${region}: ${here.length} deployments, first ${worst(here, context).word}`;
  const left = at ? gutter + (geometry.lefts[at.column] ?? 0) : 0;
  return (
    <div className="heat" ref={room}>
      <div className="heat-scroll scroll">
        <div style={{ paddingLeft: gutter, width: "max-content" }}>
          <Heads plan={plan} geometry={geometry} onFold={onFold} />
        </div>
        <div className="heat-body" style={{ gridTemplateColumns: `${gutter}px max-content` }}>
          <RowNames plan={plan} geometry={geometry} />
          <div
            className="heat-grid"
            role="grid"
            tabIndex={0}
            aria-label={t`Fleet by service and region. ${legendOf(context.colour).length} classes of colour.`}
            aria-describedby="heat-keys"
            aria-multiselectable="true"
            aria-rowcount={plan.rows.length}
            aria-colcount={plan.columns.length}
            aria-activedescendant={at ? `heat-${at.row}-${at.column}` : undefined}
            style={{ width: geometry.width, height: geometry.height }}
            onKeyDown={onKeyDown}
            onFocus={() => {
              if (!at && plan.rows.length) setAt({ row: 0, column: 0 });
            }}
            onPointerMove={onPointerMove}
            onPointerLeave={() => {
              if (!brush && !byKeyboard) setAt(null);
            }}
            onPointerDown={(event) => {
              const place = under(event);
              if (!place || event.button !== 0) return;
              if (event.pointerType !== "touch") event.currentTarget.setPointerCapture(event.pointerId);
              setBrush({ from: place, to: place, x: event.clientX, y: event.clientY });
            }}
            onPointerUp={onPointerUp}
            onPointerCancel={() => setBrush(null)}
          >
            <canvas ref={cells} aria-hidden="true" />
            <canvas ref={marks} aria-hidden="true" />
            <div role="row" className="unseen" aria-rowindex={(at?.row ?? 0) + 1}>
              <div
                role="gridcell"
                id={at ? `heat-${at.row}-${at.column}` : undefined}
                aria-colindex={(at?.column ?? 0) + 1}
                aria-selected={here.length > 0 && here.every((cell) => selected.has(cell.name))}
              >
                {sentence}
              </div>
            </div>
          </div>
        </div>
      </div>
      {at ? (
        <div
          className="heat-hover card small"
          aria-hidden="true"
          style={{
            top: 52 + (at.row + 1) * geometry.cellHeight,
            left: Math.max(0, Math.min(left, width - 300)),
          }}
        >
          {sentence}
        </div>
      ) : null}
    </div>
  );
}
