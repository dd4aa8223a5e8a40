import type { ReactNode } from "react";
import { countText, lagText } from "../../../parts/status";
import { rangeText } from "../../../time/clock";
import { Age } from "../../../time/Time";
import type { Upgrade } from "../../../wire/model";
import { useAsOf } from "../shards/useAsOf";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";

interface Figure {
  value: ReactNode;
  text: string;
}

/** The figures that matter in the present step, the most important first; what is not known is left out. */
function figuresOf(upgrade: Upgrade): Figure[] {
  const { progress, readiness, shards } = upgrade;
  const lag = {
    value: lagText(progress.lag_seconds),
    text: t`lag, slowest of ${plural(shards.total, "# shard", "# shards")}`,
  };
  const pause = {
    value: readiness.predicted_freeze_ms ? t`${Math.round(readiness.predicted_freeze_ms)} ms` : t`unknown`,
    text: t`expected pause of writes`,
  };
  switch (upgrade.state) {
    case "SYNCING":
      return [
        { value: t`${shards.ready} of ${shards.total}`, text: t`shards caught up` },
        ...(progress.percent === null || progress.percent === undefined
          ? []
          : [{ value: `${progress.percent} %`, text: t`of the resources copied` }]),
        {
          value: progress.eta ? rangeText(progress.eta.low_seconds, progress.eta.high_seconds) : t`unknown`,
          text: progress.eta
            ? t`left`
            : progress.eta_reason
              ? worded(progress.eta_reason, progress.eta_reason_phrases)
              : t`time left`,
        },
        ...(progress.rate_per_second
          ? [{ value: `${countText(progress.rate_per_second)} /s`, text: t`copied now` }]
          : []),
        lag,
      ];
    case "READY":
      return [
        pause,
        lag,
        ...(readiness.not_before ? [{ value: <Age at={readiness.not_before} />, text: t`earliest switch` }] : []),
      ];
    case "REVERSIBLE":
      return [
        ...(upgrade.reversible_until ? [{ value: <Age at={upgrade.reversible_until} />, text: t`window ends` }] : []),
        { ...lag, text: t`lag of reverse replication` },
      ];
    default:
      return [];
  }
}

export function Figures({ upgrade: reported }: { upgrade: Upgrade }) {
  const upgrade = useAsOf(reported);
  const figures = figuresOf(upgrade);
  const { oldest_report_at: oldest } = upgrade.progress;
  if (figures.length === 0) return null;
  return (
    <>
      <dl className="figures">
        {figures.map((figure) => (
          <div key={figure.text}>
            <dt>{figure.text}</dt>
            <dd>{figure.value}</dd>
          </div>
        ))}
      </dl>
      {oldest ? (
        <p className="small muted figures-age">{rich`By reports of the shards, the oldest ${(<Age at={oldest} />)}.`}</p>
      ) : null}
    </>
  );
}
