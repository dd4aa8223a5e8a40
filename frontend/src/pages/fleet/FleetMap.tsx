import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { Shape } from "../../parts/Shape";
import { Versions } from "../../parts/Status";
import { shortService } from "../../parts/status";
import type { Cell, FleetService, Region } from "../../wire/model";
import { cellWord, isMoving, newestOf } from "./fleet";
import { mapLayoutOf } from "./mapLayout";
import { headOf, HIGH, LEFT, NODE, pathOf, routesOf, TALL, WIDE, xOf, yOf } from "./mapRoutes";
import { rich, t } from "../../words/text";

const BUDGET = 300;

/** The fleet as lanes: a lane for each region, what is imported left of who imports it. */
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
  const drawn = mapLayoutOf(services, regions, cells, BUDGET);
  const routes = routesOf(drawn);
  const newest = new Map(services.map((service) => [service.name, newestOf(service)]));
  return (
    <>
      {drawn.hidden ? (
        <div className="notice soft-wait map-notice">
          <Shape tone="wait" />{" "}
          {rich`Showing ${drawn.nodes.length} of ${drawn.nodes.length + drawn.hidden} deployments, running
            upgrades first.`}{" "}
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
        <div className="fleet-map-field" style={{ width: LEFT + drawn.columns * WIDE, height: drawn.rows * HIGH + 16 }}>
          {drawn.seriesList.map((series) => (
            <div
              key={series.region}
              className="fleet-map-column"
              style={{ top: series.row * HIGH + 4, height: series.rows * HIGH }}
            >
              <b>{series.region}</b>
            </div>
          ))}
          <svg width="100%" height="100%" aria-hidden="true">
            {routes.map((route) => (
              <g
                key={`${route.from.cell.name} ${route.to.cell.name}`}
                className={at === route.from.cell.name || at === route.to.cell.name ? "near" : ""}
              >
                <path d={pathOf(route)} />
                <polygon points={headOf(route)} />
              </g>
            ))}
          </svg>
          <ul aria-label={t`Deployments`}>
            {drawn.nodes.map((node) => {
              const { cell } = node;
              const word = cellWord(cell);
              const imports = drawn.lines
                .filter((line) => line.from === node)
                .map((line) => shortService(line.to.cell.service));
              return (
                <li key={cell.name} style={{ left: xOf(node), top: yOf(node), width: NODE, height: TALL }}>
                  <Link
                    to={
                      cell.upgrade_id && isMoving(cell)
                        ? `/upgrades/${cell.upgrade_id}`
                        : `/d/${cell.service}/${cell.region}`
                    }
                    className={`cell ${isMoving(cell) || cell.disabled ? `soft-${word.tone}` : ""}`}
                    onMouseEnter={() => look(cell.name)}
                    onMouseLeave={() => look("")}
                    onFocus={() => look(cell.name)}
                    onBlur={() => look("")}
                  >
                    <Shape tone={word.tone} />
                    <span className="cell-text">
                      <b className="clip" title={cell.service}>
                        {shortService(cell.service)}
                      </b>
                      <Versions
                        from={cell.current_version}
                        to={isMoving(cell) ? cell.target_version : null}
                        newest={newest.get(cell.service) ?? ""}
                      />
                    </span>
                    <span className="unseen">
                      {rich`in ${cell.region}, ${word.word}${imports.length ? `, imports ${imports.join(", ")}` : ""}`}
                    </span>
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      </div>
    </>
  );
}
