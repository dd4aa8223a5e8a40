import { Button, SegmentedControl } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { memo, useMemo, useState } from "react";
import { momentTexts, placeMarks } from "../../../parts/charts/curves";
import { lagText, shardWords } from "../../../parts/status";
import { useStore } from "../../../state/store";
import { clockText, dateText, durationText, zone } from "../../../time/clock";
import { Time } from "../../../time/Time";
import type { Samples, ShardState, Upgrade } from "../../../wire/model";
import { cutoverOf, deedsOf, type History, scopeOf, type Span, spansOf, ticksOf } from "./replay";
import { plural, rich, t } from "../../../words/text";

const MOST_ROWS = 64;
const SHARDS_HEIGHT = 84;
const LAG_HEIGHT = 38;
const UNSAMPLED_MS = 60_000;

interface Extent {
  from: number;
  to: number;
  width: number;
}

interface Scale extends Extent {
  x: (at: number) => number;
}

function scaleOf({ from, to, width }: Extent): Scale {
  return { from, to, width, x: (at) => ((at - from) / (to - from)) * width };
}

/**
 * Each shard as a row of spans; beyond 64 shards, how many were in which state, as stacked columns. Drawn once for thousands
 * of changes, and not for each moment that is replayed.
 */
const ShardRows = memo(function ShardRows({
  spans,
  total,
  ...extent
}: Extent & { spans: readonly Span[]; total: number }) {
  const scale = scaleOf(extent);
  if (total <= MOST_ROWS) {
    const height = SHARDS_HEIGHT / Math.max(1, total);
    return spans
      .filter((span) => span.to >= scale.from && span.from <= scale.to)
      .map((span) => (
        <rect
          key={`${span.shard} ${span.from}`}
          className={`span-${shardWords[span.state].tone}`}
          x={scale.x(span.from)}
          width={Math.max(0.5, scale.x(span.to) - scale.x(span.from))}
          y={span.shard * height}
          height={Math.max(0.8, height - (height > 3 ? 1 : 0))}
        />
      ));
  }
  const columns = 120;
  const width = scale.width / columns;
  const counts = Array.from({ length: columns }, () => new Map<ShardState, number>());
  const step = (scale.to - scale.from) / columns;
  for (const span of spans) {
    const [first, last] = [span.from, span.to].map((at) => Math.floor((at - scale.from) / step));
    for (let at = Math.max(0, first ?? 0); at < Math.min(columns, last ?? 0); at += 1)
      counts[at]?.set(span.state, (counts[at]?.get(span.state) ?? 0) + 1);
  }
  return counts.flatMap((count, at) => {
    let y = SHARDS_HEIGHT;
    return [...count].map(([state, number]) => {
      const height = (SHARDS_HEIGHT * number) / total;
      y -= height;
      return (
        <rect
          key={`${at} ${state}`}
          className={`span-${shardWords[state].tone}`}
          x={at * width}
          width={width + 0.3}
          y={y}
          height={height}
        />
      );
    });
  });
});

/** A curve of what was sampled, with its highest value; where nothing was sampled, no line. */
const CurveLine = memo(function CurveLine({
  at: times,
  values,
  unit,
  ...extent
}: Extent & { at: readonly string[]; values: readonly (number | null)[]; unit: (value: number) => string }) {
  const scale = scaleOf(extent);
  const points = times.flatMap((time, at) => {
    const value = values[at];
    const when = Date.parse(time);
    return value === null || value === undefined || when < scale.from || when > scale.to
      ? []
      : [{ x: scale.x(when), value }];
  });
  const most = Math.max(Number.EPSILON, ...points.map((point) => point.value));
  // Where nothing was sampled for a minute, no line is drawn over what is not known.
  const far = scale.x(scale.from + UNSAMPLED_MS);
  const joins = (at: number): boolean => at > 0 && (points[at]?.x ?? 0) - (points[at - 1]?.x ?? 0) <= far;
  // Above the line there is room for the note of its highest value.
  const height = (value: number): number => LAG_HEIGHT - 3 - (value / most) * (LAG_HEIGHT - 16);
  const line = points.map((point, at) => `${joins(at) ? "L" : "M"}${point.x} ${height(point.value)}`).join("");
  return (
    <>
      <path d={line} className="lag-line" />
      <text x={2} y={9} className="scale-note">
        {points.length ? t`highest ${unit(most)}` : t`not recorded`}
      </text>
    </>
  );
});

/** When each shard was last compared whole without a difference; beyond 64 shards it is told in words alone. */
const ComparedMarks = memo(function ComparedMarks({
  compared,
  total,
  ...extent
}: Extent & { compared: History["compared"]; total: number }) {
  const scale = scaleOf(extent);
  if (total > MOST_ROWS) return null;
  const height = SHARDS_HEIGHT / Math.max(1, total);
  return compared.shard.map((shard, at) => {
    const when = Date.parse(compared.at[at] ?? "");
    return when >= scale.from && when <= scale.to ? (
      <rect key={shard} className="compared" x={scale.x(when)} width={2} y={shard * height} height={height} />
    ) : null;
  });
});

/** How many clients called each version before the switch, and since. */
function Callers({ of }: { of: History["callers"] }) {
  return of.versions.map(({ version, before_switch: before, since_switch: since }) => (
    <span key={version}>
      <code>{version}</code>{" "}
      {since === null
        ? plural(before, "# client", "# clients")
        : rich`${plural(before, "# client", "# clients")} before the switch, ${since} since`}
    </span>
  ));
}

/** The 95th percentile of clients' writes, in milliseconds. */
function latencyText(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? "–" : t`${(seconds * 1000).toFixed(1)} ms`;
}

export interface TimeScaleProps {
  upgrade: Upgrade;
  history: History;
  samples: Samples | undefined;
  /** The moment that is shown; null: now. */
  at: number | null;
  onAt: (at: number | null) => void;
}

/** The upgrade drawn to the scale of time: shards, lag, people and the pause of writes, with the slider that replays it. */
export function TimeScale({ upgrade, history, samples, at, onAt }: TimeScaleProps) {
  const which = useStore(zone);
  const { ref, width } = useElementSize();
  const [whole, setWhole] = useState(false);
  const { from, to } = scopeOf(history, whole);
  const room = Math.max(120, width);
  const extent: Extent = { from, to, width: room };
  const scale = scaleOf(extent);
  const spans = useMemo(() => spansOf(history, Date.parse(history.as_of)), [history]);
  const cutover = cutoverOf(history);
  // A process of an earlier release does not tell them.
  const { compared, callers }: Partial<History> = history;
  const deeds = deedsOf(history).filter((deed) => deed.at >= from && deed.at <= to);
  const marks = placeMarks(
    deeds.map((deed) => ({ x: scale.x(deed.at), word: deed.text })),
    // With room for the dot of the next one.
    (word) => word.length * 6.2 + 14,
    room,
  );
  const rows = Math.max(1, ...marks.map((mark) => mark.row + 1));
  const shown = Math.min(to, Math.max(from, at ?? to));
  const ticks = ticksOf({ from, to }, Math.max(2, Math.floor(room / 90)));
  const stamps = momentTexts(ticks, which);
  const lag = samples?.lag_p95.at(-1);
  const latency = samples?.write_p95.at(-1);
  return (
    <section className="card time-scale" aria-label={t`The upgrade in time`}>
      <div className="scale-grid">
        <span className="small muted">{durationText((to - from) / 1000)}</span>
        <div ref={ref}>
          <svg width={room} height={16} aria-hidden="true">
            {ticks.map((tick, at) => (
              <text
                key={tick}
                x={Math.min(room - 40, Math.max(40, scale.x(tick)))}
                y={12}
                textAnchor="middle"
                className="scale-note mono"
              >
                {stamps[at]}
              </text>
            ))}
          </svg>
        </div>
        <span className="small">
          <b>{plural(upgrade.shards.total, "# shard", "# shards")}</b>
          <span className="muted"> {t`copy · caught up`}</span>
          {compared ? (
            <>
              <br />
              {rich`${compared.shard.length} compared whole`}
            </>
          ) : null}
          {cutover && upgrade.freeze_ms !== null ? (
            <>
              <br />
              {rich`Pause of writes ${(<b>{rich`${Math.round(upgrade.freeze_ms)} ms`}</b>)}`}
            </>
          ) : null}
        </span>
        <svg
          width={room}
          height={SHARDS_HEIGHT}
          role="img"
          aria-label={t`${upgrade.shards.ready} of ${plural(upgrade.shards.total, "# shard", "# shards")} caught up`}
        >
          <ShardRows spans={spans} total={upgrade.shards.total} {...extent} />
          {compared ? <ComparedMarks compared={compared} total={upgrade.shards.total} {...extent} /> : null}
          {cutover ? (
            <rect
              className="cutover"
              x={scale.x(cutover.from)}
              width={Math.max(2, scale.x(cutover.to) - scale.x(cutover.from))}
              height={SHARDS_HEIGHT}
            />
          ) : null}
          {at === null ? null : (
            <line className="now-line" x1={scale.x(shown)} x2={scale.x(shown)} y2={SHARDS_HEIGHT} />
          )}
        </svg>
        <span className="small">{rich`Lag p95 ${(<b>{lagText(lag)}</b>)}`}</span>
        <svg width={room} height={LAG_HEIGHT} role="img" aria-label={t`Lag, 95th percentile, now ${lagText(lag)}`}>
          {samples ? <CurveLine at={samples.at} values={samples.lag_p95} unit={lagText} {...extent} /> : null}
        </svg>
        <span className="small">{rich`Write latency p95 ${(<b>{latencyText(latency)}</b>)}`}</span>
        <svg
          width={room}
          height={LAG_HEIGHT}
          role="img"
          aria-label={t`Write latency of clients, 95th percentile, last ${latencyText(latency)}`}
        >
          {samples ? <CurveLine at={samples.at} values={samples.write_p95} unit={latencyText} {...extent} /> : null}
        </svg>
        {callers ? (
          <>
            <span className="small">{t`Callers`}</span>
            <div className="row wrap small muted">
              <Callers of={callers} />
            </div>
          </>
        ) : null}
        <span className="small">{t`People`}</span>
        <svg width={room} height={rows * 16 + 2} aria-hidden="true">
          {marks.map((mark) => (
            <g key={`${mark.x} ${mark.word}`}>
              <circle cx={Math.min(room - 4, Math.max(4, mark.x))} cy={9 + mark.row * 16} r={3.5} className="deed" />
              <text x={Math.max(mark.left + 4, 12)} y={13 + mark.row * 16} className="scale-note">
                {mark.word}
              </text>
            </g>
          ))}
        </svg>
        <label className="small" htmlFor="replay">
          {rich`As of ${(<b>{at === null ? t`now` : ""}</b>)}`}
        </label>
        <input
          id="replay"
          type="range"
          min={from}
          max={to}
          step={Math.max(1, Math.floor((to - from) / 1000))}
          value={shown}
          aria-valuetext={at === null ? t`now` : `${dateText(shown, which)} ${clockText(shown, which)}`}
          onChange={(event) => {
            const value = Number(event.currentTarget.value);
            onAt(value >= to - (to - from) / 1000 ? null : value);
          }}
        />
      </div>
      <ul className="unseen">
        {deeds.map((deed) => (
          <li key={`${deed.at} ${deed.text}`}>
            {deed.text} <Time at={new Date(deed.at).toISOString()} age={false} />
          </li>
        ))}
      </ul>
      <div className="row between wrap small muted">
        <span>
          {rich`Recorded since ${(<Time at={new Date(from).toISOString()} age={false} />)}. Drag the slider to
          replay; the address names the moment.${history.shards.complete ? "" : t` The oldest changes of shards are not shown.`}`}
        </span>
        <span className="row tight">
          {at === null ? null : (
            <Button size="compact-xs" onClick={() => onAt(null)}>
              {t`Back to now`}
            </Button>
          )}
          {cutover ? (
            <SegmentedControl
              size="xs"
              aria-label={t`Time shown`}
              value={whole ? "whole" : "switch"}
              onChange={(value) => setWhole(value === "whole")}
              data={[
                { value: "switch", label: t`Until the switch` },
                { value: "whole", label: t`All` },
              ]}
            />
          ) : null}
        </span>
      </div>
    </section>
  );
}
