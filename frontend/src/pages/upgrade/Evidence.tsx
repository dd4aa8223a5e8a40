import { memo } from "react";
import { Link } from "react-router";
import { useSamples, useUpgradeEvents } from "./queries";
import { Chart } from "../../parts/charts/Chart";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Loaded } from "../../parts/states";
import { durationText, serverNow, tick } from "../../time/clock";
import { countText } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { useStore } from "../../state/store";
import { Age } from "../../time/Time";
import type { Upgrade } from "../../wire/model";
import { Remedy } from "./Remedy";
import { lastReport } from "./shards/shards";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

export const Charts = memo(function Charts({ upgrade, moving }: { upgrade: Upgrade; moving: boolean }) {
  const samples = useSamples(upgrade.id, moving);
  const approved = useUpgradeEvents(upgrade.id).data?.lines.filter((line) => line.kind === "vote-approve") ?? [];
  return (
    <Card className="charts">
      <Loaded of={samples} lines={3}>
        {(data) => {
          const switched = upgrade.steps
            .filter((step) => step.step === "Switching" && step.started_at)
            .map((step) => ({ at: step.started_at ?? "", word: t`switch` }));
          const marks = [...approved.map((line) => ({ at: line.at, word: t`approval` })), ...switched];
          return (
            <>
              <Chart
                data={{
                  title: t`Copy rate`,
                  unit: "/s",
                  at: data.at,
                  marks,
                  lines: [{ name: t`rate`, colour: "--run", values: data.rate }],
                }}
              />
              <Chart
                data={{
                  title: t`Lag`,
                  unit: " s",
                  decimals: 1,
                  at: data.at,
                  marks,
                  lines: [
                    { name: t`p50`, colour: "--ok", values: data.lag_p50 },
                    { name: t`p95`, colour: "--new", values: data.lag_p95 },
                    { name: t`max`, colour: "--wait", values: data.lag_max },
                  ],
                }}
              />
              <Chart
                data={{
                  title: t`Shards caught up`,
                  unit: (count) => ` ${plural(count, "shard", "shards")}`,
                  at: data.at,
                  marks,
                  lines: [{ name: t`caught up`, colour: "--ok", values: data.ready }],
                }}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
});

/** What holds the upgrade up: each cause with its age and what helps. The sentence above already says since when nothing was reported. */
export function Blockages({ upgrade }: { upgrade: Upgrade }) {
  const { stall, blockages } = upgrade;
  if (!stall && blockages.length === 0) return null;
  return (
    <section className="notice soft-wait stall" role="status" aria-label={t`Blocked by`}>
      <Shape tone={blockages.some((cause) => cause.needs_person) ? "bad" : "wait"} size={16} />
      <div>
        <b>{t`Blocked by`}</b>
        {blockages.length === 0 ? (
          <div>{t`The cause is unknown.`}</div>
        ) : (
          <ul>
            {blockages.map((cause) => (
              <li key={`${cause.kind} ${cause.sentence}`}>
                {worded(cause.sentence, cause.phrases)}
                {cause.since ? (
                  <>
                    {" "}
                    <span className="muted">
                      (<Age at={cause.since} />)
                    </span>
                  </>
                ) : null}
                {cause.remedy ? <div className="small muted">{worded(cause.remedy, cause.remedy_phrases)}</div> : null}
                <div>
                  <div className="small">
                    <Remedy kind={cause.kind} upgrade={upgrade} />
                  </div>
                </div>
              </li>
            ))}
          </ul>
        )}
        {stall?.shards.length ? <div className="small">{rich`Shards ${stall.shards.join(", ")}`}</div> : null}
        <Link to="/health">{t`System health`}</Link> · <Link to="/runbooks">{t`Remedy`}</Link>
      </div>
    </section>
  );
}

/** Copies and comparisons are slowed because writes are: nothing to do, but it tells why it takes longer. */
export function Paced({ paced }: { paced: Upgrade["paced"] }) {
  if (!paced) return null;
  return (
    <p className="small muted" role="status" aria-label={t`Slowed for writes`}>
      {worded(paced.sentence, paced.phrases)} <Age at={paced.reported_at} />
    </p>
  );
}

const SILENT_MS = 30_000;

/** Old numbers must not look like new ones. */
export function Silence({ upgrade, moving }: { upgrade: Upgrade; moving: boolean }) {
  const now = serverNow(useStore(tick));
  const heard = lastReport(upgrade.shards.items);
  if (!moving || upgrade.paused || heard === null || now - heard < SILENT_MS) return null;
  return (
    <div className="notice soft-wait" role="status">
      <Shape tone="unknown" />{" "}
      {rich`No reports from ${upgrade.service} @ ${upgrade.region} for ${durationText((now - heard) / 1000)};
        the state may be outdated.`}
    </div>
  );
}

export function DataTasks({ tasks }: { tasks: Upgrade["data_tasks"] }) {
  if (tasks.length === 0) return null;
  return (
    <Card title={t`Data tasks`}>
      <DataTable
        label={t`Data tasks`}
        rows={tasks}
        rowKey={(task) => task.task_tag}
        columns={[
          { header: t`Task`, isRowHeader: true, cell: (task) => task.task_tag },
          { header: t`To data version`, cell: (task) => task.target_data_version || "–" },
          { header: t`Shards done`, align: "end", cell: (task) => rich`${task.done} of ${task.total}` },
          {
            header: t`Progress`,
            className: "small",
            cell: (task) =>
              task.done === task.total
                ? t`done`
                : Object.entries(task.progress)
                    .map(([key, value]) => `${key}: ${countText(value)}`)
                    .join(" · ") || t`no shard has reported yet`,
          },
        ]}
      />
    </Card>
  );
}

const STEPS: Partial<Record<string, string>> = {
  freeze: t`freeze`,
  "catch-up": t`catch up`,
  parity: t`verify`,
  flip: t`flip`,
  publish: t`publish`,
  "reverse-replication": t`reverse replication`,
  abort: t`abort`,
};
const STEP_STATES: Partial<Record<string, string>> = {
  current: t`running`,
  done: t`done`,
  failed: t`failed`,
  skipped: t`skipped`,
};

/** What the switch itself did, moment by moment. */
export function SwitchSteps({ steps }: { steps: Upgrade["switch_steps"] }) {
  if (steps.length === 0) return null;
  return (
    <Card title={t`The switch, step by step`}>
      <DataTable
        label={t`Steps of the switch`}
        boxClass="short"
        rows={steps}
        rowKey={(step, at) => `${step.step} ${at}`}
        columns={[
          { header: t`Step`, isRowHeader: true, cell: (step) => STEPS[step.step] ?? step.step },
          { header: t`State`, cell: (step) => STEP_STATES[step.state] ?? step.state },
          { header: t`Result`, cell: (step) => worded(step.text, step.phrases) },
          {
            header: t`Took`,
            align: "end",
            cell: (step) => (step.took_seconds === null ? "–" : t`${Math.round(step.took_seconds * 1000)} ms`),
          },
        ]}
      />
    </Card>
  );
}
