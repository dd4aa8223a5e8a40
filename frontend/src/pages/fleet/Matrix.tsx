import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { Shape } from "../../parts/Shape";
import { Version, Versions } from "../../parts/Status";
import { useFlash } from "../../parts/useFlash";
import { letterKeys } from "../../shell/keys";
import type { Cell, FleetService, Region } from "../../wire/model";
import { cellWord, isMoving, newestOf } from "./fleet";

const VIRTUAL_FROM = 60;
const ROW_HEIGHT = 62;
const TURN = 2 * Math.PI * 8.5;

/** How many shards are ready, as a ring. */
export function Ring({ ready, total, tone }: { ready: number; total: number; tone: string }) {
  const share = total ? ready / total : 0;
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" strokeWidth="3" className={`ink-${tone}`} aria-hidden="true">
      <circle cx="11" cy="11" r="8.5" stroke="var(--line-strong)" />
      <circle cx="11" cy="11" r="8.5" stroke="currentColor" strokeDasharray={TURN} strokeDashoffset={TURN * (1 - share)} transform="rotate(-90 11 11)" />
    </svg>
  );
}

function CellView({ cell, service, reachable, chosen, onSelect }: { cell: Cell; service: FleetService; reachable: boolean; chosen: boolean; onSelect: () => void }) {
  const word = cellWord(cell);
  const moving = isMoving(cell);
  const newest = newestOf(service);
  const flash = useFlash<HTMLAnchorElement>(cell.rev);
  const note = moving
    ? `${word.word}${cell.total ? ` · ${cell.ready} of ${cell.total} shards` : ""}`
    : cell.disabled ? "disabled" : newest && newest !== cell.current_version ? `${newest} available` : "newest";
  return (
    <Link ref={flash} data-cell tabIndex={reachable ? 0 : -1} to={cell.upgrade_id && moving ? `/upgrades/${cell.upgrade_id}` : `/d/${cell.service}/${cell.region}`}
      onClick={(event) => { if (event.ctrlKey || event.metaKey) { event.preventDefault(); onSelect(); } }}
      className={`cell ${chosen ? "chosen" : ""} ${moving || cell.disabled ? `soft-${word.tone}` : ""}`}>
      <span className="unseen">{chosen ? "selected, " : ""}{cell.service} in {cell.region}, {word.word}: </span>
      {moving && cell.total ? <Ring ready={cell.ready} total={cell.total} tone={word.tone} /> : <Shape tone={word.tone} />}
      <span className="cell-text">
        {moving ? <Versions from={cell.current_version} to={cell.target_version} /> : <Version of={cell.current_version} as={newest === cell.current_version ? "new" : "old"} />}
        <small>{note}{cell.automatic && moving ? " · automatic" : ""}</small>
      </span>
    </Link>
  );
}

function walk(event: KeyboardEvent<HTMLDivElement>, onSelect: (name: string) => void): void {
  const here = document.activeElement?.closest<HTMLElement>("[data-at]");
  if (!here) return;
  const [row = 0, column = 0] = (here.dataset["at"] ?? "").split(",").map(Number);
  if (event.key === " " || (event.key === "x" && letterKeys.get())) {
    event.preventDefault();
    const name = here.dataset["name"];
    if (name) onSelect(name);
    return;
  }
  const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  // Places without a deployment are stepped over.
  for (let [r, c] = [row + step[0], column + step[1]]; r >= 0 && c >= 0; r += step[0], c += step[1]) {
    const next = event.currentTarget.querySelector<HTMLElement>(`[data-at="${r},${c}"]`);
    if (!next) return;
    const link = next.querySelector<HTMLElement>("[data-cell]");
    if (link) {
      if (event.shiftKey) for (const cell of [here, next]) if (cell.getAttribute("aria-selected") !== "true") onSelect(cell.dataset["name"] ?? "");
      link.focus();
      return;
    }
  }
}

function Row({ service, regions, places, at, first, selected, onSelect }: { service: FleetService; regions: Region[]; places: Map<string, Cell>; at: number; first: string; selected: ReadonlySet<string>; onSelect: (name: string) => void }) {
  return (
    <>
      <div role="rowheader" className="service-name">
        <b className="clip" title={service.name}>{service.name}</b>
        <small className="muted clip">rank {service.rank}{service.display_name && service.display_name !== service.name ? ` · ${service.display_name}` : ""}</small>
      </div>
      {regions.map((region, column) => {
        const cell = places.get(`${service.name} ${region.name}`);
        return (
          <div role="gridcell" key={region.name} data-at={`${at},${column}`} data-name={cell?.name ?? ""} aria-selected={cell ? selected.has(cell.name) : false}>
            {cell ? <CellView cell={cell} service={service} reachable={cell.name === first} chosen={selected.has(cell.name)} onSelect={() => onSelect(cell.name)} /> : <span className="muted small absent">not deployed</span>}
          </div>
        );
      })}
    </>
  );
}

/** Services down, regions across; one cell is one deployment. */
export function Matrix({ services, regions, places, selected, onSelect }: { services: FleetService[]; regions: Region[]; places: Map<string, Cell>; selected: ReadonlySet<string>; onSelect: (name: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: services.length, getScrollElement: () => box.current, estimateSize: () => ROW_HEIGHT, overscan: 8, enabled: services.length > VIRTUAL_FROM });
  const columns = { gridTemplateColumns: `minmax(190px, 1.1fr) repeat(${regions.length}, minmax(172px, 1fr))` };
  const first = services.flatMap((service) => regions.map((region) => places.get(`${service.name} ${region.name}`))).find((cell) => cell !== undefined)?.name ?? "";
  const rows = services.length > VIRTUAL_FROM
    ? virtual.getVirtualItems().map((item) => ({ at: item.index, style: { position: "absolute" as const, top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)`, ...columns } }))
    : services.map((_, at) => ({ at, style: columns }));
  return (
    <div ref={box} className="matrix scroll" role="grid" tabIndex={-1} aria-multiselectable="true" aria-label="Deployments by service and region" aria-rowcount={services.length + 1} aria-colcount={regions.length + 1} onKeyDown={(event) => walk(event, onSelect)}>
      <div role="row" className="matrix-row matrix-head" style={columns}>
        <div role="columnheader">Service</div>
        {regions.map((region) => <div role="columnheader" key={region.name}>{region.name}{region.title && region.title !== region.name ? <small> {region.title}</small> : null}</div>)}
      </div>
      <div role="rowgroup" className="matrix-body" style={services.length > VIRTUAL_FROM ? { height: virtual.getTotalSize() } : {}}>
        {rows.map(({ at, style }) => {
          const service = services[at];
          return service ? <div role="row" key={service.name} className="matrix-row" style={style} aria-rowindex={at + 2}><Row service={service} regions={regions} places={places} at={at} first={first} selected={selected} onSelect={onSelect} /></div> : null;
        })}
      </div>
    </div>
  );
}
