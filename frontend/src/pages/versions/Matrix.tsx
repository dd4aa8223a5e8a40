import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { Card } from "../../parts/Page";
import { Status } from "../../parts/Status";
import type { Column } from "../../parts/tables/columns";
import { DataTable } from "../../parts/tables/DataTable";
import type { ServicePage } from "../../wire/model";
import { type Report, verdicts } from "./report/report";
import { t } from "../../words/text";

const MOST = 5;

type Answer = Pick<UseQueryResult<Report>, "data" | "isError">;

/** The verdict of one pair of versions, which leads to its report. */
function PairVerdict({
  at,
  answer,
}: {
  at: { service: string; before: string; after: string };
  answer?: Answer | undefined;
}) {
  const { service, before, after } = at;
  const address = `/compat/${service}/${before}..${after}`;
  if (!answer) return <span className="muted">–</span>;
  if (answer.data)
    return (
      <Link to={address} aria-label={t`Report of ${before} to ${after}: ${verdicts[answer.data.verdict].word}`}>
        <Status of={verdicts[answer.data.verdict]} />
      </Link>
    );
  return answer.isError ? <Link to={address}>{t`no report`}</Link> : <span className="muted">{t`reading…`}</span>;
}

function Consumers({ before, importedBy }: { before: string; importedBy: ServicePage["imported_by"] }) {
  return (
    <>
      {before}
      {importedBy
        .filter((importer) => importer.version === before)
        .map(({ service, for_version: version }) => (
          <div key={`${service} ${version}`} className="small muted">
            {service} {version}
          </div>
        ))}
    </>
  );
}

/** What a client of one version meets where another version is served; each cell leads to its report. */
export function VersionMatrix({
  service,
  versions,
  importedBy = [],
}: {
  service: string;
  versions: readonly string[];
  importedBy?: ServicePage["imported_by"];
}) {
  const shown = versions.slice(-MOST);
  const pairs = shown.flatMap((before, row) =>
    shown.flatMap((after, column) => (column > row ? [{ before, after }] : [])),
  );
  const result = useQueries({
    queries: pairs.map((pair) => ({
      queryKey: ["compatibility", service, { ...pair, client: "filter", server: "strict", policy: "no-loss" }],
      queryFn: () =>
        read("/services/{name}/compatibility", { path: { name: service }, query: { ...pair, client: "filter" } }),
      staleTime: 60_000,
      retry: false,
    })),
  });
  if (versions.length < 2) return null;
  const answerOf = (before: string, after: string): Answer | undefined =>
    result[pairs.findIndex((pair) => pair.before === before && pair.after === after)];
  return (
    <Card title={t`Compatibility`} aside={t`rows: consumer versions and importers · columns: served versions`}>
      <DataTable
        label={t`Compatibility by version`}
        isFit
        rows={shown.slice(0, -1)}
        rowKey={(before) => before}
        columns={[
          {
            header: t`Consumers of`,
            isRowHeader: true,
            cell: (before) => <Consumers before={before} importedBy={importedBy} />,
          },
          ...shown.slice(1).map((after): Column<string> => ({
            header: t`served ${after}`,
            cell: (before) => <PairVerdict at={{ service, before, after }} answer={answerOf(before, after)} />,
          })),
        ]}
      />
    </Card>
  );
}
