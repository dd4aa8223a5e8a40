import { Button } from "@mantine/core";
import { Link } from "react-router";
import { ForPlanners } from "../../parts/ActionButton";
import { Card } from "../../parts/Page";
import { shortService } from "../../parts/status";
import type { Fleet } from "../../wire/model";
import { planAddress } from "./FleetCard";
import { available } from "./heat";
import { rich, t } from "../../words/text";

/** Shown until the first upgrade was planned: what this is for, and the shortest way to the first one. */
export function FirstUpgrade({ fleet }: { fleet: Fleet }) {
  const first = available(fleet.services, fleet.cells)[0];
  const target = first?.deployments[0];
  return (
    <Card title={t`Your first upgrade`}>
      <p>
        {t`Switchyard moves a deployment to a new API version while it serves: it copies and converts the
        data, checks both sides, asks people for approval, and switches in a fraction of a second. A rollback
        loses no writes.`}
      </p>
      <ol className="first-steps">
        <li>{rich`${(<b>{t`Plan`}</b>)} one deployment. The dry run names what stands against it.`}</li>
        <li>{rich`${(<b>{t`Start`}</b>)} it and watch the shards copy. Nothing is refused while this runs.`}</li>
        <li>{rich`${(<b>{t`Request approval.`}</b>)} Another person compares the evidence and votes.`}</li>
        <li>{rich`${(<b>{t`Switch.`}</b>)} Roll back for as long as the rollback window is open.`}</li>
      </ol>
      {first && target ? (
        <ForPlanners label={t`Plan the first upgrade`}>
          <Button component={Link} variant="filled" to={planAddress([target], first.version)}>
            {rich`Plan ${shortService(first.service)} @ ${target.split("/").at(-1)} to ${first.version}`}
          </Button>
        </ForPlanners>
      ) : (
        <p className="muted">
          {rich`Every deployment runs its newest version. ${(<Link to="/versions/how-to">{t`How a new version is declared`}</Link>)}.`}
        </p>
      )}
    </Card>
  );
}
