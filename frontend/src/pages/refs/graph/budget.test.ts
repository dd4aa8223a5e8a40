import { describe, expect, it } from "vitest";
import type { ReferenceEdge, ReferenceNode, References } from "../../../wire/references";
import { BUDGET, HARD_CAP, KINDS, type GraphView, graphView } from "./graph";
import { placements } from "./placement";
import { pathBetween } from "./paths";

const CAP = 20;
const STATES = ["ACTIVE", "ACTIVE", "ACTIVE", "DELETING", "MISSING", "UNKNOWN"] as const;
const all = new Set(KINDS);

/** Numbers below `most` that look like chance and are the same for the same seed. */
function chance(seed: number): (most: number) => number {
  let state = seed + 1;
  return (most) => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
}

/** A graph of up to 1,200 resources, most of them around a few, some of them reached by nothing. */
function anyGraph(seed: number): References {
  const pick = chance(seed);
  const size = 1 + pick(1200);
  const nodes = Array.from({ length: size }, (_, at): ReferenceNode => ({
    id: `n${at}`,
    name: `n${at}`,
    type: `Type${pick(4)}`,
    service: "s",
    region: pick(3) ? "eu" : "us",
    version: "v1",
    state: STATES[pick(STATES.length)] ?? "ACTIVE",
    changed_at: pick(2) ? `2026-01-${10 + pick(20)}T00:00:00Z` : null,
  }));
  const edges = Array.from({ length: size * 2 }, (): ReferenceEdge => {
    const [one, other] = [`n${pick(size)}`, `n${pick(1 + pick(Math.min(size, 30)))}`];
    return {
      source: pick(4) ? one : other,
      target: pick(4) ? other : one,
      kind: KINDS[pick(KINDS.length)] ?? "WEAK",
      path: "spec",
      version: "v1",
    };
  });
  return { focus: "n0", nodes, edges, hidden: { budget: pick(50), filter: 0 }, unknown: [] };
}

const resources = (drawn: GraphView): string[] =>
  drawn.nodes.flatMap((node) => (node.group === undefined ? [node.id] : []));
const bundles = (drawn: GraphView): GraphView["nodes"] => drawn.nodes.filter((node) => node.group !== undefined);

describe("the budget of the picture, whatever the graph", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const graph = anyGraph(seed);
    const wanted = seed % 3 ? all : new Set(KINDS.slice(0, 1 + (seed % KINDS.length)));
    const kept = graph.edges.filter((edge) => wanted.has(edge.kind));
    const hung = placements(graph.focus, kept);
    const far = [...hung.keys()].at(-1) ?? graph.focus;
    const along = new Set(pathBetween(kept, graph.focus, far).map((leg) => leg.id));

    it(`counts each resource once: drawn, folded or filtered (seed ${seed})`, () => {
      const drawn = graphView(graph, wanted, new Set(), along);
      const folded = bundles(drawn).flatMap((bundle) => bundle.members.map((node) => node.id));
      expect(drawn.shown + drawn.hidden.budget + drawn.hidden.filter).toBe(graph.nodes.length + graph.hidden.budget);
      expect(drawn.hidden.budget).toBe(folded.length + graph.hidden.budget);
      expect([...resources(drawn), ...folded].sort()).toEqual([...hung.keys()].sort());
      expect(drawn.shown).toBe(resources(drawn).length);
    });

    it(`always draws the focus and the way (seed ${seed})`, () => {
      const drawn = resources(graphView(graph, wanted, new Set(), along));
      expect([graph.focus, ...along].filter((id) => !drawn.includes(id))).toEqual([]);
    });

    it(`draws at most its budget, at most twenty of a type beside one resource, and nothing whose way is folded (seed ${seed})`, () => {
      const drawn = graphView(graph, wanted);
      const ids = new Set(resources(drawn));
      const beside = new Map<string, number>();
      for (const node of drawn.nodes) {
        const [only] = node.members;
        const { parent = "", layer: lane = 0 } = hung.get(node.id) ?? {};
        if (node.group !== undefined || !parent || !only) continue;
        expect(ids.has(parent)).toBe(true);
        beside.set(`${parent} ${lane} ${only.type}`, (beside.get(`${parent} ${lane} ${only.type}`) ?? 0) + 1);
      }
      expect(Math.max(0, ...beside.values())).toBeLessThanOrEqual(CAP);
      expect(drawn.shown).toBeLessThanOrEqual(BUDGET);
      expect(graphView(graph, wanted, new Set(), new Set(), HARD_CAP).shown).toBe(hung.size);
    });
  }

  it("counts twenty for each resource, not for the lane: two keys with thirty grants each have a bundle each", () => {
    const node = (id: string, type: string): ReferenceNode => ({
      id,
      name: id,
      type,
      service: "s",
      region: "r",
      changed_at: null,
      version: "v1",
      state: "ACTIVE",
    });
    const edge = (source: string, target: string): ReferenceEdge => ({
      source,
      target,
      kind: "BLOCK",
      path: "spec",
      version: "v1",
    });
    const grants = ["k1", "k2"].flatMap((key) =>
      Array.from({ length: 30 }, (_, at) => [node(`${key}-${at}`, "Grant"), edge(`${key}-${at}`, key)] as const),
    );
    const graph: References = {
      focus: "f",
      nodes: [node("f", "Ring"), node("k1", "Key"), node("k2", "Key"), ...grants.map(([each]) => each)],
      edges: [edge("k1", "f"), edge("k2", "f"), ...grants.map(([, each]) => each)],
      hidden: { budget: 0, filter: 0 },
      unknown: [],
    };
    const drawn = graphView(graph, all);
    expect([drawn.shown, bundles(drawn).map((bundle) => [bundle.group, bundle.title])]).toEqual([
      43,
      [
        ["k1 -2 Grant", "+10 more Grant"],
        ["k2 -2 Grant", "+10 more Grant"],
      ],
    ]);
    const opened = graphView(graph, all, new Set(["k1 -2 Grant"]));
    expect([opened.shown, bundles(opened).map((bundle) => bundle.group)]).toEqual([53, ["k2 -2 Grant"]]);
  });
});
