import { Link } from "react-router";
import { Card } from "../../parts/Page";
import { Loaded } from "../../parts/states";
import { Version } from "../../parts/Status";
import { countText } from "../../parts/status";
import { Age } from "../../time/Time";
import { useUsage } from "../versions/consumer";
import type { components } from "../../wire/schema";
import { plural, rich, t } from "../../words/text";

type Usage = components["schemas"]["Usage"];

/** The mean rate of calls over the days that are counted. */
function rateText(messages: number, days: number): string {
  const rate = Math.round(messages / (days * 24));
  return rate ? t`about ${countText(rate)} per hour` : t`less than 1 per hour`;
}

/** Who called which version, in one region or in all of them. */
function CalledVersions({ of }: { of: Usage }) {
  const called = of.versions.filter((each) => each.messages > 0);
  if (called.length === 0) return <p className="small muted">{t`No call in the last ${of.days} days.`}</p>;
  return (
    <ul className="plain-list">
      {called.map((each) => (
        <li key={each.version} className="row between wrap">
          <span>
            <Version of={each.version} />{" "}
            <span className="small muted">{plural(each.clients.length, "# client", "# clients")}</span>
          </span>
          <span className="small">
            <span>
              {t`${countText(each.messages)} ${plural(each.messages, "call", "calls")}, ${rateText(each.messages, of.days)}`}
            </span>
            {each.last_seen ? <span className="muted">{rich`, last ${(<Age at={each.last_seen} />)}`}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Who calls the service in which version, here and anywhere: what decides whether a version may go. */
export function Callers({ service, region }: { service: string; region: string }) {
  const here = useUsage(service, "", region);
  const anywhere = useUsage(service);
  return (
    <Card title={t`Callers by version`} aside={<Link to={`/versions/${service}/usage`}>{t`All clients`}</Link>}>
      <h3>{region}</h3>
      <Loaded of={here} lines={2}>
        {(data) => <CalledVersions of={data} />}
      </Loaded>
      <h3>{t`All regions`}</h3>
      <Loaded of={anywhere} lines={2}>
        {(data) => (
          <>
            <CalledVersions of={data} />
            <p className="small muted">
              {data.versions.length ? t`In the last ${data.days} days.` : ""}
              {data.uncounted ? t` ${countText(data.uncounted)} calls of all services were not counted.` : ""}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
