import type { LiveEvent } from "../wire/model";
import type { ReferenceEdge, ReferenceNode, References } from "../wire/references";

/** A graph of references as it is streamed: by key, so that a patch can say what is new, other (an entry) or gone (null). */
export interface StreamedGraph extends Omit<References, "nodes" | "edges"> {
  nodes: Record<string, ReferenceNode>;
  edges: Record<string, ReferenceEdge>;
}

type Patch = Partial<Omit<StreamedGraph, "nodes" | "edges">> & {
  nodes?: Record<string, ReferenceNode | null>;
  edges?: Record<string, ReferenceEdge | null>;
};

function entries<T>(before: Record<string, T>, changed: Record<string, T | null> = {}): Record<string, T> {
  return Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter((each): each is [string, T] => each[1] !== null),
  );
}

/** What is known after an event; a patch of a graph that never came is of no use. */
export function laid(before: StreamedGraph | undefined, event: LiveEvent): StreamedGraph | undefined {
  const whole = (event.full as unknown as StreamedGraph | undefined) ?? before;
  const patch = (event.patch ?? {}) as Patch;
  return (
    whole && { ...whole, ...patch, nodes: entries(whole.nodes, patch.nodes), edges: entries(whole.edges, patch.edges) }
  );
}

export function listed(graph: StreamedGraph): References {
  return { ...graph, nodes: Object.values(graph.nodes), edges: Object.values(graph.edges) };
}

const edgeKey = (edge: ReferenceEdge): string => `${edge.source} ${edge.target} ${edge.kind} ${edge.path}`;

/** How many references came and went between two graphs. */
export function changedEdges(shown: References, latest: References): number {
  const [before, after] = [new Set(shown.edges.map(edgeKey)), new Set(latest.edges.map(edgeKey))];
  return [...before].filter((key) => !after.has(key)).length + [...after].filter((key) => !before.has(key)).length;
}

/** The picture that is looked at, told anew what state its resources are in and who did not answer; nothing moves. */
export function recoloured(shown: References, latest: References): References {
  const now = new Map(latest.nodes.map((node) => [node.id, node]));
  return { ...shown, unknown: latest.unknown, nodes: shown.nodes.map((node) => now.get(node.id) ?? node) };
}
