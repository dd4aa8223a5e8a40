import { Card } from "../../parts/Page";
import { ShardStrip } from "../../parts/charts/ShardStrip";
import { Status, Versions } from "../../parts/Status";
import { upgradeWord } from "../../parts/status";
import { rangeText } from "../../time/clock";
import { Age, Time } from "../../time/Time";
import type { UpgradeSummary } from "../../wire/model";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

/** The upgrade that is under way: how far, how long, whose. */
export function CurrentUpgrade({ of }: { of: UpgradeSummary }) {
  const { progress, shards } = of;
  return (
    <Card title={t`Current upgrade`}>
      <div className="row between wrap">
        <Versions from={of.from_version} to={of.to_version} />
        <Status of={upgradeWord(of)} />
      </div>
      <ShardStrip shards={shards.items} />
      <dl className="facts small above-line">
        <dt>{t`Shards ready`}</dt>
        <dd>
          {rich`${shards.ready} of ${shards.total}`}
          {progress.oldest_report_at ? (
            <span className="muted"> {rich`(reported ${(<Age at={progress.oldest_report_at} />)})`}</span>
          ) : null}
        </dd>
        {progress.eta?.high_seconds ? (
          <>
            <dt>{t`Time left`}</dt>
            <dd>{rangeText(progress.eta.low_seconds, progress.eta.high_seconds)}</dd>
          </>
        ) : progress.eta_reason && of.state === "SYNCING" ? (
          <>
            <dt>{t`Time left`}</dt>
            <dd className="muted">{rich`no estimate: ${worded(progress.eta_reason, progress.eta_reason_phrases)}`}</dd>
          </>
        ) : null}
        <dt>{t`Requested by`}</dt>
        <dd>
          {of.requested_by}
          {of.comment ? <span className="muted">: {of.comment}</span> : null}
        </dd>
        {of.started_at ? (
          <>
            <dt>{t`Started`}</dt>
            <dd>
              <Time at={of.started_at} />
            </dd>
          </>
        ) : null}
        {of.reversible_until && of.state === "REVERSIBLE" ? (
          <>
            <dt>{t`Rollback until`}</dt>
            <dd>
              <Time at={of.reversible_until} />
            </dd>
          </>
        ) : null}
      </dl>
    </Card>
  );
}
