import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Status } from "../../parts/Status";
import type { ServicePage } from "../../wire/model";
import { type Report, verdicts } from "./report";
import { rich, t } from "../../words/text";

const MOST = 5;

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
      queryFn: () => send<Report>(`/services/${service}/compatibility`, { query: { ...pair, client: "filter" } }),
      staleTime: 60_000,
      retry: false,
    })),
  });
  if (versions.length < 2) return null;
  return (
    <Card title={t`Compatibility`} aside={t`rows: consumer versions and importers · columns: served versions`}>
      <Scroll label={t`Compatibility by version`}>
        <table className="table fit">
          <thead>
            <tr>
              <th scope="col">{t`Consumers of`}</th>
              {shown.slice(1).map((version) => (
                <th key={version} scope="col">
                  {rich`served ${version}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, -1).map((before) => (
              <tr key={before}>
                <th scope="row">
                  {before}
                  {importedBy
                    .filter((each) => each.version === before)
                    .map((each) => (
                      <div key={`${each.service} ${each.for_version}`} className="small muted">
                        {each.service} {each.for_version}
                      </div>
                    ))}
                </th>
                {shown.slice(1).map((after) => {
                  const at = pairs.findIndex((pair) => pair.before === before && pair.after === after);
                  const query = at < 0 ? undefined : result[at];
                  return (
                    <td key={after}>
                      {at < 0 ? (
                        <span className="muted">–</span>
                      ) : query?.data ? (
                        <Link
                          to={`/compat/${service}/${before}..${after}`}
                          aria-label={t`Report of ${before} to ${after}: ${verdicts[query.data.verdict].word}`}
                        >
                          <Status of={verdicts[query.data.verdict]} />
                        </Link>
                      ) : query?.isError ? (
                        <Link to={`/compat/${service}/${before}..${after}`}>{t`no report`}</Link>
                      ) : (
                        <span className="muted">{t`reading…`}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
