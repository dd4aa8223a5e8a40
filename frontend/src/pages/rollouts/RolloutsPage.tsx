import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { ForPlanners } from "../../parts/ActionButton";
import { Card, Page } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import { rolloutWords } from "./waves";
import { worded } from "../../words/server";
import { t } from "../../words/text";

/** All rollouts, the newest first. */
export function RolloutsPage() {
  const rollouts = useQuery({
    queryKey: ["rollout", "all"],
    queryFn: ({ signal }) => read("/rollouts", { signal }),
  });
  return (
    <Page
      title={t`Rollouts`}
      under={[{ title: t`Upgrades`, to: "/upgrades" }]}
      actions={
        <div className="row wrap">
          <Button component={Link} to="/rollouts/proposals">
            {t`Proposals`}
          </Button>
          <ForPlanners label={t`Plan a rollout…`}>
            <Button component={Link} to="/rollouts/new" variant="filled">
              {t`Plan a rollout…`}
            </Button>
          </ForPlanners>
        </div>
      }
    >
      <Loaded of={rollouts}>
        {(data) =>
          data.items.length === 0 ? (
            <Card>
              <Empty title={t`No rollouts yet.`} command="swy rollout plan --help">
                {t`A rollout upgrades several deployments in waves: first one deployment, then the others,
                with a pause between waves.`}
              </Empty>
            </Card>
          ) : (
            <Card>
              <ul className="plain-list">
                {data.items.map((each) => (
                  <li key={each.id}>
                    <div className="row between">
                      <Link to={`/rollouts/${each.id}`}>
                        <b>{each.title || each.id}</b>
                      </Link>
                      <Status of={rolloutWords[each.state]} />
                    </div>
                    <div className="row between small">
                      <span className="muted">{worded(each.sentence, each.phrases)}</span>
                      <span className="muted">
                        {each.created_by}, <Time at={each.created_at} />
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}
