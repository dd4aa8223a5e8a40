import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { useFleet } from "../../api/queries";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty, Loaded } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import { byAge } from "../../parts/versions";
import type { Deployment, ServicePage } from "../../wire/model";
import { VersionMatrix } from "../versions/Matrix";
import { type Report, verdicts } from "../versions/report";
import { t } from "../../words/text";

/** What a client of one version meets where another is served; leads to the report. */
export function Verdict({ service, before, after }: { service: string; before: string; after: string }) {
  const query = { before, after, client: "filter", server: "strict", policy: "no-loss" };
  const result = useQuery({
    queryKey: ["compatibility", service, query],
    queryFn: ({ signal }) => send<Report>(`/services/${service}/compatibility`, { query, signal }),
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
        <Scroll label={t`As consumer`}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t`Service`}</th>
                <th scope="col">{t`Imported version`}</th>
                <th scope="col">{t`Served version`}</th>
                <th scope="col">{t`Verdict`}</th>
              </tr>
            </thead>
            <tbody>
              {of.imported_versions.map((each) => (
                <tr key={`${each.service} ${each.version}`}>
                  <th scope="row">
                    <Link to={`/versions/${each.service}`}>{each.service}</Link>
                  </th>
                  <td>
                    <Version of={each.version} />
                  </td>
                  <td>
                    <Version of={each.current_version} />
                  </td>
                  <td>
                    <Verdict service={each.service} before={each.version} after={each.current_version ?? ""} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <Empty title={t`No imports.`} />
      )}
    </Card>
  );
}

function AsProvider({ of }: { of: Deployment }) {
  const known = useQuery({
    queryKey: ["services", of.service],
    queryFn: ({ signal }) => send<ServicePage>(`/services/${of.service}`, { signal }),
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
            <Scroll label={t`As provider`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t`Importer`}</th>
                    <th scope="col">{t`Importer version`}</th>
                    <th scope="col">{t`Runs in`}</th>
                    <th scope="col">{t`Imports`}</th>
                    {served.map((version) => (
                      <th key={version} scope="col">
                        {version === of.current_version
                          ? t`Served version`
                          : version === of.target_version
                            ? t`After the upgrade`
                            : t`Newest`}
                        : {version}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {imported_by.map((each) => {
                    const regions = cells
                      .filter((cell) => cell.service === each.service && cell.current_version === each.for_version)
                      .map((cell) => cell.region);
                    return (
                      <tr key={`${each.service} ${each.for_version} ${each.version}`}>
                        <th scope="row">
                          <Link to={`/versions/${each.service}`}>{each.service}</Link>
                        </th>
                        <td>
                          <Version of={each.for_version} />
                        </td>
                        <td>
                          {regions.length === 0 ? (
                            <span className="muted">{t`none`}</span>
                          ) : regions.length > 4 ? (
                            t`${regions.slice(0, 4).join(", ")} and ${regions.length - 4} more`
                          ) : (
                            regions.join(", ")
                          )}
                        </td>
                        <td>
                          <Version of={each.version} />
                        </td>
                        {served.map((version) => (
                          <td key={version}>
                            <Verdict service={of.service} before={each.version} after={version} />
                          </td>
                        ))}
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </Scroll>
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
