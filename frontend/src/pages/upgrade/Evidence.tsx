import { Link } from "react-router";
import { useSamples, useUpgradeEvents } from "./queries";
import { Chart } from "../../parts/Chart";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Loaded } from "../../parts/states";
import { durationText, serverNow, tick } from "../../time/clock";
import { countText } from "../../parts/status";
import { useStore } from "../../state/store";
import { Age } from "../../time/Time";
import type { Upgrade } from "../../wire/model";
import { lastReport } from "./shards";
import { rich, t } from "../../words/text";

export function Charts({ upgrade, moving }: { upgrade: Upgrade; moving: boolean }) {
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
                  lines: [{ name: "rate", colour: "--run", values: data.rate }],
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
                    { name: "p50", colour: "--ok", values: data.lag_p50 },
                    { name: "p95", colour: "--new", values: data.lag_p95 },
                    { name: "max", colour: "--wait", values: data.lag_max },
                  ],
                }}
              />
              <Chart
                data={{
                  title: t`Shards caught up`,
                  unit: "",
                  at: data.at,
                  marks,
                  lines: [{ name: "caught up", colour: "--ok", values: data.ready }],
                }}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** What holds the upgrade up: each cause with its age and what helps. The sentence above already says since when nothing was reported. */
export function Blockages({ upgrade }: { upgrade: Pick<Upgrade, "stall" | "blockages"> }) {
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
                {cause.sentence}
                {cause.since ? (
                  <>
                    {" "}
                    <span className="muted">
                      (<Age at={cause.since} />)
                    </span>
                  </>
                ) : null}
                {cause.remedy ? <div className="small muted">{cause.remedy}</div> : null}
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
      {paced.sentence} <Age at={paced.reported_at} />
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
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Task`}</th>
            <th scope="col">{t`To data version`}</th>
            <th scope="col" className="num">
              {t`Shards done`}
            </th>
            <th scope="col">{t`Progress`}</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr key={task.task_tag}>
              <th scope="row">{task.task_tag}</th>
              <td>{task.target_data_version || "–"}</td>
              <td className="num">{rich`${task.done} of ${task.total}`}</td>
              <td className="small">
                {task.done === task.total
                  ? t`done`
                  : Object.entries(task.progress)
                      .map(([key, value]) => `${key}: ${countText(value)}`)
                      .join(" · ") || t`no shard has reported yet`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** What the switch itself did, moment by moment. */
export function SwitchSteps({ steps }: { steps: Upgrade["switch_steps"] }) {
  if (steps.length === 0) return null;
  return (
    <Card title={t`The switch, step by step`}>
      <Scroll label={t`Steps of the switch`} className="short">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Step`}</th>
              <th scope="col">{t`State`}</th>
              <th scope="col">{t`Result`}</th>
              <th scope="col" className="num">
                {t`Took`}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step, at) => (
              <tr key={`${step.step} ${at}`}>
                <th scope="row">{step.step}</th>
                <td>{step.state}</td>
                <td>{step.text}</td>
                <td className="num">
                  {step.took_seconds === null ? "–" : t`${Math.round(step.took_seconds * 1000)} ms`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
