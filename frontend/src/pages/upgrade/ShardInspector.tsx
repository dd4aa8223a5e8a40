import { Button, CloseButton } from "@mantine/core";
import { Copy } from "../../parts/Copy";
import { Shape } from "../../parts/Shape";
import { Status } from "../../parts/Status";
import { countText, lagText, shardWords } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Shard } from "../../wire/model";

export function ShardInspector({ shard, onClose, onRetry, retrying }: { shard: Shard; onClose: () => void; onRetry?: (() => void) | undefined; retrying?: boolean }) {
  return (
    <section className="inspector" aria-label={`Shard ${shard.shard}`}>
      <div className="row between">
        <div className="row"><h3>Shard {shard.shard}</h3><Status of={shardWords[shard.state]} /><span className="small muted mono">{shard.stage}</span></div>
        <div className="row tight"><Copy value={JSON.stringify(shard, null, 2)} what="the details" /><CloseButton aria-label="Close the shard" onClick={onClose} /></div>
      </div>
      <dl className="numbers">
        <div><dt>Copied</dt><dd>{countText(shard.copied)}{shard.total !== null ? <span className="muted"> of {countText(shard.total)}</span> : null}</dd></div>
        <div><dt>Followed</dt><dd>{countText(shard.applied)}</dd></div>
        <div><dt>Failed</dt><dd>{countText(shard.failed)}</dd></div>
        <div><dt>Lag</dt><dd>{lagText(shard.lag_seconds)}</dd></div>
        <div><dt>Rate</dt><dd>{shard.rate_per_second === null ? "–" : `${countText(shard.rate_per_second)}/s`}</dd></div>
        <div><dt>Last report</dt><dd><Time at={shard.reported_at} /></dd></div>
      </dl>
      {shard.throttled ? <p className="row tight small ink-wait"><Shape tone="wait" size={13} /> It rests: {shard.throttled}</p> : null}
      {shard.error ? <pre className="error-text">{shard.error}</pre> : null}
      {onRetry && (shard.error || shard.failed) ? <div><Button size="xs" loading={retrying ?? false} onClick={onRetry}>Try this shard again</Button></div> : null}
    </section>
  );
}
