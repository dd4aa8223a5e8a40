import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { address, read } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton, permitted } from "../../parts/ActionButton";
import { downloadLink } from "../../parts/tables/download";
import { Card } from "../../parts/Page";
import { ProblemPanel } from "../../parts/states";
import { countText } from "../../parts/status";
import { Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { Deployment } from "../../wire/model";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";

export type KeptType = components["schemas"]["KeptType"];

/** The server notes an export when its last line was sent; until then the rows are read again. */
const POLL_MILLISECONDS = 2000;

/** Whether all that is stored of a type was exported as it is. */
export function exportWord({ exported, export: newest, stored }: KeptType): string {
  if (exported === null) return t`Unknown whether exported: the data cannot be read now`;
  if (newest === null) return stored === 0 ? t`Nothing to export` : t`Not exported`;
  return exported ? t`Exported` : t`Written since the export`;
}

/** Whether all of a type was exported, and by whom last. */
function ExportState({ of, isWaiting }: { of: KeptType; isWaiting: boolean }) {
  return (
    <>
      <span role="status">
        {isWaiting ? t`Export started; it is noted here once all of it was sent.` : exportWord(of)}
      </span>
      {of.export && !isWaiting ? (
        <div className="small muted">
          {rich`${countText(of.export.resources)} by ${of.export.by}, ${(<Time at={of.export.at} />)}`}
        </div>
      ) : null}
    </>
  );
}

function ExportButton({ of, onExport }: { of: KeptType; onExport: () => void }) {
  const permissions = useAccount()?.permissions ?? [];
  return (
    <ActionButton
      of={permitted(permissions, "resource.write", t`Exporting requires permission to write resources.`)}
      small
      onAct={onExport}
    >
      {rich`Export ${of.type}`}
    </ActionButton>
  );
}

const keyOf = (of: KeptType): string => `${of.type}@${of.version}`;
const exportAddress = (service: string, region: string, { type, version }: KeptType): string =>
  address("/deployments/{service}/{region}/kept-types/{type}/{version}/export", {
    path: { service, region, type, version },
  });
const exportedAt = (of: KeptType): string => of.export?.at ?? "";

/** Types that only an earlier version serves: how many resources there are, and their export before it retires. */
export function KeptTypes({ of }: { of: Deployment }) {
  const { service, region } = of;
  const mayRead = useAccount()?.permissions.includes("resource.read") ?? false;
  // By type, when the export before the one that was started here was noted.
  const [started, setStarted] = useState<Record<string, string>>({});
  const isWaiting = (row: KeptType): boolean => started[keyOf(row)] === exportedAt(row);
  const kept = useQuery({
    queryKey: ["kept-types", of.name],
    queryFn: ({ signal }) => read("/deployments/{service}/{region}/kept-types", { path: { service, region }, signal }),
    enabled: mayRead,
    refetchInterval: (query) => (query.state.data?.items.some(isWaiting) ? POLL_MILLISECONDS : false),
  });
  const rows = kept.data?.items ?? [];
  if (rows.length === 0 && !kept.isError) return null;
  return (
    <Card title={t`Kept types`} aside={t`A version retires after its kept types were exported.`}>
      {kept.isError ? <ProblemPanel error={kept.error} retry={() => void kept.refetch()} /> : null}
      {rows.length ? (
        <DataTable
          label={t`Kept types`}
          rows={rows}
          rowKey={keyOf}
          columns={[
            { header: t`Type`, isRowHeader: true, cell: (row) => row.type },
            { header: t`Served by`, cell: (row) => <Version of={row.version} /> },
            { header: t`Missing in`, cell: (row) => <Version of={row.without} /> },
            {
              header: t`Stored resources`,
              align: "end",
              cell: (row) => (row.stored === null ? t`unknown` : countText(row.stored)),
            },
            { header: t`Export`, cell: (row) => <ExportState of={row} isWaiting={isWaiting(row)} /> },
            {
              header: t`Action`,
              isHeaderUnseen: true,
              cell: (row) => (
                <ExportButton
                  of={row}
                  onExport={() => {
                    setStarted({ ...started, [keyOf(row)]: exportedAt(row) });
                    downloadLink(`${keyOf(row)}.jsonl`, exportAddress(service, region, row));
                  }}
                />
              ),
            },
          ]}
        />
      ) : null}
    </Card>
  );
}
