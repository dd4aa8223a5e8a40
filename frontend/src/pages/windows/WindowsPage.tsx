import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { send } from "../api/client";
import { useFleet } from "../api/queries";
import { Card, Page } from "../parts/Page";
import { Scroll } from "../parts/Scroll";
import { useFilters } from "../parts/search";
import { Shape } from "../parts/Shape";
import { Empty, Loaded } from "../parts/states";
import { Status } from "../parts/Status";
import { durationText } from "../time/clock";
import { Time } from "../time/Time";
import type { Page as PageOf, Ruling, WindowRule } from "../wire/model";

/** Where a rule counts: `*` is anywhere. */
export function scopeText(rule: { service: string; region: string; environment: string }): string {
  const parts = [rule.service, rule.region, rule.environment].map((each) => (each === "*" ? "" : each));
  return parts.every((each) => each === "") ? "everywhere" : parts.filter(Boolean).join(" · ");
}

export function whenText(rule: Pick<WindowRule, "cron" | "minutes" | "starts" | "ends" | "zone">): string {
  return rule.cron ? `${rule.cron}, for ${durationText(rule.minutes * 60)} (${rule.zone})` : `${rule.starts} to ${rule.ends} (${rule.zone})`;
}

function Rules({ rules }: { rules: WindowRule[] }) {
  return (
    <Scroll label="Rules">
      <table className="table">
        <thead><tr><th scope="col">Rule</th><th scope="col">Does</th><th scope="col">Where</th><th scope="col">When</th><th scope="col">Next</th><th scope="col">Why</th></tr></thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.name}>
              <th scope="row">{rule.name}<div className="small muted">{rule.created_by}</div></th>
              <td className="top"><Status of={rule.effect === "allow" ? { tone: "ok", word: "allows" } : { tone: "blocked", word: "freezes" }} /></td>
              <td>{scopeText(rule)}</td>
              <td className="mono small">{whenText(rule)}</td>
              <td>{rule.next[0] ? <><Time at={rule.next[0].opens} />{rule.next[0].note ? <div className="small ink-wait">{rule.next[0].note}</div> : null}</> : <span className="muted">never again</span>}</td>
              <td>{rule.reason || <span className="muted">–</span>}{rule.ticket ? <div className="small mono">{rule.ticket}</div> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Explain() {
  const { filters, set } = useFilters(["deployment"]);
  const fleet = useFleet();
  const ruling = useQuery({
    queryKey: ["windows", "explain", filters.deployment],
    queryFn: ({ signal }) => send<Ruling>("/windows/explain", { query: { deployment: filters.deployment }, signal }),
    enabled: filters.deployment !== "",
  });
  return (
    <Card title="May a deployment switch now?">
      <Select maw={420} mb="sm" aria-label="Deployment" placeholder="Deployment" searchable clearable clearButtonProps={{ "aria-label": "Clear deployment" }} data={(fleet.data?.cells ?? []).map((cell) => ({ value: cell.name, label: `${cell.service} @ ${cell.region}` }))}
        value={filters.deployment || null} onChange={(value) => set("deployment", value ?? "")} nothingFoundMessage="No deployment has that name." />
      {filters.deployment === "" ? null : (
        <Loaded of={ruling} lines={2}>
          {(data) => (
            <>
              <p className={`sentence ${data.allowed ? "ink-ok" : "ink-bad"}`}><Shape tone={data.allowed ? "ok" : "blocked"} size={18} /> {data.sentence}</p>
              {data.considered.length ? <ul className="plain-list small">{data.considered.map((each) => <li key={each}>{each === data.winner ? <b>{each}, which wins</b> : each}</li>)}</ul> : null}
              {data.next_open ? <p className="small">Opens next <Time at={data.next_open} /></p> : null}
            </>
          )}
        </Loaded>
      )}
    </Card>
  );
}

export function WindowsPage() {
  const windows = useQuery({ queryKey: ["windows"], queryFn: ({ signal }) => send<PageOf<WindowRule>>("/windows", { signal }) });
  return (
    <Page title="Windows and freezes">
      <Loaded of={windows}>
        {(data) => data.items.length ? <Card className="flush"><Rules rules={data.items} /></Card> : (
          <Card><Empty title="No window and no freeze is set.">Switches are allowed at any time, unless an approval policy asks for a window.</Empty></Card>
        )}
      </Loaded>
      <Explain />
      <p className="small muted">A freeze beats every window. The same rules answer here, in the API and in <code>swy</code>.</p>
    </Page>
  );
}
