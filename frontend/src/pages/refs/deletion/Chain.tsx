import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { Card } from "../../../parts/Page";
import type { DeletionCheck } from "../../../wire/references";
import { kindWords, lastPart } from "../graph/graph";
import { isHidden, place } from "../Parts";
import { type PathStep, pathBetween } from "../graph/paths";
import { plural, t } from "../../../words/text";

const WIDE = 190;
const GAP = 120;
const HIGH = 44;

const shortName = (id: string): string => (isHidden(id) ? t`hidden` : lastPart(place(id).name));

/** The chain as a small drawing: what is to be deleted on the left, who stands in the way on the right. */
export function Drawing({ legs }: { legs: readonly PathStep[] }) {
  const width = legs.length * WIDE + (legs.length - 1) * GAP + 2;
  const words = legs.map((leg) => shortName(leg.id)).reduce((name, by) => t`${name}, which is referred to by ${by}`);
  return (
    <svg
      className="chain"
      role="img"
      aria-label={words}
      viewBox={`-1 -1 ${width} ${HIGH + 2}`}
      style={{ maxWidth: `${width}px` }}
    >
      {legs.map((leg, at) => {
        const x = at * (WIDE + GAP);
        const { service } = place(leg.id);
        const clip = (text: string, most: number): string =>
          text.length > most ? `${text.slice(0, most - 1)}…` : text;
        return (
          <g key={leg.id}>
            {leg.by ? (
              <>
                <path
                  d={`M${x} ${HIGH / 2} H${x - GAP + 6} m7 -4 l-7 4 l7 4`}
                  className={leg.by.kind === "BLOCK" || leg.by.kind === "OWNER" ? "bad" : ""}
                />
                <text x={x - GAP / 2 + 3} y={HIGH / 2 - 6} textAnchor="middle" className="note">
                  {kindWords[leg.by.kind]}
                </text>
                <text x={x - GAP / 2 + 3} y={HIGH / 2 + 15} textAnchor="middle" className="note">
                  {clip(leg.by.path, 17)}
                </text>
              </>
            ) : null}
            <rect x={x} width={WIDE} height={HIGH} rx={6} className={at === 0 ? "focus" : ""} />
            <text x={x + 10} y={18} className="title">
              {clip(shortName(leg.id), 24)}
            </text>
            <text x={x + 10} y={35} className="note">
              {clip(service, 28)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The shortest way from what is to be deleted to somebody who stands in the way. */
export function Chain({ of }: { of: DeletionCheck }) {
  const [first] = of.blockers;
  const direct = of.blockers.find((each) => each.target === of.focus.id) ?? null;
  const around = useQuery({
    queryKey: ["references", of.focus.id, "in", "4"],
    queryFn: ({ signal }) =>
      read("/references", { query: { name: of.focus.id, direction: "in", depth: 4, limit: 2500 }, signal }),
    enabled: first !== undefined && direct === null,
  });
  if (!first) return null;
  const legs: PathStep[] = direct
    ? [
        { id: of.focus.id, by: null },
        { id: direct.source, by: direct },
      ]
    : around.data
      ? pathBetween([...around.data.edges, ...of.blockers], of.focus.id, first.source)
      : [];
  return legs.length > 1 ? (
    <Card title={t`The shortest chain`} aside={plural(legs.length - 1, "# reference", "# references")}>
      <Drawing legs={legs} />
    </Card>
  ) : null;
}
