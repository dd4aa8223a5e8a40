import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { lagText, type Word } from "../../parts/status";
import type { Constraints, Moving, Tally } from "../../wire/constraints";
import { EvictionCard } from "./Eviction";

const following: Record<Constraints["subscriptions"][number]["state"], Word> = {
  following: { tone: "ok", word: "following" },
  trying: { tone: "wait", word: "no answer yet" },
  parked: { tone: "bad", word: "parked" },
};

function since(count: number, seconds: number): string {
  return count === 0 ? "0" : `${count}, the oldest for ${lagText(seconds)}`;
}

function Counts({ of }: { of: Tally }) {
  return (
    <dl className="facts">
      <dt>Pending confirmations</dt><dd>{since(of.owed, of.oldest_owed_seconds)}</dd>
      <dt>Blockades</dt><dd>{since(of.blockades, of.oldest_blockade_seconds)}</dd>
      <dt>Unresolved attempts</dt><dd>{of.overdue_blockades}</dd>
      <dt>Asked to be deleted</dt><dd>{of.pending_deletes}</dd>
      <dt>Being deleted</dt><dd>{since(of.deleting, of.oldest_deleting_seconds)}</dd>
    </dl>
  );
}

function Waits({ of }: { of: Moving }) {
  if (of.blockers.length) return <>{of.blockers.map((each) => <div key={`${each.name}#${each.path}`}>{each.name} <span className="muted">by {each.path}</span></div>)}</>;
  if (of.sources.length) return <>{of.sources.map((each) => <div key={each}>the word of {each.replace(/^services\/(.*)\/deployments\//, "$1 @ ")}</div>)}</>;
  return <>its turn</>;
}

function MovingTable({ of }: { of: Constraints }) {
  if (of.moving.length === 0) return <Empty title="Nothing is being deleted." />;
  return (
    <Scroll label="Being deleted"><table className="table">
      <thead><tr><th scope="col">Resource</th><th scope="col">State</th><th scope="col" className="num">Age</th><th scope="col">Waits for</th></tr></thead>
      <tbody>
        {of.moving.map((each) => (
          <tr key={`${each.type} ${each.name}`}>
            <th scope="row" className="break"><Link to={`/refs/deletion?name=${encodeURIComponent(`//${of.service}/${of.region}/${each.name}`)}`}>{each.name}</Link> <span className="small muted">{each.type}</span></th>
            <td>{each.state === "DELETING" ? "being deleted" : "asked to be"}</td>
            <td className="num">{lagText(each.age_seconds)}</td>
            <td className="break"><Waits of={each} /></td>
          </tr>
        ))}
      </tbody>
    </table></Scroll>
  );
}

function Subscriptions({ of }: { of: Constraints }) {
  if (of.subscriptions.length === 0) return <Empty title="It follows no other deployment." />;
  return (
    <ul className="plain-list">
      {of.subscriptions.map((each) => (
        <li key={each.region} className="row between wrap">
          <span>Deletions in {each.region}</span>
          <span className="row"><Status of={following[each.state]} />{each.late_seconds > 1 ? <span className="small muted">late by {lagText(each.late_seconds)}</span> : null}<span className="small muted">{each.reason}</span></span>
        </li>
      ))}
    </ul>
  );
}

/** What a deployment has under way with others: what it owes, what blocks, what is being deleted and why it waits. */
export function ConstraintsPanel({ service, region }: { service: string; region: string }) {
  const found = useQuery({ queryKey: ["constraints", service, region], queryFn: ({ signal }) => send<Constraints>(`/constraints/${service}/${region}`, { signal }), refetchInterval: 10_000 });
  return (
    <div className="stack">
      <Loaded of={found} lines={5}>
        {(data) => (
          <>
            {data.state === "known" ? null : (
              <div className="notice soft-unknown" role="status"><Shape tone="unknown" /><span><b>{data.state === "evicted" ? "Evicted." : "Unknown."}</b> {data.reason}</span></div>
            )}
            <div className="halves">
              <Card title="With other deployments">{data.tally ? <Counts of={data.tally} /> : <Empty title="Unknown: it did not answer." />}</Card>
              <Card title="Follows"><Subscriptions of={data} /></Card>
            </div>
            <Card title="Being deleted">{data.state === "known" ? <MovingTable of={data} /> : <Empty title="Unknown: it did not answer." />}</Card>
          </>
        )}
      </Loaded>
      <EvictionCard service={service} region={region} />
    </div>
  );
}
