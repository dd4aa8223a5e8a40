import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../../wire/references";
import { placements } from "./placement";

export interface PathStep {
  id: string;
  /** How this resource is tied to the one before; null for the first. */
  by: ReferenceEdge | null;
}

/** The shortest way from one resource to another along references, in either direction; empty when there is none. */
export function pathBetween(edges: readonly ReferenceEdge[], from: string, to: string): PathStep[] {
  const before = new Map<string, PathStep>([[from, { id: "", by: null }]]);
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
  const legs: PathStep[] = [];
  for (let id = to; id !== ""; id = before.get(id)?.id ?? "") legs.unshift({ id, by: before.get(id)?.by ?? null });
  return legs;
}

export interface Branch {
  node: ReferenceNode;
  kind: ReferenceKind | null;
  /** Reached by turning round: the way that its reference points, if that is not the way of the tree. */
  turned: boolean;
  children: Branch[];
}

/**
 * The graph as a tree from the focus: each resource once, where it is nearest; who else refers to the same hangs
 * on what is referred to.
 */
export function tree(graph: References, requested: ReadonlySet<ReferenceKind>, direction: "in" | "out"): Branch | null {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => requested.has(edge.kind));
  const hung = placements(graph.focus, edges);
  const seen = new Set([graph.focus]);
  const grow = (id: string, kind: ReferenceKind | null, turned: boolean): Branch | null => {
    const node = byId.get(id);
    if (!node) return null;
    const next = edges
      .flatMap((edge) => {
        const [parent, child] = direction === "in" ? [edge.target, edge.source] : [edge.source, edge.target];
        if (parent === id) return [{ id: child, kind: edge.kind, turned: false }];
        return child === id && id !== graph.focus && hung.get(parent)?.parent === id
          ? [{ id: parent, kind: edge.kind, turned: true }]
          : [];
      })
      .filter((each) => byId.has(each.id) && !seen.has(each.id) && seen.add(each.id));
    return { node, kind, turned, children: next.flatMap((each) => grow(each.id, each.kind, each.turned) ?? []) };
  };
  return grow(graph.focus, null, false);
}
