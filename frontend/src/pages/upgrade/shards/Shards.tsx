import { SegmentedControl } from "@mantine/core";
import { memo, useRef, type CSSProperties, type KeyboardEvent } from "react";
import { useAccount } from "../../../api/queries";
import { permitted } from "../../../parts/ActionButton";
import { WithInspector } from "../../../parts/Inspector";
import { Card } from "../../../parts/Page";
import { Shape } from "../../../parts/Shape";
import { countText, lagText, shardWords } from "../../../parts/status";
import { Empty, ProblemPanel } from "../../../parts/states";
import { useFlash } from "../../../parts/tables/useFlash";
import { useSteady } from "../../../parts/tables/useSteady";
import { rangeText } from "../../../time/clock";
import { Age } from "../../../time/Time";
import type { Shard, ShardState, Upgrade } from "../../../wire/model";
import { useAct } from "../queries";
import { ShardInspector } from "./ShardInspector";
import { arrange, counts, percent, readiness, slow, type ShardOrder, type ShardView } from "./shards";
import { useAsOf } from "./useAsOf";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

const SMALL_FROM = 65;

/** One of up to 4,096 shards: drawn anew only where it changed. */
const Cell = memo(function Cell({
  shard,
  slowed,
  chosen,
  reachable,
}: {
  shard: Shard;
  slowed: boolean;
  chosen: boolean;
  reachable: boolean;
}) {
  const word = slowed ? { tone: "wait" as const, word: t`slow` } : shardWords[shard.state];
  const share = percent(shard);
  const cell = useFlash<HTMLButtonElement>(shard.state);
  const text = shard.state === "syncing" ? `${share} %` : word.word;
  return (
    <button
      ref={cell}
      type="button"
      role="gridcell"
      className={`shard ink-${word.tone} ${word.tone}`}
      tabIndex={reachable ? 0 : -1}
      aria-selected={chosen}
      data-shard={shard.shard}
    >
      <span className="unseen">{t`Shard`}</span> <span className="no mono">{String(shard.shard).padStart(2, "0")}</span>
      <span className="st">
        <Shape tone={word.tone} size={12} /> {text}
        {text === word.word ? null : <span className="unseen"> {word.word}</span>}
      </span>
      <span className="bar" style={{ width: `${share}%` }} />
    </button>
  );
});

function shardOf(target: EventTarget): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-shard]") : null;
  return cell ? Number(cell.dataset.shard) : null;
}

function move(event: KeyboardEvent<HTMLDivElement>): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-shard]")];
  const at = cells.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const top = cells[0]?.offsetTop;
  const across = cells.filter((cell) => cell.offsetTop === top).length || 1;
  const by: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across };
  const target =
    event.key === "Home" ? cells[0] : event.key === "End" ? cells.at(-1) : cells[at + (by[event.key] ?? 0)];
  if (!target || !(event.key in by || event.key === "Home" || event.key === "End")) return;
  event.preventDefault();
  target.focus();
}

export function Progress({ of }: { of: Upgrade }) {
  const { progress } = of;
  const share = progress.percent ?? null;
  // A shard of a ready upgrade copies again when its changes were deleted before it followed them.
  const copying = of.state === "SYNCING" || (of.state === "READY" && of.shards.ready < of.shards.total);
  const begun = of.started_at !== null || progress.copied > 0;
  return (
    <div className="progress">
      {share === null ? null : (
        <div
          className="track"
          role="progressbar"
          aria-label={t`Resources copied`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={share}
        >
          <span style={{ width: `${share}%` }} />
        </div>
      )}
      <dl className="numbers">
        <div>
          <dt>{t`Copied`}</dt>
          <dd>
            {begun ? countText(progress.copied) : "–"}
            {begun && progress.total !== null ? (
              <span className="muted">
                {" "}
                {rich`of ${progress.total_is_minimum ? t`at least ` : ""}${countText(progress.total)}`}
              </span>
            ) : null}
          </dd>
        </div>
        {copying ? (
          <div>
            <dt>{t`Rate`}</dt>
            <dd>{progress.rate_per_second === null ? "–" : `${countText(progress.rate_per_second)}/s`}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t`Lag`}</dt>
          <dd>{lagText(progress.lag_seconds)}</dd>
        </div>
        {progress.oldest_report_at ? (
          <div>
            <dt>{t`Reported`}</dt>
            <dd>
              <Age at={progress.oldest_report_at} />
            </dd>
          </div>
        ) : null}
        {of.copy_limit ? (
          <div>
            <dt>{t`Rate limit`}</dt>
            <dd>{countText(of.copy_limit)}/s</dd>
          </div>
        ) : null}
        {copying ? (
          <div>
            <dt>{t`Time left`}</dt>
            <dd>
              {progress.eta ? (
                rangeText(progress.eta.low_seconds, progress.eta.high_seconds)
              ) : (
                <span className="muted">
                  {progress.eta_reason ? worded(progress.eta_reason, progress.eta_reason_phrases) : t`no estimate`}
                </span>
              )}
            </dd>
          </div>
        ) : null}
      </dl>
    </div>
  );
}

/** Readiness for the switch and after it, one part for each range of shards; the words beside it say the same. */
export function ReadinessRows({ of }: { of: Upgrade }) {
  if (of.shards.items.length === 0 || of.state === "PLANNED") return null;
  return (
    <dl className="readiness small">
      {readiness(of).map((row) => (
        <div key={row.stage}>
          <dt>
            {row.title} <span className="mono muted stage">{row.stage}</span>
          </dt>
          <dd>
            <span className="parts" aria-hidden="true">
              {row.parts.map((part) => (
                <span
                  key={part.from}
                  title={part.from === part.to ? t`shard ${part.from}` : t`shards ${part.from} to ${part.to}`}
                  style={{ "--ready": part.ready } as CSSProperties}
                />
              ))}
            </span>
            <span className="of">{rich`${row.ready} of ${of.shards.total}`}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PanelProps {
  upgrade: Upgrade;
  view: ShardView;
  chosen: number | null;
  onView: (view: ShardView) => void;
  onChoose: (shard: number | null) => void;
}

function Panel({ upgrade: reported, view, chosen, onView, onChoose }: PanelProps) {
  const grid = useRef<HTMLDivElement>(null);
  const upgrade = useAsOf(reported);
  const all = upgrade.shards.items;
  const { rows: shown, over } = useSteady(
    arrange(all, view),
    (shard) => String(shard.shard),
    `${view.order} ${view.state}`,
  );
  const lagging = slow(all);
  const permissions = useAccount()?.permissions ?? [];
  const retry = useAct(upgrade);
  const open = all.find((shard) => shard.shard === chosen);
  const reach = shown.some((shard) => shard.shard === chosen) ? chosen : shown[0]?.shard;
  const toggle = (state: ShardState): void => onView({ ...view, state: view.state === state ? "" : state });
  const cells =
    shown.length === 0 ? (
      <Empty title={all.length ? t`No shard is in this state.` : t`No shard has reported yet.`} />
    ) : (
      // Arrow keys move between the cells; each cell is a button of its own.
      <div
        ref={grid}
        role="grid"
        tabIndex={-1}
        aria-label={t`Shards`}
        className={all.length >= SMALL_FROM ? "shards tiny" : "shards"}
        onKeyDown={move}
        onClick={(event) => {
          const shard = shardOf(event.target);
          if (shard !== null) onChoose(shard === chosen ? null : shard);
        }}
        {...over}
      >
        <div role="row" className="contents">
          {shown.map((shard) => (
            <Cell
              key={shard.shard}
              shard={shard}
              slowed={lagging.has(shard.shard)}
              chosen={shard.shard === chosen}
              reachable={shard.shard === reach}
            />
          ))}
        </div>
      </div>
    );
  return (
    <Card
      title={t`Shards`}
      aside={
        <>
          <div className="row tight wrap" role="group" aria-label={t`Show only`}>
            {counts(all).map(([state, count]) => (
              <button
                key={state}
                type="button"
                className={`pill filter soft-${shardWords[state].tone}`}
                aria-pressed={view.state === state}
                onClick={() => toggle(state)}
              >
                <Shape tone={shardWords[state].tone} size={13} />
                {count} {shardWords[state].word}
              </button>
            ))}
          </div>
          <SegmentedControl
            size="xs"
            aria-label={t`Order of shards`}
            value={view.order}
            onChange={(order) => onView({ ...view, order: order as ShardOrder })}
            data={[
              { value: "number", label: t`Number` },
              { value: "slowest", label: t`Slowest` },
              { value: "newest", label: t`Newest` },
              { value: "flapping", label: t`Most often behind again` },
            ]}
          />
        </>
      }
    >
      <Progress of={upgrade} />
      <ReadinessRows of={upgrade} />
      <WithInspector
        within
        page="shards"
        label={t`the shard`}
        initial={300}
        side={
          open ? (
            <ShardInspector
              upgrade={upgrade.id}
              shard={open}
              onClose={() => onChoose(null)}
              may={permitted(
                permissions,
                "upgrade.repair",
                t`Retrying a shard requires permission to repair upgrades.`,
              )}
              onRetry={() => retry.mutate({ action: "retry-shard", body: { shard: open.shard } })}
              retrying={retry.isPending}
            />
          ) : null
        }
      >
        {cells}
      </WithInspector>
      {retry.isError ? <ProblemPanel error={retry.error} /> : null}
    </Card>
  );
}

/** What it shows does not depend on the moment that is replayed; `onView` and `onChoose` of any drawing do the same. */
export const ShardPanel = memo(
  Panel,
  (before, after) =>
    before.upgrade === after.upgrade &&
    before.chosen === after.chosen &&
    before.view.order === after.view.order &&
    before.view.state === after.view.state,
);
