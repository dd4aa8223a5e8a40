import { Link, useNavigate } from "react-router";
import { Card } from "../../parts/Page";
import { Empty } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
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
          <DataTable
            label={t`Dependents`}
            rows={of.dependants}
            rowKey={(each) => each.service}
            columns={[
              {
                header: t`Deployment`,
                isRowHeader: true,
                cell: (each) => (
                  <Link to={`/d/${each.service}/${each.region}`}>
                    {each.service} @ {each.region}
                  </Link>
                ),
              },
              { header: t`Serves`, cell: (each) => <Version of={each.version} /> },
              {
                header: t`Imports`,
                cell: (each) =>
                  each.builds_on ? <Version of={each.builds_on} /> : <span className="muted">{t`any version`}</span>,
              },
              {
                header: t`Match`,
                cell: (each) =>
                  !each.builds_on || each.builds_on === of.current_version ? (
                    <Status of={{ tone: "ok", word: t`same` }} />
                  ) : (
                    <Status of={{ tone: "wait", word: t`differs` }} />
                  ),
              },
            ]}
          />
        )}
      </Card>
    </div>
  );
}
