import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useFleet } from "../../api/queries";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import type { Column } from "../../parts/tables/columns";
import { DataTable } from "../../parts/tables/DataTable";
import { byAge } from "../../parts/versions";
import type { Cell, Deployment, ServicePage } from "../../wire/model";
import { VersionMatrix } from "../versions/Matrix";
import { verdicts } from "../versions/report/report";
import { t } from "../../words/text";

/** What a client of one version meets where another is served; leads to the report. */
export function Verdict({ service, before, after }: { service: string; before: string; after: string }) {
  const query = { before, after, client: "filter", server: "strict", policy: "no-loss" } as const;
  const result = useQuery({
    queryKey: ["compatibility", service, query],
    queryFn: ({ signal }) => read("/services/{name}/compatibility", { path: { name: service }, query, signal }),
    enabled: before !== after && before !== "" && after !== "",
    staleTime: 60_000,
    retry: false,
  });
  if (before === "" || after === "") return <span className="muted">{t`no version served`}</span>;
  if (before === after) return <Status of={{ tone: "ok", word: t`same version` }} />;
  if (result.isPending) return <span className="muted">{t`reading…`}</span>;
  return (
    <Link
      to={`/compat/${service}/${before}..${after}`}
      aria-label={t`Report of ${service} ${before} to ${after}: ${result.data ? verdicts[result.data.verdict].word : t`none`}`}
    >
      {result.data ? <Status of={verdicts[result.data.verdict]} /> : t`no report`}
    </Link>
  );
}

function AsConsumer({ of }: { of: Deployment }) {
  return (
    <Card title={t`As consumer: imported versions and served versions`}>
      {of.imported_versions.length ? (
        <DataTable
          label={t`As consumer`}
          rows={of.imported_versions}
          rowKey={(each) => `${each.service} ${each.version}`}
          columns={[
            {
              header: t`Service`,
              isRowHeader: true,
              cell: (each) => <Link to={`/versions/${each.service}`}>{each.service}</Link>,
            },
            { header: t`Imported version`, cell: (each) => <Version of={each.version} /> },
            { header: t`Served version`, cell: (each) => <Version of={each.current_version} /> },
            {
              header: t`Verdict`,
              cell: (each) => (
                <Verdict service={each.service} before={each.version} after={each.current_version ?? ""} />
              ),
            },
          ]}
        />
      ) : (
        <Empty title={t`No imports.`} />
      )}
    </Card>
  );
}

type Importer = ServicePage["imported_by"][number];

/** When a version is served, or will be. */
function servedAs(version: string, of: Deployment): string {
  if (version === of.current_version) return t`Served version`;
  return version === of.target_version ? t`After the upgrade` : t`Newest`;
}

/** Where an importer runs in the version that imports. */
function Regions({ cells, importer }: { cells: readonly Cell[]; importer: Importer }) {
  const regions = cells
    .filter((cell) => cell.service === importer.service && cell.current_version === importer.for_version)
    .map((cell) => cell.region);
  if (regions.length === 0) return <span className="muted">{t`none`}</span>;
  return regions.length > 4 ? t`${regions.slice(0, 4).join(", ")} and ${regions.length - 4} more` : regions.join(", ");
}

function AsProvider({ of }: { of: Deployment }) {
  const known = useQuery({
    queryKey: ["services", of.service],
    queryFn: ({ signal }) => read("/services/{name}", { path: { name: of.service }, signal }),
  });
  const cells = useFleet().data?.cells ?? [];
  const served = [...new Set([of.current_version, of.target_version || of.newest_version])].filter(Boolean) as string[];
  return (
    <Card title={t`As provider: importers and served versions`}>
      <Loaded of={known} lines={3}>
        {({ imported_by }) =>
          imported_by.length === 0 ? (
            <Empty title={t`No importers.`} />
          ) : (
            <DataTable
              label={t`As provider`}
              rows={imported_by}
              rowKey={(row) => `${row.service} ${row.for_version} ${row.version}`}
              columns={[
                {
                  header: t`Importer`,
                  isRowHeader: true,
                  cell: (row) => <Link to={`/versions/${row.service}`}>{row.service}</Link>,
                },
                { header: t`Importer version`, cell: (row) => <Version of={row.for_version} /> },
                { header: t`Runs in`, cell: (row) => <Regions cells={cells} importer={row} /> },
                { header: t`Imports`, cell: (row) => <Version of={row.version} /> },
                ...served.map((version): Column<Importer> => ({
                  header: `${servedAs(version, of)}: ${version}`,
                  cell: (row) => <Verdict service={of.service} before={row.version} after={version} />,
                })),
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** The reports that concern a deployment: of what it imports, of who imports it, and between its own versions. */
export function Compatibility({ of }: { of: Deployment }) {
  const versions =
    useFleet()
      .data?.services.find((each) => each.name === of.service)
      ?.versions.toSorted(byAge) ?? [];
  return (
    <div className="stack">
      <AsConsumer of={of} />
      <AsProvider of={of} />
      <VersionMatrix service={of.service} versions={versions} />
    </div>
  );
}
