import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../../api/client";
import { useFleet } from "../../../api/queries";
import { Card } from "../../../parts/Page";
import { DataTable } from "../../../parts/tables/DataTable";
import { Time } from "../../../time/Time";
import type { Cell } from "../../../wire/model";
import { useUsage } from "../consumer";
import { rich, t } from "../../../words/text";

function Regions({ cells }: { cells: readonly Cell[] }) {
  if (cells.length === 0) return <span className="muted">{t`none`}</span>;
  return (
    <span className="row wrap tight">
      {cells.slice(0, 30).map((cell) => (
        <Link key={cell.name} to={`/d/${cell.service}/${cell.region}`}>
          {cell.region}
        </Link>
      ))}
      {cells.length > 30 ? <span className="muted">{rich`and ${cells.length - 30} more`}</span> : null}
    </span>
  );
}

/** Who runs the older version, is built on it, or was seen to call it: they meet the differences. */
export function Affected({ service, before }: { service: string; before: string }) {
  const cells = useFleet().data?.cells ?? [];
  const known = useQuery({
    queryKey: ["services", service],
    queryFn: ({ signal }) => read("/services/{name}", { path: { name: service }, signal }),
  });
  const usage = useUsage(service, before).data;
  const serving = (of: string, version: string): Cell[] =>
    cells.filter((cell) => cell.service === of && cell.current_version === version);
  const importers = known.data?.imported_by.filter((each) => each.version === before) ?? [];
  const clients = usage?.versions.find((each) => each.version === before)?.clients ?? [];
  return (
    <Card title={t`Who is affected`}>
      <h3>{rich`Deployments serving ${before} now`}</h3>
      <p className="small">
        <Regions cells={serving(service, before)} />
      </p>
      <h3>{rich`Services that import ${before}`}</h3>
      {importers.length ? (
        <DataTable
          label={t`Importers`}
          rows={importers}
          rowKey={(each) => `${each.service} ${each.for_version}`}
          columns={[
            {
              header: t`Service`,
              isRowHeader: true,
              cell: (each) => <Link to={`/versions/${each.service}`}>{each.service}</Link>,
            },
            { header: t`Importer version`, cell: (each) => each.for_version },
            { header: t`Served in`, cell: (each) => <Regions cells={serving(each.service, each.for_version)} /> },
          ]}
        />
      ) : (
        <p className="small muted">{t`None.`}</p>
      )}
      <h3>{rich`Clients with calls${usage ? t` in ${usage.days} days` : ""}`}</h3>
      {clients.length ? (
        <DataTable
          label={t`Clients`}
          rows={clients}
          rowKey={(each) => `${each.client} ${each.release}`}
          columns={[
            {
              header: t`Client`,
              isRowHeader: true,
              cell: (each) => (
                <>
                  {each.client} <span className="muted">{each.release}</span>
                </>
              ),
            },
            {
              header: t`Calls`,
              align: "end",
              cell: (each) => each.methods.reduce((sum, use) => sum + use.messages, 0),
            },
            { header: t`Last call`, cell: (each) => <Time at={each.last_seen} /> },
          ]}
        />
      ) : (
        <p className="small muted">{t`None.`}</p>
      )}
    </Card>
  );
}
