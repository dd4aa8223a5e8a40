import { Card } from "../../../parts/Page";
import { shortService } from "../../../parts/status";
import type { Column } from "../../../parts/tables/columns";
import { DataTable } from "../../../parts/tables/DataTable";
import type { References } from "../../../wire/references";
import { counts } from "./graph";
import { t } from "../../../words/text";

/** Who refers to whom, in numbers. */
export function Counts({ graph }: { graph: References }) {
  const { services, at } = counts(graph);
  return (
    <Card title={t`References between services`} aside={t`rows: referrers · columns: targets`}>
      <DataTable
        label={t`References between services`}
        isFit
        rows={services}
        rowKey={(from) => from}
        columns={[
          { header: t`From`, isRowHeader: true, cellTitle: (from) => from, cell: shortService },
          ...services.map((to): Column<string> => ({
            header: shortService(to),
            headerTitle: to,
            align: "end",
            cell: (from) => at(from, to) || <span className="muted">–</span>,
          })),
        ]}
      />
    </Card>
  );
}
