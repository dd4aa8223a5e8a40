import { CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { ActionButton } from "../../../parts/ActionButton";
import { Copy } from "../../../parts/Copy";
import { Shape } from "../../../parts/Shape";
import { Status } from "../../../parts/Status";
import { countText, lagText, shardWords } from "../../../parts/status";
import { Time } from "../../../time/Time";
import type { Action, Shard } from "../../../wire/model";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

/** How the shard came to where it is, the newest last. */
function Story({ upgrade, shard }: { upgrade: string; shard: Shard }) {
  const turns = useQuery({
    queryKey: ["upgrade", upgrade, "turns", shard.shard, shard.state, shard.stage],
    queryFn: ({ signal }) =>
      read("/upgrades/{id}/shards/{shard}/turns", { path: { id: upgrade, shard: shard.shard }, signal }),
    staleTime: 10_000,
  });
  const items = turns.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <ol className="timeline turns small" aria-label={t`History of shard ${shard.shard}`}>
      {items.map((turn) => (
        <li key={turn.at}>
          <span className="mono muted">
            <Time at={turn.at} age={false} />
          </span>
          <Shape tone={shardWords[turn.state].tone} size={12} />
          <span>
            {shardWords[turn.state].word}
            {turn.stage ? <span className="muted"> · {turn.stage}</span> : null}{" "}
            <span className="muted">{rich`${countText(turn.copied)} copied, ${countText(turn.applied)} followed`}</span>
            {turn.error ? <div className="ink-bad">{turn.error}</div> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function ShardInspector({
  upgrade,
  shard,
  may,
  onClose,
  onRetry,
  retrying,
}: {
  upgrade: string;
  shard: Shard;
  may: Action;
  onClose: () => void;
  onRetry: () => void;
  retrying: boolean;
}) {
  return (
    <section className="inspector" aria-label={t`Shard ${shard.shard}`}>
      <div className="row between">
        <div className="row">
          <h3>{rich`Shard ${shard.shard}`}</h3>
          <Status of={shardWords[shard.state]} />
          <span className="small muted mono">{shard.stage}</span>
        </div>
        <div className="row tight">
          <Copy value={JSON.stringify(shard, null, 2)} what={t`the details`} />
          <CloseButton aria-label={t`Close the shard`} onClick={onClose} />
        </div>
      </div>
      <dl className="numbers">
        <div>
          <dt>{t`Copied`}</dt>
          <dd>
            {countText(shard.copied)}
            {shard.total !== null ? <span className="muted"> {rich`of ${countText(shard.total)}`}</span> : null}
          </dd>
        </div>
        <div>
          <dt>{t`Replicated`}</dt>
          <dd>{countText(shard.applied)}</dd>
        </div>
        <div>
          <dt>{t`Failed`}</dt>
          <dd>{countText(shard.failed)}</dd>
        </div>
        <div>
          <dt>{t`Lag`}</dt>
          <dd>{lagText(shard.lag_seconds)}</dd>
        </div>
        <div>
          <dt>{t`Rate`}</dt>
          <dd>{shard.rate_per_second === null ? "–" : `${countText(shard.rate_per_second)}/s`}</dd>
        </div>
        {shard.falls ? (
          <div>
            <dt>{t`Regressions`}</dt>
            <dd>{shard.falls === 1 ? t`once` : t`${shard.falls} times`}</dd>
          </div>
        ) : null}
        {shard.node ? (
          <div>
            <dt>{t`Worker`}</dt>
            <dd className="mono">{shard.node}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t`Last report`}</dt>
          <dd>
            <Time at={shard.reported_at} />
          </dd>
        </div>
      </dl>
      {shard.throttled ? (
        <p className="row tight small ink-wait">
          <Shape tone="wait" size={13} /> {rich`Idle: ${worded(shard.throttled, shard.throttled_phrases)}`}
        </p>
      ) : null}
      <Story upgrade={upgrade} shard={shard} />
      {shard.error ? <pre className="error-text">{shard.error}</pre> : null}
      {shard.error || shard.failed ? (
        <div>
          <ActionButton of={may} small busy={retrying} onAct={onRetry}>
            {t`Retry this shard`}
          </ActionButton>
        </div>
      ) : null}
    </section>
  );
}
