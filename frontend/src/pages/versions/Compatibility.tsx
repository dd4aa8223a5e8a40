import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Shape, type Tone } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";

export interface Finding {
  rule: string;
  weight: "break" | "staged" | "ordered" | "note";
  path: string;
  where: string;
  before: string;
  after: string;
  order: string;
  reasons: string[];
  losing_updates: string[];
  handled: boolean;
  advice: string;
}

export interface Loss {
  way: string;
  path: string;
  op: string;
  kept: "bag" | "witness" | "no" | "hidden";
}

export interface Compatibility {
  verdict: "same" | "compatible" | "handled" | "breaking";
  sentence: string;
  findings: Finding[];
  losses: Loss[];
}

const verdicts: Record<Compatibility["verdict"], Tone> = { same: "ok", compatible: "ok", handled: "ok", breaking: "bad" };
const weights: Record<Finding["weight"], { tone: Tone; word: string }> = {
  break: { tone: "bad", word: "breaks" },
  staged: { tone: "blocked", word: "needs stages" },
  ordered: { tone: "wait", word: "one side first" },
  note: { tone: "plain", word: "harmless" },
};
const kept: Record<Loss["kept"], string> = {
  bag: "waits out of sight, nothing is lost",
  witness: "comes back while its image is unchanged",
  no: "is given up",
  hidden: "is hidden from the other version",
};
const readers = ["strict", "filter", "pass"].map((value) => ({ value, label: { strict: "refuse it", filter: "drop it", pass: "keep it" }[value] ?? value }));

/** What weighs most and is not handled comes first. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  const rank = Object.keys(weights);
  return [...findings].sort((a, b) => Number(a.handled) - Number(b.handled) || rank.indexOf(a.weight) - rank.indexOf(b.weight) || a.path.localeCompare(b.path));
}

function Findings({ of }: { of: Finding[] }) {
  return (
    <Scroll label="Differences">
      <table className="table">
        <thead><tr><th scope="col">Weight</th><th scope="col">Where</th><th scope="col">What</th><th scope="col">Who goes first</th><th scope="col">What to do</th></tr></thead>
        <tbody>
          {byWeight(of).map((each) => (
            <tr key={`${each.path} ${each.rule} ${each.where} ${each.after}`}>
              <td className="nowrap"><Shape tone={each.handled ? "ok" : weights[each.weight].tone} /> {each.handled ? "handled" : weights[each.weight].word}</td>
              <th scope="row"><span className="mono">{each.path}</span><div className="small muted">{each.where}</div></th>
              <td>{each.rule.replaceAll("-", " ")}<div className="small muted">{[each.before || each.after ? `${each.before || "nothing"} → ${each.after || "nothing"}` : "", ...each.reasons].filter(Boolean).join("; ")}</div></td>
              <td>{each.order}</td>
              <td>{each.advice}{each.losing_updates.length ? <div className="small muted">Lost by {each.losing_updates.join(", ")}</div> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Losses({ of }: { of: Loss[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>What the conversions keep out of sight</h3>
      <ul className="plain-list">
        {of.map((each) => <li key={`${each.way} ${each.path} ${each.op}`}><span className="mono">{each.path}</span> {kept[each.kept]} <span className="small muted">{each.way}</span></li>)}
      </ul>
    </>
  );
}

/** Two versions of a service compared: what differs, who is hit, and what the conversions handle. */
export function CompatibilityCard({ service, versions }: { service: string; versions: readonly string[] }) {
  const [before, setBefore] = useState(versions.at(-2) ?? "");
  const [after, setAfter] = useState(versions.at(-1) ?? "");
  const [client, setClient] = useState("filter");
  const query = { before, after, client };
  const found = useQuery({
    queryKey: ["compatibility", service, query],
    queryFn: ({ signal }) => send<Compatibility>(`/services/${service}/compatibility`, { query, signal }),
    enabled: before !== after,
  });
  if (versions.length < 2) return null;
  return (
    <Card title="Compatibility">
      <div className="row wrap">
        <Select label="From" data={[...versions]} value={before} onChange={(value) => setBefore(value ?? before)} allowDeselect={false} />
        <Select label="To" data={[...versions]} value={after} onChange={(value) => setAfter(value ?? after)} allowDeselect={false} />
        <Select label="A key that clients do not know, they" data={readers} value={client} onChange={(value) => setClient(value ?? client)} allowDeselect={false} />
      </div>
      {before === after ? <Empty title="Choose two different versions." /> : (
        <Loaded of={found}>
          {(data) => (
            <>
              <p><Shape tone={verdicts[data.verdict]} /> {data.sentence}</p>
              {data.findings.length ? <Findings of={data.findings} /> : null}
              <Losses of={data.losses} />
            </>
          )}
        </Loaded>
      )}
    </Card>
  );
}
