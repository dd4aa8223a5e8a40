import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../wire/references";

export const KINDS: readonly ReferenceKind[] = ["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"];

export const kindWords: Record<ReferenceKind, string> = {
  BLOCK: "blocks deletion", CASCADE: "deleted with it", UNSET: "is cleared", OWNER: "owned", WEAK: "weak",
};

const CAP = 20;
const BUDGET = 300;

/** A resource, or several of one kind folded into one node. */
export interface Drawn {
  id: string;
  title: string;
  note: string;
  lane: number;
  state: ReferenceNode["state"] | "BUNDLE";
  focus: boolean;
  members: ReferenceNode[];
  /** Of a bundle: what is asked for to see its members one by one. */
  group?: string;
}

export interface Picture {
  nodes: Drawn[];
  edges: { id: string; source: string; target: string; kind: ReferenceKind; label?: string }[];
  shown: number;
  hidden: { budget: number; filter: number };
}

export function lastPart(name: string): string {
  return name.split("/").at(-1) ?? name;
}

/** How far each resource is from the focus: who refers to it left (-1, -2 …), what it refers to right. */
export function distances(focus: string, edges: readonly ReferenceEdge[]): Map<string, number> {
  const found = new Map([[focus, 0]]);
  const walk = (sign: 1 | -1): void => {
    let edge = new Set([focus]);
    for (let far = 1; edge.size > 0; far += 1) {
      const next = new Set<string>();
      for (const each of edges) {
        const [from, to] = sign === 1 ? [each.source, each.target] : [each.target, each.source];
        if (edge.has(from) && !found.has(to)) next.add(to);
      }
      for (const id of next) found.set(id, sign * far);
      edge = next;
    }
  };
  walk(-1);
  walk(1);
  return found;
}

const weight: Record<ReferenceKind, number> = { BLOCK: 0, CASCADE: 1, OWNER: 2, UNSET: 3, WEAK: 4 };

/** What to draw: kinds that are wanted, at most twenty neighbours of a kind each, at most 300 nodes; the rest is counted. */
export function picture(graph: References, wanted: ReadonlySet<ReferenceKind>, open: ReadonlySet<string> = new Set(), along: ReadonlySet<string> = new Set()): Picture {
  const kept = graph.edges.filter((edge) => wanted.has(edge.kind));
  const lanes = distances(graph.focus, kept);
  const strongest = new Map<string, ReferenceKind>();
  for (const edge of kept) {
    for (const id of [edge.source, edge.target]) {
      const before = strongest.get(id);
      if (before === undefined || weight[edge.kind] < weight[before]) strongest.set(id, edge.kind);
    }
  }
  const reached = graph.nodes.filter((node) => lanes.has(node.id));
  const ranked = [...reached].sort((one, other) =>
    Number(other.id === graph.focus || along.has(other.id)) - Number(one.id === graph.focus || along.has(one.id))
    || Math.abs(lanes.get(one.id) ?? 0) - Math.abs(lanes.get(other.id) ?? 0)
    || weight[strongest.get(one.id) ?? "WEAK"] - weight[strongest.get(other.id) ?? "WEAK"]
    || one.id.localeCompare(other.id));
  const groups = new Map<string, number>();
  const bundles = new Map<string, Drawn>();
  const place = new Map<string, string>();
  const nodes: Drawn[] = [];
  let shown = 0;
  for (const node of ranked) {
    const lane = lanes.get(node.id) ?? 0;
    const group = `${lane} ${node.type} ${node.region}`;
    const count = groups.get(group) ?? 0;
    groups.set(group, count + 1);
    if ((count < CAP || open.has(group) || along.has(node.id)) && shown < BUDGET) {
      nodes.push({ id: node.id, title: `${node.type} ${lastPart(node.name)}`, note: [node.region, node.version].filter(Boolean).join(" · "), lane, state: node.state, focus: node.id === graph.focus, members: [node] });
      place.set(node.id, node.id);
      shown += 1;
      continue;
    }
    const id = `bundle ${group}`;
    const bundle = bundles.get(id) ?? { id, group, title: "", note: node.region, lane, state: "BUNDLE", focus: false, members: [] };
    bundle.members.push(node);
    bundle.title = `+${bundle.members.length} more ${node.type}`;
    bundles.set(id, bundle);
    place.set(node.id, id);
  }
  nodes.push(...bundles.values());
  const drawn = new Map<string, Picture["edges"][number]>();
  for (const edge of kept) {
    const [source, target] = [place.get(edge.source), place.get(edge.target)];
    if (source && target) drawn.set(`${source} ${target} ${edge.kind}`, { id: `${source} ${target} ${edge.kind}`, source, target, kind: edge.kind });
  }
  return { nodes, edges: [...drawn.values()], shown, hidden: { budget: graph.hidden.budget + reached.length - shown, filter: graph.nodes.length - reached.length } };
}

/** What a question leaves of the graph; the nodes stay, so that what is hidden can be counted. */
export function narrowed(graph: References, only: string, region: string): References {
  if (!only && !region) return graph;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const broken = (id: string): boolean => ["MISSING", "UNKNOWN"].includes(nodes.get(id)?.state ?? "UNKNOWN");
  const edges = graph.edges.filter((edge) => {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (region && source?.region !== region && target?.region !== region) return false;
    return only === "" || (only === "broken" ? broken(edge.source) || broken(edge.target) : source?.region !== target?.region);
  });
  return { ...graph, edges };
}

/** Deployments instead of resources: lanes by rank, importers left, and on each line how many references it stands for. */
export function deployments(graph: References, ranks: ReadonlyMap<string, number>): Picture {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const key = (node: ReferenceNode): string => `${node.service}/${node.region}`;
  const held = new Map<string, ReferenceNode[]>();
  for (const node of graph.nodes) held.set(key(node), [...(held.get(key(node)) ?? []), node]);
  const order = [...new Set([...held.values()].map(([first]) => ranks.get(first?.service ?? "") ?? 0))].sort((one, other) => other - one);
  const focus = byId.get(graph.focus);
  const nodes = [...held].map(([id, members]): Drawn => {
    const { service = "", region = "" } = members[0] ?? {};
    return { id, title: service.split(".")[0] ?? service, note: `${region} · ${members.length} ${members.length === 1 ? "resource" : "resources"}`, lane: order.indexOf(ranks.get(service) ?? 0), state: "ACTIVE", focus: focus !== undefined && key(focus) === id, members };
  });
  const lines = new Map<string, { kind: ReferenceKind; count: number; source: string; target: string }>();
  for (const edge of graph.edges) {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)];
    if (!source || !target || key(source) === key(target)) continue;
    const id = `${key(source)} ${key(target)}`;
    const line = lines.get(id) ?? { kind: edge.kind, count: 0, source: key(source), target: key(target) };
    line.count += 1;
    if (weight[edge.kind] < weight[line.kind]) line.kind = edge.kind;
    lines.set(id, line);
  }
  const edges = [...lines].map(([id, { count, ...line }]) => ({ id, ...line, label: String(count) }));
  return { nodes, edges, shown: nodes.length, hidden: { budget: 0, filter: 0 } };
}

/** How many references go from each service to each other one. */
export function counts(graph: References): { services: string[]; at: (from: string, to: string) => number } {
  const service = new Map(graph.nodes.map((node) => [node.id, node.service]));
  const found = new Map<string, number>();
  for (const edge of graph.edges) {
    const pair = `${service.get(edge.source) ?? ""} ${service.get(edge.target) ?? ""}`;
    found.set(pair, (found.get(pair) ?? 0) + 1);
  }
  return { services: [...new Set(graph.nodes.map((node) => node.service))].sort(), at: (from, to) => found.get(`${from} ${to}`) ?? 0 };
}

const WIDE = 230;
const BETWEEN = 110;
const HIGH = 58;
const TALL = 10;

/** Lanes by distance; inside a lane blocking neighbours first, in columns of ten, centred on the focus. */
export function positions(nodes: readonly Drawn[]): Map<string, { x: number; y: number }> {
  const lanes = new Map<number, Drawn[]>();
  for (const node of nodes) lanes.set(node.lane, [...(lanes.get(node.lane) ?? []), node]);
  const found = new Map<string, { x: number; y: number }>();
  for (const side of [-1, 1]) {
    let x = 0;
    for (let far = side === 1 ? 0 : -1; lanes.has(far); far += side) {
      const members = lanes.get(far) ?? [];
      const columns = Math.ceil(members.length / TALL);
      if (far !== 0) x += side * (WIDE + BETWEEN);
      members.forEach((node, at) => {
        const column = Math.floor(at / TALL);
        const rows = Math.min(TALL, members.length - column * TALL);
        found.set(node.id, { x: x + side * column * WIDE, y: ((at % TALL) - (rows - 1) / 2) * HIGH });
      });
      x += side * (columns - 1) * WIDE;
    }
  }
  return found;
}

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
