import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { useFleet } from "../../api/queries";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Time } from "../../time/Time";
import type { Cell, ServicePage } from "../../wire/model";
import { useUsage } from "./consumer";
import { rich, t } from "../../words/text";

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
    queryFn: ({ signal }) => send<ServicePage>(`/services/${service}`, { signal }),
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
        <Scroll label={t`Importers`}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t`Service`}</th>
                <th scope="col">{t`Importer version`}</th>
                <th scope="col">{t`Served in`}</th>
              </tr>
            </thead>
            <tbody>
              {importers.map((each) => (
                <tr key={`${each.service} ${each.for_version}`}>
                  <th scope="row">
                    <Link to={`/versions/${each.service}`}>{each.service}</Link>
                  </th>
                  <td>{each.for_version}</td>
                  <td>
                    <Regions cells={serving(each.service, each.for_version)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <p className="small muted">{t`None.`}</p>
      )}
      <h3>{rich`Clients with calls${usage ? t` in ${usage.days} days` : ""}`}</h3>
      {clients.length ? (
        <Scroll label={t`Clients`}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t`Client`}</th>
                <th scope="col" className="num">
                  {t`Calls`}
                </th>
                <th scope="col">{t`Last call`}</th>
              </tr>
            </thead>
            <tbody>
              {clients.map((each) => (
                <tr key={`${each.client} ${each.release}`}>
                  <th scope="row">
                    {each.client} <span className="muted">{each.release}</span>
                  </th>
                  <td className="num">{each.methods.reduce((sum, use) => sum + use.messages, 0)}</td>
                  <td>
                    <Time at={each.last_seen} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <p className="small muted">{t`None.`}</p>
      )}
    </Card>
  );
}
