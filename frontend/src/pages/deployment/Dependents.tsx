import { Link, useNavigate } from "react-router";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import type { Deployment } from "../../wire/model";
import { NameForm } from "../refs/Parts";
import { t } from "../../words/text";

/** What stands on this deployment in its region, and the way into the references of one of its resources. */
export function Dependents({ of }: { of: Deployment }) {
  const navigate = useNavigate();
  return (
    <div className="stack">
      <Card title={t`References of a resource`}>
        <p className="small muted">{t`References to and from one of its resources, in every region.`}</p>
        <NameForm
          value={`//${of.service}/${of.region}/`}
          button={t`Show`}
          onAsk={(name) => void navigate(`/refs?name=${encodeURIComponent(name)}`)}
        />
        <p className="small">
          <Link to={`/resources?service=${of.service}&region=${of.region}`}>{t`Browse its resources`}</Link>
        </p>
      </Card>
      <Card title={t`Dependents`}>
        {of.dependants.length === 0 ? (
          <Empty title={t`No other service in this region imports or uses it.`} />
        ) : (
          <Scroll label={t`Dependents`}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{t`Deployment`}</th>
                  <th scope="col">{t`Serves`}</th>
                  <th scope="col">{t`Imports`}</th>
                  <th scope="col">{t`Match`}</th>
                </tr>
              </thead>
              <tbody>
                {of.dependants.map((each) => (
                  <tr key={each.service}>
                    <th scope="row">
                      <Link to={`/d/${each.service}/${each.region}`}>
                        {each.service} @ {each.region}
                      </Link>
                    </th>
                    <td>
                      <Version of={each.version} />
                    </td>
                    <td>
                      {each.builds_on ? (
                        <Version of={each.builds_on} />
                      ) : (
                        <span className="muted">{t`any version`}</span>
                      )}
                    </td>
                    <td>
                      {!each.builds_on || each.builds_on === of.current_version ? (
                        <Status of={{ tone: "ok", word: t`same` }} />
                      ) : (
                        <Status of={{ tone: "wait", word: t`differs` }} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Card>
    </div>
  );
}
