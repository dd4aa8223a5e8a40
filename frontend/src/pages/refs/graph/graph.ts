import type { ReferenceKind, ReferenceNode, References } from "../../../wire/references";
import { placements, isBroken, ranked, weight } from "./placement";
import type { Word } from "../../../parts/status";
import { plural, t } from "../../../words/text";

export const KINDS: readonly ReferenceKind[] = ["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"];

export const kindWords: Record<ReferenceKind, string> = {
  BLOCK: t`blocks deletion`,
  CASCADE: t`deleted with it`,
  UNSET: t`set to empty`,
  OWNER: t`owned`,
  WEAK: t`weak`,
};

/** Where a resource of the graph is; one of another deployment that does not answer is unknown. */
export const nodeWords: Record<ReferenceNode["state"], Word> = {
  ACTIVE: { tone: "ok", word: t`exists` },
  DELETE_PENDING: { tone: "wait", word: t`deletion requested` },
  DELETING: { tone: "wait", word: t`being deleted` },
  MISSING: { tone: "unknown", word: t`missing` },
  UNKNOWN: { tone: "unknown", word: t`unknown` },
};

const CAP = 20;
export const BUDGET = 300;
/** More than this many are never drawn. */
export const HARD_CAP = 1500;

/** A resource, or several of one kind folded into one node. */
export interface DrawnNode {
  id: string;
  title: string;
  note: string;
  series: number;
  state: ReferenceNode["state"] | "BUNDLE";
  focus: boolean;
  /** On the map: what lies in one region is level, lane after lane. */
  row?: number;
  members: ReferenceNode[];
  /** Of a bundle: what is asked for to see its members one by one. */
  group?: string;
  /** Of a resource: the bundle it belongs to when that is folded. */
  within?: string;
}

export interface GraphView {
  nodes: DrawnNode[];
  edges: { id: string; source: string; target: string; kind: ReferenceKind; label?: string; wide?: number }[];
  shown: number;
  hidden: { budget: number; filter: number };
}

export function lastPart(name: string): string {
  return name.split("/").at(-1) ?? name;
}

/**
 * What to draw: kinds that are wanted, at most twenty of a type beside each neighbour, at most 300 nodes unless
 * more is asked for; the rest is counted.
 */
export function graphView(
  graph: References,
  requested: ReadonlySet<ReferenceKind>,
  open: ReadonlySet<string> = new Set(),
  along: ReadonlySet<string> = new Set(),
  most = BUDGET,
): GraphView {
  const kept = graph.edges.filter((edge) => requested.has(edge.kind));
  const hung = placements(graph.focus, kept);
  const reached = ranked(graph, kept, hung, along);
  const cap = most > BUDGET ? Infinity : CAP;
  const counts = new Map<string, number>();
  const bundles = new Map<string, DrawnNode>();
  const place = new Map<string, string>();
  const nodes: DrawnNode[] = [];
  /** The nearest that is drawn of what a resource hangs on; once the budget is spent, the focus. */
  const anchor = (id: string): string => {
    let on = hung.get(id)?.parent ?? "";
    while (on && (nodes.length >= most || place.get(on) !== on)) on = hung.get(on)?.parent ?? "";
    return on || graph.focus;
  };
  for (const node of reached) {
    const { layer: column = 0, parent = "" } = hung.get(node.id) ?? {};
    const group = groupOf(anchor(node.id), column, node.type);
    const count = counts.get(group) ?? 0;
    const isBeside = count < cap && place.get(parent) === parent;
    if (nodes.length < most && (node.id === graph.focus || along.has(node.id) || open.has(group) || isBeside)) {
      counts.set(group, count + 1);
      nodes.push({
        id: node.id,
        title: `${node.type} ${lastPart(node.name)}`,
        note: [node.region, node.version].filter(Boolean).join(" · "),
        series: column,
        state: node.state,
        focus: node.id === graph.focus,
        within: group,
        members: [node],
      });
      place.set(node.id, node.id);
      continue;
    }
    const id = `bundle:${group}`;
    const bundle = bundles.get(id) ?? {
      id,
      group,
      title: "",
      note: "",
      series: column,
      state: "BUNDLE",
      focus: false,
      members: [],
    };
    bundle.members.push(node);
    bundles.set(id, bundle);
    place.set(node.id, id);
  }
  const shown = nodes.length;
  for (const bundle of bundles.values()) {
    const { members } = bundle;
    nodes.push({
      ...bundle,
      title: t`+${members.length} more ${members[0]?.type ?? ""}`,
      note: [...new Set(members.map((node) => node.region))].sort().join(", "),
    });
  }
  const drawn = new Map<string, GraphView["edges"][number]>();
  for (const edge of kept) {
    const [source, target] = [place.get(edge.source), place.get(edge.target)];
    if (source && target)
      drawn.set(`${source} ${target} ${edge.kind}`, {
        id: `${source} ${target} ${edge.kind}`,
        source,
        target,
        kind: edge.kind,
      });
  }
  return {
    nodes,
    edges: [...drawn.values()],
    shown,
    hidden: { budget: graph.hidden.budget + reached.length - shown, filter: graph.nodes.length - reached.length },
  };
}

/** What is folded together: of one type, on one side of one resource. */
function groupOf(beside: string, track: number, type: string): string {
  return `${beside} ${track} ${type}`;
}

export interface GraphFilter {
  only: string;
  region: string;
  version: string;
  /** Resource types that are not wanted. */
  hide: ReadonlySet<string>;
}

/** What a question leaves of the graph; the nodes stay, so that what is hidden can be counted. */
export function filteredGraph(graph: References, { only, region, version, hide }: GraphFilter): References {
  if (!only && !region && !version && hide.size === 0) return graph;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const away = (node: ReferenceNode | undefined): boolean =>
    node !== undefined && node.id !== graph.focus && hide.has(node.type);
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
export function expandedGraph(graph: References, more: readonly References[]): References {
  if (more.length === 0) return graph;
  const nodes = new Map([...more.flatMap((each) => each.nodes), ...graph.nodes].map((node) => [node.id, node]));
  const edges = new Map(
    [...more.flatMap((each) => each.edges), ...graph.edges].map((edge) => [
      `${edge.source} ${edge.target} ${edge.kind} ${edge.path}`,
      edge,
    ]),
  );
  const unknown = new Map(
    [...graph.unknown, ...more.flatMap((each) => each.unknown)].map((each) => [`${each.service} ${each.region}`, each]),
  );
  const budget = graph.hidden.budget + more.reduce((sum, each) => sum + each.hidden.budget, 0);
  return {
    ...graph,
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    unknown: [...unknown.values()],
    hidden: { ...graph.hidden, budget },
  };
}

/**
 * Deployments instead of resources: lanes by rank, importers left; rows by region; on each line, and by its
 * width, how many references it stands for.
 */
export function deployments(graph: References, ranks: ReadonlyMap<string, number>): GraphView {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const key = (node: ReferenceNode): string => `${node.service}/${node.region}`;
  const held = new Map<string, ReferenceNode[]>();
  for (const node of graph.nodes) held.set(key(node), [...(held.get(key(node)) ?? []), node]);
  const order = [...new Set([...held.values()].map(([first]) => ranks.get(first?.service ?? "") ?? 0))].sort(
    (one, other) => other - one,
  );
  const regions = [...new Set([...held.values()].map(([first]) => first?.region ?? ""))].sort();
  const focus = byId.get(graph.focus);
  const nodes = [...held].map(([id, members]): DrawnNode => {
    const { service = "", region = "" } = members[0] ?? {};
    return {
      id,
      title: service.split(".")[0] ?? service,
      note: `${region} · ${plural(members.length, "# resource", "# resources")}`,
      series: order.indexOf(ranks.get(service) ?? 0),
      row: regions.indexOf(region),
      state: "ACTIVE",
      focus: focus !== undefined && key(focus) === id,
      members,
    };
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
  const edges = [...lines].map(([id, { count, ...line }]) => ({
    id,
    ...line,
    label: String(count),
    wide: Math.min(8, 1.5 + Math.log2(count)),
  }));
  return { nodes, edges, shown: nodes.length, hidden: { budget: 0, filter: 0 } };
}

/** How many references a view shows: the map has only those from one deployment to another. */
export function shownReferences(view: string, edges: References["edges"], map: GraphView): number {
  return view === "map" ? map.edges.reduce((sum, line) => sum + Number(line.label), 0) : edges.length;
}

/** How many references go from each service to each other one. */
export function counts(graph: References): { services: string[]; at: (from: string, to: string) => number } {
  const service = new Map(graph.nodes.map((node) => [node.id, node.service]));
  const result = new Map<string, number>();
  for (const edge of graph.edges) {
    const pair = `${service.get(edge.source) ?? ""} ${service.get(edge.target) ?? ""}`;
    result.set(pair, (result.get(pair) ?? 0) + 1);
  }
  return {
    services: [...new Set(graph.nodes.map((node) => node.service))].sort(),
    at: (from, to) => result.get(`${from} ${to}`) ?? 0,
  };
}
