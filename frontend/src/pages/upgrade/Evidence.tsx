import { useSamples, useParked } from "./queries";
import { Chart } from "../../parts/Chart";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Loaded } from "../../parts/states";
import { durationText, serverNow, tick } from "../../time/clock";
import { useStore } from "../../parts/store";
import { Age } from "../../time/Time";
import type { Upgrade } from "../../wire/model";
import { lastReport } from "./shards";

export function Charts({ upgrade, moving }: { upgrade: Upgrade; moving: boolean }) {
  const samples = useSamples(upgrade.id, moving);
  return (
    <Card className="charts">
      <Loaded of={samples} lines={3}>
        {(data) => {
          const marks = upgrade.steps.filter((step) => step.step === "Switching" && step.started_at).map((step) => ({ at: step.started_at ?? "", word: "switch" }));
          return (
            <>
              <Chart data={{ title: "Copy rate", unit: "/s", at: data.at, marks, lines: [{ name: "rate", colour: "--run", values: data.rate }] }} />
              <Chart data={{ title: "Lag behind the source", unit: " s", decimals: 1, at: data.at, marks, lines: [
                { name: "p50", colour: "--ok", values: data.lag_p50 }, { name: "p95", colour: "--new", values: data.lag_p95 }, { name: "max", colour: "--wait", values: data.lag_max },
              ] }} />
              <Chart data={{ title: "Shards level", unit: "", at: data.at, marks, lines: [{ name: "level", colour: "--ok", values: data.ready }] }} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

export function Stall({ stall }: { stall: Upgrade["stall"] }) {
  if (!stall) return null;
  return (
    <section className="notice soft-wait stall" role="status">
      <Shape tone="wait" size={16} />
      <div>
        <b>{stall.sentence}</b> Since <Age at={stall.since} />.
        {stall.shards.length ? <div>Shards {stall.shards.join(", ")}</div> : null}
        {stall.causes.length ? <ul>{stall.causes.map((cause) => <li key={cause}>{cause}</li>)}</ul> : null}
      </div>
    </section>
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
      <Shape tone="unknown" /> No reports from {upgrade.service} @ {upgrade.region} for {durationText((now - heard) / 1000)}; the state may be old.
    </div>
  );
}

export function DataTasks({ tasks }: { tasks: Upgrade["data_tasks"] }) {
  if (tasks.length === 0) return null;
  return (
    <Card title="Data tasks">
      <table className="table">
        <thead><tr><th scope="col">Task</th><th scope="col" className="num">Shards done</th><th scope="col">Progress</th></tr></thead>
        <tbody>
          {tasks.map((task, at) => (
            <tr key={task.task_tag ?? at}>
              <th scope="row">{task.task_tag}</th>
              <td className="num">{task.done ?? "–"} of {task.total ?? "–"}</td>
              <td>{Object.entries(task.progress ?? {}).map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`).join(" · ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

export function ParkedList({ upgrade }: { upgrade: Upgrade }) {
  const parked = useParked(upgrade.id, upgrade.parked_count);
  if (upgrade.parked_count === 0) return null;
  return (
    <Card title={`Parked resources: ${upgrade.parked_count}`} aside="They could not be converted or written; the others go on without them.">
      <Loaded of={parked} lines={2}>
        {(data) => (
          <Scroll label="Parked resources" className="short">
            <table className="table">
              <thead><tr><th scope="col">Resource</th><th scope="col">Why</th><th scope="col" className="num">Tries</th></tr></thead>
              <tbody>{data.items.map((item) => <tr key={item.name}><th scope="row" className="mono">{item.name}</th><td>{item.error}</td><td className="num">{item.attempts ?? "–"}</td></tr>)}</tbody>
            </table>
          </Scroll>
        )}
      </Loaded>
    </Card>
  );
}
