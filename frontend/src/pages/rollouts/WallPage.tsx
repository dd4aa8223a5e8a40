import { NativeSelect } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { read } from "../../api/client";
import { useTopic } from "../../live/stream";
import { Page } from "../../parts/Page";
import { PHASE_TITLES, PHASES, phaseOf } from "../../parts/charts/phases";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { heldUp, lagText, shortService, stateWord, type Word } from "../../parts/status";
import { announce } from "../../state/announcements";
import { Age } from "../../time/Time";
import type { Rollout, RolloutItem } from "../../wire/rollouts";
import { itemWords, rolloutWords } from "./waves";
import "./wall.css";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

const REFRESH_MS = 10_000;
const SETTLED = new Set(["COMPLETED", "REVERSIBLE"]);
const ENDED = new Set(["ABORTED", "REVERTED", "HALTED"]);

export function wordOf(item: RolloutItem): Word {
  if (item.state === "failed" || item.state === "skipped") return itemWords[item.state];
  return item.blocked ? heldUp(item.upgrade_state) : stateWord(item.upgrade_state);
}

/** The one figure that matters in the present step. */
export function figureOf(item: RolloutItem): string {
  switch (item.upgrade_state) {
    case "SYNCING":
      return [
        item.percent === null ? "" : `${item.percent} %`,
        t`${item.ready} of ${plural(item.total, "# shard", "# shards")}`,
      ]
        .filter(Boolean)
        .join(" · ");
    case "READY":
      return t`lag ${lagText(item.lag_seconds)}`;
    case "REVERSIBLE":
    case "COMPLETED":
      return item.freeze_ms === null ? t`pause unknown` : t`${Math.round(item.freeze_ms)} ms pause`;
    default:
      return "";
  }
}

/** `12 of 20 switched · 3 blocked`: where the wave is as a whole. */
export function summaryOf(wave: readonly RolloutItem[]): string {
  const count = (test: (item: RolloutItem) => boolean): number => wave.filter(test).length;
  const failed = count((item) => item.state === "failed" || ENDED.has(item.upgrade_state));
  const blocked = count((item) => item.blocked);
  return [
    t`${count((item) => SETTLED.has(item.upgrade_state))} of ${wave.length} switched`,
    failed ? t`${failed} failed or rolled back` : "",
    blocked ? t`${blocked} blocked` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function Row({ item }: { item: RolloutItem }) {
  useTopic(`upgrade:${item.upgrade_id}`);
  const at = phaseOf(item.upgrade_state);
  const word = wordOf(item);
  const ended = ENDED.has(item.upgrade_state);
  const phase = PHASES[at];
  return (
    <li className={`wall-row wall-${word.tone}`}>
      <Link to={`/upgrades/${item.upgrade_id}`} className="wall-name">
        <b>{item.region}</b> <span className="muted">{shortService(item.service)}</span>
      </Link>
      <span
        className="wall-spine"
        role="img"
        aria-label={phase ? t`Step ${at + 1} of ${PHASES.length}: ${PHASE_TITLES[phase]}` : t`All steps are done`}
      >
        {PHASES.map((name, step) => (
          <i key={name} className={step < at ? "done" : step === at ? (ended ? "at ended" : "at") : ""} />
        ))}
      </span>
      <Status of={word} />
      <span className="wall-figure">{figureOf(item)}</span>
      <span className="small muted wall-text">
        {worded(item.reason, item.reason_phrases) || worded(item.sentence, item.phrases)}
        {item.oldest_report_at && item.upgrade_state === "SYNCING" ? (
          <> {rich`Reported ${(<Age at={item.oldest_report_at} />)}.`}</>
        ) : null}
      </span>
    </li>
  );
}

function Wall({ of }: { of: Rollout }) {
  const { filters, set } = useFilters(["wave"]);
  const asked = Number(filters.wave) - 1;
  const number = filters.wave && of.waves[asked] ? asked : (of.wave ?? of.waves.length - 1);
  const wave = of.waves[number] ?? [];
  const summary = summaryOf(wave);
  const before = useRef(summary);
  useEffect(() => {
    if (before.current !== summary) announce(t`Wave ${number + 1}: ${summary}`);
    before.current = summary;
  }, [summary, number]);
  return (
    <>
      <div className="row between wrap">
        <p className="wall-summary">{rich`Wave ${number + 1} of ${of.waves.length}: ${summary}`}</p>
        <div className="row wrap">
          <Status of={rolloutWords[of.state]} />
          {of.waves.length > 1 ? (
            <NativeSelect
              aria-label={t`Wave`}
              value={filters.wave || ""}
              onChange={(event) => set("wave", event.currentTarget.value)}
              data={[
                { value: "", label: t`The wave under way` },
                ...of.waves.map((_, at) => ({ value: String(at + 1), label: t`Wave ${at + 1}` })),
              ]}
            />
          ) : null}
          <Link to={`/rollouts/${of.id}`}>{t`Rollout`}</Link>
        </div>
      </div>
      {wave.length === 0 ? (
        <Empty title={t`This wave has no deployments.`} />
      ) : (
        <section className="card wall">
          <div className="wall-row wall-head small muted" aria-hidden="true">
            <span />
            <span className="wall-phases">
              {PHASES.map((name) => (
                <span key={name}>{PHASE_TITLES[name]}</span>
              ))}
            </span>
          </div>
          <ul className="wall-list" aria-label={t`Upgrades of wave ${number + 1}`}>
            {wave.map((item) => (
              <Row key={item.deployment} item={item} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A wave of a rollout on one screen: each upgrade a row of the same spine, live. */
export function WallPage() {
  const { id = "" } = useParams();
  useTopic("fleet");
  const rollout = useQuery({
    queryKey: ["rollout", id],
    queryFn: ({ signal }) => read("/rollouts/{id}", { path: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={t`Wall`}
      heading={rollout.data?.title || t`Rollout`}
      under={[
        { title: t`Rollouts`, to: "/rollouts" },
        { title: rollout.data?.title || id, to: `/rollouts/${id}` },
      ]}
    >
      <Loaded of={rollout} lines={8}>
        {(data) => <Wall of={data} />}
      </Loaded>
    </Page>
  );
}
