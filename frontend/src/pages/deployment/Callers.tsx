import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Version } from "../../parts/Status";
import { countText } from "../../parts/status";
import { Age } from "../../time/Time";
import { useUsage } from "../versions/consumer";
import { plural, rich, t } from "../../words/text";

/** The mean rate of calls over the days that are counted. */
function rateText(messages: number, days: number): string {
  const rate = Math.round(messages / (days * 24));
  return rate ? t`about ${countText(rate)} per hour` : t`less than 1 per hour`;
}

/** How many clients of older versions were counted in the deployment's own region. */
function Here({ service, region }: { service: string; region: string }) {
  const { data } = useQuery({
    queryKey: ["fleet-callers"],
    queryFn: ({ signal }) => read("/fleet/callers", { signal }),
    staleTime: 60_000,
  });
  if (!data) return null;
  const clients = data.callers[service]?.[region] ?? 0;
  return (
    <p className="small">
      {t`In ${region}, ${plural(clients, "# client", "# clients")} called older versions in the last ${data.days} days.`}
    </p>
  );
}

/** Who calls the service in which version: what decides whether a version may go. */
export function Callers({ service, region }: { service: string; region: string }) {
  const usage = useUsage(service);
  return (
    <Card title={t`Callers by version`} aside={<Link to={`/versions/${service}/usage`}>{t`All clients`}</Link>}>
      <Loaded of={usage} lines={2}>
        {(data) => {
          const called = data.versions.filter((each) => each.messages > 0);
          if (called.length === 0) return <Empty title={t`No call in the last ${data.days} days.`} />;
          return (
            <>
              <ul className="plain-list">
                {called.map((each) => (
                  <li key={each.version} className="row between wrap">
                    <span>
                      <Version of={each.version} />{" "}
                      <span className="small muted">{plural(each.clients.length, "# client", "# clients")}</span>
                    </span>
                    <span className="small">
                      <span>
                        {t`${countText(each.messages)} ${plural(each.messages, "call", "calls")}, ${rateText(each.messages, data.days)}`}
                      </span>
                      {each.last_seen ? (
                        <span className="muted">{rich`, last ${(<Age at={each.last_seen} />)}`}</span>
                      ) : null}
                    </span>
                  </li>
                ))}
              </ul>
              <p className="small muted">
                {rich`In all regions, the last ${data.days} days.`}
                {data.uncounted ? t` ${countText(data.uncounted)} calls of all services were not counted.` : ""}
              </p>
            </>
          );
        }}
      </Loaded>
      <Here service={service} region={region} />
    </Card>
  );
}
