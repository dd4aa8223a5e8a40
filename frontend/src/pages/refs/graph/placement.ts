import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../../wire/references";

export const weight: Record<ReferenceKind, number> = { BLOCK: 0, CASCADE: 1, OWNER: 2, UNSET: 3, WEAK: 4 };

/** Where a resource hangs in the picture. */
export interface Placement {
  /** How far from the focus: who refers to it left (-1, -2 …), what it refers to right. */
  layer: number;
  /** The neighbour it was reached from; of the focus itself, nobody. */
  parent: string;
  steps: number;
}

/**
 * Where each resource hangs: straight on from the focus if it is reached so; what is reached only by turning
 * round (who else refers to the same key), beside what it hangs on.
 */
export function placements(focus: string, edges: readonly ReferenceEdge[]): Map<string, Placement> {
  const result = new Map<string, Placement>([[focus, { layer: 0, parent: "", steps: 0 }]]);
  const spread = (from: ReadonlySet<string>, sides: readonly (1 | -1)[]): Set<string> => {
    const next = new Map<string, Placement>();
    for (const edge of edges) {
      for (const side of sides) {
        const [parent, id] = side === 1 ? [edge.source, edge.target] : [edge.target, edge.source];
        const on = from.has(parent) ? result.get(parent) : undefined;
        if (on && !result.has(id) && !next.has(id))
          next.set(id, { layer: on.layer + side, parent, steps: on.steps + 1 });
      }
    }
    for (const [id, hung] of next) result.set(id, hung);
    return new Set(next.keys());
  };
  for (const side of [-1, 1] as const) {
    for (let edge = new Set([focus]); edge.size > 0;) edge = spread(edge, [side]);
  }
  for (let edge = new Set(result.keys()); edge.size > 0;) edge = spread(edge, [-1, 1]);
  return result;
}

export function isBroken(state: ReferenceNode["state"] | undefined): boolean {
  return state === undefined || state === "MISSING" || state === "UNKNOWN";
}

type Rank = readonly (boolean | number | string)[];

/** Whether one comes before another: a yes before a no, more before fewer, later before earlier. */
function compare(one: Rank, other: Rank): number {
  const at = one.findIndex((each, index) => each !== other[index]);
  if (at < 0) return 0;
  return (one[at] ?? "") > (other[at] ?? "") ? -1 : 1;
}

/**
 * What is drawn first: the focus and its path, broken, blocking, across regions, changed lately, with many
 * references; whatever leads to one of these comes before it.
 */
export function ranked(
  graph: References,
  edges: readonly ReferenceEdge[],
  hung: ReadonlyMap<string, Placement>,
  along: ReadonlySet<string>,
): ReferenceNode[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const [blocking, crossing, degree] = [new Set<string>(), new Set<string>(), new Map<string, number>()];
  for (const edge of edges) {
    for (const id of [edge.source, edge.target]) {
      degree.set(id, (degree.get(id) ?? 0) + 1);
      if (edge.kind === "BLOCK") blocking.add(id);
      if (byId.get(edge.source)?.region !== byId.get(edge.target)?.region) crossing.add(id);
    }
  }
  const ranks = new Map<string, Rank>(
    graph.nodes.map(({ id, state, changed_at }) => [
      id,
      [
        id === graph.focus || along.has(id),
        isBroken(state),
        blocking.has(id),
        crossing.has(id),
        changed_at ?? "",
        degree.get(id) ?? 0,
      ],
    ]),
  );
  const steps = (node: ReferenceNode): number => hung.get(node.id)?.steps ?? 0;
  const reached = graph.nodes.filter((node) => hung.has(node.id));
  for (const { id } of [...reached].sort((one, other) => steps(other) - steps(one))) {
    const [parent, mine] = [hung.get(id)?.parent ?? "", ranks.get(id) ?? []];
    if (parent && compare(mine, ranks.get(parent) ?? []) < 0) ranks.set(parent, mine);
  }
  return reached.sort(
    (one, other) =>
      compare(ranks.get(one.id) ?? [], ranks.get(other.id) ?? []) ||
      steps(one) - steps(other) ||
      one.id.localeCompare(other.id),
  );
}
