import { Button } from "@mantine/core";
import { download } from "../../../parts/tables/download";
import { Version } from "../../../parts/Status";
import type { Column } from "../../../parts/tables/columns";
import { VirtualTable } from "../../../parts/tables/VirtualTable";
import type { ReferenceEdge } from "../../../wire/references";
import { kindWords } from "./graph";
import { isHidden, ResourceName, place } from "../Parts";
import { plural, t } from "../../../words/text";

/** As high as a row of one line; what breaks into more is measured. */
const ROW_HEIGHT = 41;

function csv(edges: readonly ReferenceEdge[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [
    ["source", "target", "kind", "path", "version"],
    ...edges.map((edge) => [edge.source, edge.target, edge.kind, edge.path, edge.version]),
  ]
    .map((row) => row.map(cell).join(","))
    .join("\n");
}

const columns: Column<ReferenceEdge>[] = [
  { header: t`Refers`, isRowHeader: true, className: "break", cell: (edge) => <ResourceName id={edge.source} /> },
  {
    header: t`To`,
    className: "break",
    cell: (edge) => (isHidden(edge.target) ? <ResourceName id={edge.target} /> : place(edge.target).name),
  },
  {
    header: t`Rule`,
    className: "top",
    cell: (edge) => <span className={edge.kind === "BLOCK" ? "ink-bad" : ""}>{kindWords[edge.kind]}</span>,
  },
  { header: t`Field`, className: "mono small break", cell: (edge) => edge.path },
  {
    header: t`Deployment`,
    cell: (edge) => {
      const { service, region } = place(edge.source);
      return `${service} @ ${region}`;
    },
  },
  { header: t`Version`, className: "top", cell: (edge) => <Version of={edge.version} /> },
];

/** Every reference as a row. */
export function EdgeTable({ edges, label }: { edges: readonly ReferenceEdge[]; label: string }) {
  return (
    <>
      <VirtualTable
        label={label}
        boxClass="edge-table"
        columns={columns}
        rows={edges}
        rowKey={(edge) => `${edge.source} ${edge.target} ${edge.kind} ${edge.path}`}
        rowHeight={ROW_HEIGHT}
        isMeasured
      />
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
