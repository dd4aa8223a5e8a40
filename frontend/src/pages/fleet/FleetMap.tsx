import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useFilters } from "../../parts/search";
import { Shape, type Tone } from "../../parts/Shape";
import { Versions } from "../../parts/Status";
import { shortService } from "../../parts/status";
import type { Cell, FleetService, Region } from "../../wire/model";
import { plural, rich, t } from "../../words/text";
import { attentionOf, cellWord, isMoving, newestOf, versionsBehind } from "./fleet";
import { groupNames, labelKeys } from "./groups";
import { type MapLayout, mapLayoutOf, type MapLine, type MapNode } from "./mapLayout";
import { fieldWidthOf, headOf, HIGH, type MapRoute, NODE, pathOf, routesOf, TALL, xOf, yOf } from "./mapRoutes";

const BUDGET = 300;
function importText(line: MapLine): string {
  const name = line.to.group || shortService(line.to.cells[0].service);
  const versions = line.versions.join(", ");
  const text = versions ? `${name} ${versions}` : t`${name}, version not declared`;
  return line.ahead ? t`${text} (newer than what is served)` : text;
}

interface Looking {
  onMouseEnter: () => void;
  onMouseLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
}

/** One deployment: a link to its upgrade, or to itself. */
function CellNode({ cell, newest, imports, over }: { cell: Cell; newest: string; imports: string[]; over: Looking }) {
  const word = cellWord(cell);
  const moving = isMoving(cell);
  return (
    <Link
      to={cell.upgrade_id && moving ? `/upgrades/${cell.upgrade_id}` : `/d/${cell.service}/${cell.region}`}
      className={`cell ${moving || cell.disabled ? `soft-${word.tone}` : ""}`}
      {...over}
    >
      <Shape tone={word.tone} />
      <span className="cell-text">
        <b className="clip" title={cell.service}>
          {shortService(cell.service)}
        </b>
        <Versions from={cell.current_version} to={moving ? cell.target_version : null} newest={newest} />
      </span>
      <span className="unseen">
        {t`in ${cell.region}, ${word.word}`}
        {imports.length ? t`, imports ${imports.join(", ")}` : ""}
      </span>
    </Link>
  );
}

/** Several deployments of one tier and region: a button that draws them one by one. */
function GroupNode({
  node,
  behind,
  imports,
  over,
  onOpen,
}: {
  node: MapNode;
  behind: (cell: Cell) => number;
  imports: string[];
  over: Looking;
  onOpen: () => void;
}) {
  const worst = [...node.cells].sort((one, other) => attentionOf(other, behind) - attentionOf(one, behind))[0];
  const tone: Tone = worst ? cellWord(worst).tone : "ok";
  const old = node.cells.filter((cell) => behind(cell) > 0).length;
  return (
    <button type="button" className={`cell group ${tone === "ok" ? "" : `soft-${tone}`}`} onClick={onOpen} {...over}>
      <Shape tone={tone} />
      <span className="cell-text">
        <b className="clip" title={node.group}>
          {node.group}
        </b>
        <small>
          {plural(node.cells.length, "# deployment", "# deployments")}
          {old ? t` · ${old} behind` : ""}
        </small>
      </span>
      <span className="unseen">
        {t`in ${node.cells[0].region}; show one by one`}
        {imports.length ? t`, imports ${imports.join(", ")}` : ""}
      </span>
    </button>
  );
}

function Routes({ routes, at }: { routes: readonly MapRoute[]; at: string }) {
  return (
    <svg width="100%" height="100%" aria-hidden="true">
      {routes.map((route) => {
        const near = at === route.from.key || at === route.to.key;
        return (
          <g key={`${route.from.key} ${route.to.key}`} className={near ? "near" : ""}>
            <path d={pathOf(route)} />
            <polygon points={headOf(route)} />
            {route.label ? (
              <text x={route.label.x} y={route.label.y} className={route.line.ahead ? "ahead" : ""}>
                {route.label.text}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

function Boxes({
  drawn,
  services,
  onLook,
  onOpen,
}: {
  drawn: MapLayout;
  services: FleetService[];
  onLook: (key: string) => void;
  onOpen: (key: string) => void;
}) {
  const newest = new Map(services.map((service) => [service.name, newestOf(service)]));
  const behind = versionsBehind(services);
  return (
    <ul aria-label={t`Deployments`}>
      {drawn.nodes.map((node) => {
        const imports = drawn.lines.filter((line) => line.from === node).map(importText);
        const over: Looking = {
          onMouseEnter: () => onLook(node.key),
          onMouseLeave: () => onLook(""),
          onFocus: () => onLook(node.key),
          onBlur: () => onLook(""),
        };
        const [cell] = node.cells;
        return (
          <li key={node.key} style={{ left: xOf(node), top: yOf(node), width: NODE, height: TALL }}>
            {node.group ? (
              <GroupNode node={node} behind={behind} imports={imports} over={over} onOpen={() => onOpen(node.key)} />
            ) : (
              <CellNode cell={cell} newest={newest.get(cell.service) ?? ""} imports={imports} over={over} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The fleet as lanes: a lane for each region, what is imported left of who imports it; a large fleet in groups. */
export function FleetMap({
  services,
  regions,
  cells,
  onTable,
}: {
  services: FleetService[];
  regions: Region[];
  cells: Cell[];
  onTable: () => void;
}) {
  const [at, look] = useState("");
  const { filters, put } = useFilters(["group", "open"]);
  const keys = labelKeys(cells);
  const usual = cells.length > BUDGET ? "tier" : "none";
  const by = [...keys, "tier", "none"].includes(filters.group) ? filters.group : usual;
  const opened = new Set(filters.open.split(",").filter(Boolean));
  const groups = by === "none" ? null : groupNames(services, cells, by);
  const drawn = mapLayoutOf(services, regions, cells, { budget: BUDGET, groups, opened });
  const routes = routesOf(drawn);
  const shown = drawn.nodes.reduce((sum, node) => sum + node.cells.length, 0);
  return (
    <>
      <div className="row wrap map-bar">
        <NativeSelect
          size="xs"
          aria-label={t`Group by`}
          value={by}
          onChange={(event) =>
            put([
              ["group", event.currentTarget.value === usual ? "" : event.currentTarget.value],
              ["open", ""],
            ])
          }
          data={[
            { value: "none", label: t`no groups` },
            { value: "tier", label: t`by tier` },
            ...keys.map((key) => ({ value: key, label: t`by ${key}` })),
          ]}
        />
        {opened.size ? (
          <Button size="xs" variant="subtle" onClick={() => put([["open", ""]])}>
            {t`Collapse all`}
          </Button>
        ) : null}
        <span className="small muted">{t`An arrow leads to what is imported; the versions stand at its beginning.`}</span>
      </div>
      {drawn.hidden ? (
        <div className="notice soft-wait map-notice">
          <Shape tone="wait" /> {rich`Showing ${shown} of ${shown + drawn.hidden} deployments, running upgrades first.`}{" "}
          <Button size="xs" onClick={onTable}>
            {t`Show as table`}
          </Button>
        </div>
      ) : null}
      <div
        className="scroll fleet-map"
        role="region"
        aria-label={t`Deployments by region and tier, with what they import`}
        tabIndex={0}
      >
        <div
          className="fleet-map-field"
          style={{ width: fieldWidthOf(drawn.columns, routes), height: drawn.rows * HIGH + 16 }}
        >
          {drawn.seriesList.map((series) => (
            <div
              key={series.region}
              className="fleet-map-column"
              style={{ top: series.row * HIGH + 4, height: series.rows * HIGH }}
            >
              <b>{series.region}</b>
            </div>
          ))}
          <Routes routes={routes} at={at} />
          <Boxes
            drawn={drawn}
            services={services}
            onLook={look}
            onOpen={(key) => put([["open", [...opened, key].join(",")]])}
          />
        </div>
      </div>
    </>
  );
}
