import { useHealth } from "../api/queries";
import { Card, Page } from "../parts/Page";
import { Status } from "../parts/Status";
import { componentWords } from "../parts/status";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Time } from "../time/Time";
import type { Component, ComponentStatus } from "../wire/model";

const order: Record<ComponentStatus, number> = { down: 0, degraded: 1, unknown: 2, ok: 3 };

/** Red rows first; among equals the server's order stays. */
export function bySeverity(components: readonly Component[]): Component[] {
  return [...components].sort((one, other) => order[one.status] - order[other.status]);
}

export function summary(components: readonly Component[]): string {
  const bad = components.filter((component) => component.status !== "ok");
  if (bad.length === 0) return `All ${components.length} components work.`;
  return `${bad.length} of ${components.length} components need a look: ${bad.map((component) => component.name).join(", ")}.`;
}

export function HealthTable({ components }: { components: readonly Component[] }) {
  return (
    <table className="table">
      <thead><tr><th scope="col">Component</th><th scope="col">State</th><th scope="col">Detail</th><th scope="col">Since</th></tr></thead>
      <tbody>
        {bySeverity(components).map((component) => (
          <tr key={component.name}>
            <th scope="row">{component.name}</th>
            <td><Status of={componentWords[component.status]} /></td>
            <td>{component.detail}{component.remedy ? <div className="small"><b>What to do:</b> {component.remedy}</div> : null}</td>
            <td>{component.since ? <Time at={component.since} /> : <span className="muted">–</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HealthPage() {
  const health = useHealth();
  return (
    <Page title="System health">
      <Loaded of={health}>
        {(data) => (
          <>
            <p className="sentence">{summary(data.components)}</p>
            <Card className="flush">
              {data.components.length ? <Scroll label="Components"><HealthTable components={data.components} /></Scroll> : <Empty title="No component has reported yet." />}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}
