import { Link } from "react-router";
import { useFleet, useOverview } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { stateWord } from "../../parts/status";
import { Age } from "../../time/Time";
import type { Overview as OverviewData } from "../../wire/model";
import { LoadExample } from "../fleet/LoadExample";
import { FirstUpgrade } from "./FirstUpgrade";
import { FleetCard } from "./FleetCard";
import { Strip } from "./Strip";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

function Windows({ windows }: { windows: OverviewData["windows"] }) {
  if (windows.length === 0)
    return (
      <Empty title={t`No window opens or closes in the next 24 hours.`}>
        <Link to="/windows">{t`All windows and freezes`}</Link>
      </Empty>
    );
  return (
    <ul className="plain-list">
      {windows.map((window, at) => (
        <li key={`${window.name} ${at}`} className="row between">
          <span>
            {window.name} <span className="muted">{window.effect === "deny" ? t`freeze` : t`window`}</span>
          </span>
          <span className="small muted">
            {window.open ? (
              <>{rich`closes ${(<Age at={window.closes} />)}`}</>
            ) : (
              <>{rich`opens ${(<Age at={window.opens} />)}`}</>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The deployments one follows, each with its sentence; a change of state also arrives as a notification. */
function Followed({ of }: { of: OverviewData["followed"] }) {
  return (
    <ul className="plain-list">
      {of.map((deployment) => (
        <li key={`${deployment.service} ${deployment.region}`}>
          <div className="row between">
            <Link to={deployment.link}>
              <b>
                {deployment.service} @ {deployment.region}
              </b>
            </Link>
            <Status of={stateWord(deployment.state)} />
          </div>
          <span className="small muted">{worded(deployment.sentence, deployment.phrases)}</span>
        </li>
      ))}
    </ul>
  );
}

export function HomePage() {
  const overview = useOverview();
  const fleet = useFleet();
  return (
    <Page title={t`Home`}>
      <Loaded of={overview} lines={6}>
        {(data) => (
          <>
            {data.first_use && fleet.data?.cells.length ? <FirstUpgrade fleet={fleet.data} /> : null}
            <Strip overview={data} fleet={fleet.data} />
          </>
        )}
      </Loaded>
      <Loaded of={fleet} lines={8}>
        {(data) =>
          data.services.length === 0 ? (
            <Card title={t`Fleet`}>
              <Empty title={t`No services are registered.`} command="swy service apply examples/secrets">
                {t`A service defines resource types, versions and the conversions between them.`}
                <LoadExample />
              </Empty>
            </Card>
          ) : (
            <FleetCard fleet={data} />
          )
        }
      </Loaded>
      {overview.data ? (
        <div className="halves">
          {overview.data.followed.length ? (
            <Card title={t`Followed deployments`}>
              <Followed of={overview.data.followed} />
            </Card>
          ) : null}
          <Card title={t`Windows in the next 24 hours`}>
            <Windows windows={overview.data.windows} />
          </Card>
        </div>
      ) : null}
    </Page>
  );
}
