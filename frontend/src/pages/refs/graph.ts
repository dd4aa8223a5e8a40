import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../wire/references";

export const KINDS: readonly ReferenceKind[] = ["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"];

export const kindWords: Record<ReferenceKind, string> = {
  BLOCK: "blocks deletion", CASCADE: "deleted with it", UNSET: "is cleared", OWNER: "owned", WEAK: "weak",
};

const CAP = 20;
/** What is reached only by turning round comes after everything that is reached straight on. */
const TURNED = 100;
export const BUDGET = 300;
/** More than this many are never drawn. */
export const HARD_CAP = 1500;

/** A resource, or several of one kind folded into one node. */
export interface Drawn {
  id: string;
  title: string;
  note: string;
  lane: number;
  state: ReferenceNode["state"] | "BUNDLE";
  focus: boolean;
  /** On the map: what lies in one region is level, lane after lane. */
  row?: number;
  members: ReferenceNode[];
  /** Of a bundle: what is asked for to see its members one by one. */
  group?: string;
}

export interface Picture {
  nodes: Drawn[];
  edges: { id: string; source: string; target: string; kind: ReferenceKind; label?: string; wide?: number }[];
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

/** The lane of each resource: its distance; what is reached only by turning round (who else refers to the same key) lies beside what it hangs on. */
export function lanesOf(far: ReadonlyMap<string, number>, edges: readonly ReferenceEdge[]): Map<string, number> {
  const found = new Map(far);
  for (let grew = true; grew;) {
    const before = new Map(found);
    for (const each of edges) {
      const [source, target] = [before.get(each.source), before.get(each.target)];
      if (source === undefined && target !== undefined && !found.has(each.source)) found.set(each.source, target - 1);
      if (target === undefined && source !== undefined && !found.has(each.target)) found.set(each.target, source + 1);
    }
    grew = found.size > before.size;
  }
  return found;
}

const weight: Record<ReferenceKind, number> = { BLOCK: 0, CASCADE: 1, OWNER: 2, UNSET: 3, WEAK: 4 };

function isBroken(state: ReferenceNode["state"] | undefined): boolean {
  return state === undefined || state === "MISSING" || state === "UNKNOWN";
}

/** What is drawn first: the focus and its path, broken, blocking, across regions, changed lately, with many references. */
function ranking(graph: References, edges: readonly ReferenceEdge[], far: ReadonlyMap<string, number>, along: ReadonlySet<string>): (one: ReferenceNode, other: ReferenceNode) => number {
  const region = new Map(graph.nodes.map((node) => [node.id, node.region]));
  const strongest = new Map<string, number>();
  const crossing = new Set<string>();
  const degree = new Map<string, number>();
  for (const edge of edges) {
    for (const id of [edge.source, edge.target]) {
      strongest.set(id, Math.min(strongest.get(id) ?? weight.WEAK, weight[edge.kind]));
      degree.set(id, (degree.get(id) ?? 0) + 1);
      if (region.get(edge.source) !== region.get(edge.target)) crossing.add(id);
    }
  }
  const first = (yes: (node: ReferenceNode) => boolean) => (one: ReferenceNode, other: ReferenceNode): number => Number(yes(other)) - Number(yes(one));
  const onPath = first((node) => node.id === graph.focus || along.has(node.id));
  const broken = first((node) => isBroken(node.state));
  const blocking = first((node) => strongest.get(node.id) === weight.BLOCK);
  const across = first((node) => crossing.has(node.id));
  return (one, other) =>
    onPath(one, other) || broken(one, other) || blocking(one, other)
    || Math.abs(far.get(one.id) ?? TURNED) - Math.abs(far.get(other.id) ?? TURNED)
    || across(one, other)
    || (strongest.get(one.id) ?? weight.WEAK) - (strongest.get(other.id) ?? weight.WEAK)
    || (other.changed_at ?? "").localeCompare(one.changed_at ?? "")
    || (degree.get(other.id) ?? 0) - (degree.get(one.id) ?? 0)
    || one.id.localeCompare(other.id);
}

/** What to draw: kinds that are wanted, at most twenty neighbours of a kind each, at most 300 nodes unless more is asked for; the rest is counted. */
export function picture(graph: References, wanted: ReadonlySet<ReferenceKind>, open: ReadonlySet<string> = new Set(), along: ReadonlySet<string> = new Set(), most = BUDGET): Picture {
  const kept = graph.edges.filter((edge) => wanted.has(edge.kind));
  const far = distances(graph.focus, kept);
  const lanes = lanesOf(far, kept);
  const reached = graph.nodes.filter((node) => lanes.has(node.id));
  const ranked = [...reached].sort(ranking(graph, kept, far, along));
  const cap = most > BUDGET ? Infinity : CAP;
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
    if ((count < cap || open.has(group) || along.has(node.id)) && shown < most) {
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

export interface Narrowing {
  only: string;
  region: string;
  version: string;
  /** Resource types that are not wanted. */
  hide: ReadonlySet<string>;
}

/** What a question leaves of the graph; the nodes stay, so that what is hidden can be counted. */
export function narrowed(graph: References, { only, region, version, hide }: Narrowing): References {
  if (!only && !region && !version && hide.size === 0) return graph;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const away = (node: ReferenceNode | undefined): boolean => node !== undefined && node.id !== graph.focus && hide.has(node.type);
  const edges = graph.edges.filter((edge) => {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (away(source) || away(target)) return false;
    if (region && source?.region !== region && target?.region !== region) return false;
    if (version && edge.version !== version) return false;
    switch (only) {
      case "broken":
        return isBroken(source?.state) || isBroken(target?.state);
      case "cross":
        return source?.region !== target?.region;
      case "blocking":
        return edge.kind === "BLOCK" || edge.kind === "OWNER";
      default:
        return true;
    }
  });
  return { ...graph, edges };
}

/** A graph with what lies around further resources of it. */
export function grown(graph: References, more: readonly References[]): References {
  if (more.length === 0) return graph;
  const nodes = new Map([...more.flatMap((each) => each.nodes), ...graph.nodes].map((node) => [node.id, node]));
  const edges = new Map([...more.flatMap((each) => each.edges), ...graph.edges].map((edge) => [`${edge.source} ${edge.target} ${edge.kind} ${edge.path}`, edge]));
  const unknown = new Map([...graph.unknown, ...more.flatMap((each) => each.unknown)].map((each) => [`${each.service} ${each.region}`, each]));
  const budget = graph.hidden.budget + more.reduce((sum, each) => sum + each.hidden.budget, 0);
  return { ...graph, nodes: [...nodes.values()], edges: [...edges.values()], unknown: [...unknown.values()], hidden: { ...graph.hidden, budget } };
}

/** Deployments instead of resources: lanes by rank, importers left; rows by region; on each line, and by its width, how many references it stands for. */
export function deployments(graph: References, ranks: ReadonlyMap<string, number>): Picture {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const key = (node: ReferenceNode): string => `${node.service}/${node.region}`;
  const held = new Map<string, ReferenceNode[]>();
  for (const node of graph.nodes) held.set(key(node), [...(held.get(key(node)) ?? []), node]);
  const order = [...new Set([...held.values()].map(([first]) => ranks.get(first?.service ?? "") ?? 0))].sort((one, other) => other - one);
  const regions = [...new Set([...held.values()].map(([first]) => first?.region ?? ""))].sort();
  const focus = byId.get(graph.focus);
  const nodes = [...held].map(([id, members]): Drawn => {
    const { service = "", region = "" } = members[0] ?? {};
    return { id, title: service.split(".")[0] ?? service, note: `${region} · ${members.length} ${members.length === 1 ? "resource" : "resources"}`, lane: order.indexOf(ranks.get(service) ?? 0), row: regions.indexOf(region), state: "ACTIVE", focus: focus !== undefined && key(focus) === id, members };
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
  const edges = [...lines].map(([id, { count, ...line }]) => ({ id, ...line, label: String(count), wide: Math.min(8, 1.5 + Math.log2(count)) }));
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
