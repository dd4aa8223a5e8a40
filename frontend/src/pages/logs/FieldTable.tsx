import type { FieldChange } from "./fields";
import { DataTable } from "../../parts/tables/DataTable";
import { t } from "../../words/text";

/** Fields with what they were and what they are. */
export function FieldTable({ of, heads = [t`Before`, t`After`] }: { of: FieldChange[]; heads?: [string, string] }) {
  if (of.length === 0) return <p className="muted small">{t`No field differs.`}</p>;
  return (
    <DataTable
      label={t`Changed fields`}
      isBoxed={false}
      isDense
      rows={of}
      rowKey={(change) => change.field}
      columns={[
        { header: t`Field`, isRowHeader: true, className: "mono", cell: (change) => change.field },
        { header: heads[0], className: "mono break", cell: (change) => change.before || "–" },
        { header: heads[1], className: "mono break", cell: (change) => change.after || "–" },
      ]}
    />
  );
}
