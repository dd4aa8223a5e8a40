import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { download } from "../../../parts/download";
import { Version } from "../../../parts/Status";
import type { ReferenceEdge } from "../../../wire/references";
import { kindWords } from "./graph";
import { isHidden, ResourceName, place } from "../Parts";
import { plural, t } from "../../../words/text";

/** As high as a row of one line; what breaks into more is measured. */
const ROW_HEIGHT = 41;
const COLUMNS = 6;

function csv(edges: readonly ReferenceEdge[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [
    ["source", "target", "kind", "path", "version"],
    ...edges.map((edge) => [edge.source, edge.target, edge.kind, edge.path, edge.version]),
  ]
    .map((row) => row.map(cell).join(","))
    .join("\n");
}

/** Every reference as a row; only the rows in sight exist, so thousands scroll like ten. */
export function EdgeTable({ edges, label }: { edges: readonly ReferenceEdge[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: edges.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
    measureElement: (row) => row.getBoundingClientRect().height || ROW_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      <div ref={box} className="scroll edge-table" role="region" aria-label={label} tabIndex={0}>
        <table className="table" aria-rowcount={edges.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">{t`Refers`}</th>
              <th scope="col">{t`To`}</th>
              <th scope="col">{t`Rule`}</th>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Deployment`}</th>
              <th scope="col">{t`Version`}</th>
            </tr>
          </thead>
          <tbody>
            {above > 0 ? (
              <tr aria-hidden="true" style={{ height: above }}>
                <td colSpan={COLUMNS} />
              </tr>
            ) : null}
            {items.map((item) => {
              const edge = edges[item.index];
              if (!edge) return null;
              const [from, to] = [place(edge.source), place(edge.target)];
              return (
                <tr
                  key={`${edge.source} ${edge.target} ${edge.kind} ${edge.path}`}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  aria-rowindex={item.index + 2}
                >
                  <th scope="row" className="break">
                    <ResourceName id={edge.source} />
                  </th>
                  <td className="break">{isHidden(edge.target) ? <ResourceName id={edge.target} /> : to.name}</td>
                  <td className="top">
                    <span className={edge.kind === "BLOCK" ? "ink-bad" : ""}>{kindWords[edge.kind]}</span>
                  </td>
                  <td className="mono small break">{edge.path}</td>
                  <td>
                    {from.service} @ {from.region}
                  </td>
                  <td className="top">
                    <Version of={edge.version} />
                  </td>
                </tr>
              );
            })}
            {below > 0 ? (
              <tr aria-hidden="true" style={{ height: below }}>
                <td colSpan={COLUMNS} />
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      <div className="row wrap more">
        <span className="small muted">{plural(edges.length, "# reference", "# references")}</span>
        <Button size="xs" variant="subtle" onClick={() => download("references.csv", csv(edges), "text/csv")}>
          {t`CSV`}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => download("references.json", JSON.stringify(edges, null, 2))}>
          {t`JSON`}
        </Button>
      </div>
    </>
  );
}
