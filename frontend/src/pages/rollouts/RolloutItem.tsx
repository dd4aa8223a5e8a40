import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { ActionUnder } from "../../api/operations";
import { Shape } from "../../parts/Shape";
import { Status, Versions } from "../../parts/Status";
import { Age } from "../../time/Time";
import type { RolloutItem as Item } from "../../wire/rollouts";
import { itemWords } from "./waves";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

/** What is asked for of a rollout or of one of its deployments. */
export interface RolloutAction {
  action: ActionUnder<"/rollouts/{id}">;
  deployment?: string;
}

/** One deployment of a wave: how far it is, and what can be done about it. */
export function RolloutItem({
  item,
  paused,
  over,
  onAct,
}: {
  item: Item;
  paused: boolean;
  over: boolean;
  onAct: (operation: RolloutAction) => void;
}) {
  return (
    <li>
      <div className="row between">
        {item.upgrade_id ? (
          <Link to={`/upgrades/${item.upgrade_id}`}>
            <b>
              {item.service} @ {item.region}
            </b>
          </Link>
        ) : (
          <b>
            {item.service} @ {item.region}
          </b>
        )}
        <Status of={itemWords[item.state]} />
      </div>
      <div className="row between small">
        <Versions from={item.from_version} to={item.to_version} />
        {item.total ? (
          <span className="muted">
            {rich`${item.ready} of ${plural(item.total, "# shard", "# shards")} ready`}
            {item.oldest_report_at ? <>{rich`, reported ${(<Age at={item.oldest_report_at} />)}`}</> : null}
            {item.blocked ? t`, blocked` : ""}
          </span>
        ) : null}
      </div>
      <p className="small muted">{worded(item.reason, item.reason_phrases) || worded(item.sentence, item.phrases)}</p>
      {item.plan_changed ? (
        <p className="small row tight ink-wait">
          <Shape tone="wait" size={13} />{" "}
          {t`Its plan changed after the rollout was planned. It starts after the change is accepted.`}
        </p>
      ) : null}
      {item.state === "waiting" && item.plan_changed && !over ? (
        <div className="row tight">
          <Button
            size="compact-xs"
            aria-label={t`Accept the changed plan of ${item.service} @ ${item.region}`}
            onClick={() => onAct({ action: "retry", deployment: item.deployment })}
          >
            {t`Accept the changed plan`}
          </Button>
        </div>
      ) : null}
      {item.state === "failed" && paused ? (
        <div className="row tight">
          <Button
            size="compact-xs"
            aria-label={
              item.plan_changed
                ? t`Accept the changed plan of ${item.service} @ ${item.region}`
                : t`Try ${item.service} @ ${item.region} again`
            }
            onClick={() => onAct({ action: "retry", deployment: item.deployment })}
          >
            {item.plan_changed ? t`Accept the changed plan` : t`Try again`}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t`Skip ${item.service} @ ${item.region}`}
            onClick={() => onAct({ action: "skip", deployment: item.deployment })}
          >
            {t`Skip…`}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
