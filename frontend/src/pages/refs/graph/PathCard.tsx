import { Link } from "react-router";
import { Card } from "../../../parts/Page";
import { Empty } from "../../../parts/states";
import type { References } from "../../../wire/references";
import { kindWords } from "./graph";
import { place } from "../Parts";
import type { PathStep } from "./paths";
import { rich, t } from "../../../words/text";

/** The shortest way between two resources, reference by reference. */
export function PathCard({ graph, legs }: { graph: References; legs: readonly PathStep[] }) {
  const { service: here, region } = place(graph.focus);
  return (
    <Card title={t`Path`}>
      {legs.length === 0 ? (
        <Empty title={t`No path within the shown depth.`} />
      ) : (
        <ol className="would">
          {legs.map((leg) => {
            const at = place(leg.id);
            return (
              <li key={leg.id}>
                {leg.by ? (
                  <span className="muted">{leg.by.source === leg.id ? t`is referred to by ` : t`refers to `}</span>
                ) : null}
                <Link to={`/refs?name=${encodeURIComponent(leg.id)}`}>{at.name}</Link>
                {at.service !== here || at.region !== region ? (
                  <span className="muted"> {rich`in ${at.service} @ ${at.region}`}</span>
                ) : null}
                {leg.by ? (
                  <span className="small muted">
                    {" "}
                    {rich`${kindWords[leg.by.kind]}, field ${(<code>{leg.by.path}</code>)}`}
                  </span>
                ) : null}
              </li>
            );
          })}
        </ol>
      )}
    </Card>
  );
}
