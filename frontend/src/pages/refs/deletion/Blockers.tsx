import { Button } from "@mantine/core";
import { useState } from "react";
import { Scroll } from "../../../parts/Scroll";
import { Version } from "../../../parts/Status";
import { Time } from "../../../time/Time";
import type { Referring } from "../../../wire/references";
import { kindWords } from "../graph/graph";
import { ResourceName, place } from "../Parts";
import { rich, t } from "../../../words/text";

const FIRST = 200;

/** Referrers by the deployment they live in; the deployment with the most comes first. */
export function byDeployment(edges: readonly Referring[]): { deployment: string; edges: Referring[] }[] {
  const result = new Map<string, Referring[]>();
  for (const edge of edges) {
    const { service, region } = place(edge.source);
    const key = `${service} @ ${region}`;
    result.set(key, [...(result.get(key) ?? []), edge]);
  }
  return [...result]
    .map(([deployment, of]) => ({ deployment, edges: of }))
    .sort((one, other) => other.edges.length - one.edges.length || one.deployment.localeCompare(other.deployment));
}

function Group({ edges, label }: { edges: readonly Referring[]; label: string }) {
  const [shown, show] = useState(FIRST);
  return (
    <>
      <Scroll label={label}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Referrer`}</th>
              <th scope="col">{t`Kind`}</th>
              <th scope="col">{t`Version`}</th>
              <th scope="col">{t`Path in the schema`}</th>
              <th scope="col">{t`Rule`}</th>
              <th scope="col">{t`Owner`}</th>
              <th scope="col">{t`Since`}</th>
            </tr>
          </thead>
          <tbody>
            {edges.slice(0, shown).map((edge, at) => (
              <tr key={`${at} ${edge.source} ${edge.target} ${edge.path}`}>
                <th scope="row" className="break">
                  <ResourceName id={edge.source} />
                </th>
                <td>{edge.type || <span className="muted">{t`unknown`}</span>}</td>
                <td className="top">
                  <Version of={edge.version} />
                </td>
                <td className="mono small break">{edge.path}</td>
                <td className="top">
                  <span className={edge.kind === "BLOCK" || edge.kind === "OWNER" ? "ink-bad" : ""}>
                    {kindWords[edge.kind]}
                  </span>
                </td>
                <td className="break">{edge.owner || <span className="muted">–</span>}</td>
                <td className="top">
                  <Time at={edge.since} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {edges.length > shown ? (
        <div className="more">
          <Button size="xs" onClick={() => show(shown + FIRST)}>
            {rich`Show ${Math.min(FIRST, edges.length - shown)} more of ${edges.length - shown}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Who stands in the way, deployment by deployment. */
export function Blockers({ edges, label }: { edges: readonly Referring[]; label: string }) {
  return (
    <div className="stack">
      {byDeployment(edges).map((each) => (
        <div key={each.deployment}>
          <h3>
            {each.deployment}: {each.edges.length}
          </h3>
          <Group edges={each.edges} label={t`${label} in ${each.deployment}`} />
        </div>
      ))}
    </div>
  );
}
