import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { Shape } from "../../parts/Shape";
import { Versions } from "../../parts/Status";
import { shortService } from "../../parts/status";
import type { Cell, FleetService, Region } from "../../wire/model";
import { cellWord, isMoving } from "./fleet";
import { mapLayoutOf, type PlacedCell } from "./mapLayout";

const BUDGET = 300;
const [WIDE, HIGH, NODE, TALL, LEFT] = [250, 62, 190, 48, 120];

const x = (node: PlacedCell): number => LEFT + node.column * WIDE;
const y = (node: PlacedCell): number => 8 + node.row * HIGH;

/** From who imports, on the right, back to what is imported, on the left. */
function edgePath(from: PlacedCell, to: PlacedCell): string {
  const [x1, y1, x2, y2] = [x(from), y(from) + TALL / 2, x(to) + NODE, y(to) + TALL / 2];
  const bend = (x1 - x2) / 2;
  return `M${x1} ${y1} C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}`;
}

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
  return (
    <>
      {drawn.hidden ? (
        <div className="notice soft-wait map-notice">
          <Shape tone="wait" /> Showing {drawn.nodes.length} of {drawn.nodes.length + drawn.hidden} deployments, running
          upgrades first.{" "}
          <Button size="xs" onClick={onTable}>
            Show as table
          </Button>
        </div>
      ) : null}
      <div
        className="scroll fleet-map"
        role="region"
        aria-label="Deployments by region and rank, with what they import"
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
            {drawn.lines.map(({ from, to }) => (
              <path
                key={`${from.cell.name} ${to.cell.name}`}
                d={edgePath(from, to)}
                className={at === from.cell.name || at === to.cell.name ? "near" : ""}
              />
            ))}
          </svg>
          <ul aria-label="Deployments">
            {drawn.nodes.map((node) => {
              const { cell } = node;
              const word = cellWord(cell);
              const imports = drawn.lines
                .filter((line) => line.from === node)
                .map((line) => shortService(line.to.cell.service));
              return (
                <li key={cell.name} style={{ left: x(node), top: y(node), width: NODE, height: TALL }}>
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
                      <Versions from={cell.current_version} to={isMoving(cell) ? cell.target_version : null} />
                    </span>
                    <span className="unseen">
                      in {cell.region}, {word.word}
                      {imports.length ? `, imports ${imports.join(", ")}` : ""}
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
