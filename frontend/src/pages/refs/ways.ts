import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../wire/references";

export interface Leg {
  id: string;
  /** How this resource is tied to the one before; null for the first. */
  by: ReferenceEdge | null;
}

/** The shortest way from one resource to another along references, in either direction; empty when there is none. */
export function pathBetween(edges: readonly ReferenceEdge[], from: string, to: string): Leg[] {
  const before = new Map<string, Leg>([[from, { id: "", by: null }]]);
  let edge = [from];
  while (edge.length > 0 && !before.has(to)) {
    const next: string[] = [];
    for (const id of edge) {
      for (const each of edges) {
        const other = each.source === id ? each.target : each.target === id ? each.source : null;
        if (other === null || before.has(other)) continue;
        before.set(other, { id, by: each });
        next.push(other);
      }
    }
    edge = next;
  }
  if (!before.has(to)) return [];
  const legs: Leg[] = [];
  for (let id = to; id !== ""; id = before.get(id)?.id ?? "") legs.unshift({ id, by: before.get(id)?.by ?? null });
  return legs;
}

export interface Branch {
  node: ReferenceNode;
  kind: ReferenceKind | null;
  children: Branch[];
}

/** The graph as a tree from the focus: each resource once, where it is nearest. */
export function tree(graph: References, wanted: ReadonlySet<ReferenceKind>, direction: "in" | "out"): Branch | null {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const seen = new Set([graph.focus]);
  const grow = (id: string, kind: ReferenceKind | null): Branch | null => {
    const node = byId.get(id);
    if (!node) return null;
    const next = graph.edges
      .filter((edge) => wanted.has(edge.kind) && (direction === "in" ? edge.target : edge.source) === id)
      .map((edge) => ({ id: direction === "in" ? edge.source : edge.target, kind: edge.kind }))
      .filter((each) => !seen.has(each.id) && seen.add(each.id));
    return { node, kind, children: next.flatMap((each) => grow(each.id, each.kind) ?? []) };
  };
  return grow(graph.focus, null);
}
