import { Button } from "@mantine/core";
import { useState } from "react";
import { Version } from "../../../parts/Status";
import { DataTable } from "../../../parts/tables/DataTable";
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
      <DataTable
        label={label}
        rows={edges.slice(0, shown)}
        rowKey={(edge, at) => `${at} ${edge.source} ${edge.target} ${edge.path}`}
        columns={[
          {
            header: t`Referrer`,
            isRowHeader: true,
            className: "break",
            cell: (edge) => <ResourceName id={edge.source} />,
          },
          { header: t`Kind`, cell: (edge) => edge.type || <span className="muted">{t`unknown`}</span> },
          { header: t`Version`, className: "top", cell: (edge) => <Version of={edge.version} /> },
          { header: t`Path in the schema`, className: "mono small break", cell: (edge) => edge.path },
          {
            header: t`Rule`,
            className: "top",
            cell: (edge) => (
              <span className={edge.kind === "BLOCK" || edge.kind === "OWNER" ? "ink-bad" : ""}>
                {kindWords[edge.kind]}
              </span>
            ),
          },
          { header: t`Owner`, className: "break", cell: (edge) => edge.owner || <span className="muted">–</span> },
          { header: t`Since`, className: "top", cell: (edge) => <Time at={edge.since} /> },
        ]}
      />
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
