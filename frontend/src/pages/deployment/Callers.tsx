import { Link } from "react-router";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Version } from "../../parts/Status";
import { countText } from "../../parts/status";
import { Age } from "../../time/Time";
import { useUsage } from "../versions/consumer";
import { plural, rich, t } from "../../words/text";

/** Who calls the service in which version: what decides whether a version may go. */
export function Callers({ service }: { service: string }) {
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
                      {countText(each.messages)} {plural(each.messages, "call", "calls")}
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
    </Card>
  );
}
