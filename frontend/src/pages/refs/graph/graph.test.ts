import { describe, expect, it } from "vitest";
import type { ReferenceEdge, ReferenceKind, ReferenceNode, References } from "../../../wire/references";
import { deployments, expandedGraph, HARD_CAP, KINDS, graphView } from "./graph";
import { placements } from "./placement";
import { placed, positions, stepFrom } from "./layout";
import { pathBetween, tree } from "./paths";

const node = (id: string, type = "Pod"): ReferenceNode => ({
  id,
  name: id,
  type,
  service: "s",
  region: "r",
  changed_at: null,
  version: "v1",
  state: "ACTIVE",
});
const edge = (source: string, target: string, kind: ReferenceKind = "BLOCK"): ReferenceEdge => ({
  source,
  target,
  kind,
  path: "spec.secret",
  version: "v1",
});
const all = new Set(KINDS);
const graph = (nodes: ReferenceNode[], edges: ReferenceEdge[]): References => ({
  focus: "f",
  nodes,
  edges,
  hidden: { budget: 0, filter: 0 },
  unknown: [],
});

describe("the reference graph", () => {
  it("puts referrers left and what is referred to right", () => {
    expect(
      [...placements("f", [edge("a", "f"), edge("b", "a"), edge("f", "p")])].map(([id, hung]) => [
        id,
        hung.layer,
        hung.parent,
      ]),
    ).toEqual([
      ["f", 0, ""],
      ["a", -1, "f"],
      ["b", -2, "a"],
      ["p", 1, "f"],
    ]);
  });

  it("ends on cycles", () => expect(placements("f", [edge("a", "f"), edge("f", "a")]).get("a")?.layer).toBe(-1));

  it("folds more than twenty of a kind into one node and counts them", () => {
    const many = Array.from({ length: 25 }, (_, at) => node(`n${String(at).padStart(2, "0")}`));
    const drawn = graphView(
      graph(
        [node("f", "Secret"), ...many],
        many.map((each) => edge(each.id, "f")),
      ),
      all,
    );
    expect(drawn.nodes).toHaveLength(22);
    expect(drawn.nodes.at(-1)?.title).toBe("+5 more Pod");
    expect(drawn.hidden).toEqual({ budget: 5, filter: 0 });
  });

  it("shows the members of a bundle that was opened, up to the budget", () => {
    const many = Array.from({ length: 2000 }, (_, at) => node(`n${String(at).padStart(4, "0")}`));
    const whole = graph(
      [node("f", "Secret"), ...many],
      many.map((each) => edge(each.id, "f")),
    );
    const folded = graphView(whole, all);
    const group = folded.nodes.at(-1)?.group ?? "";
    const opened = graphView(whole, all, new Set([group]));
    expect([folded.shown, opened.shown, opened.nodes.at(-1)?.title]).toEqual([21, 300, "+1701 more Pod"]);
    const kept = graphView(whole, all, new Set(), new Set(["n1999"]));
    expect(kept.nodes.some((each) => each.id === "n1999")).toBe(true);
  });

  it("finds the shortest way between two, in whichever direction references point", () => {
    const edges = [edge("a", "f"), edge("a", "x"), edge("x", "y"), edge("f", "z"), edge("z", "q"), edge("q", "y")];
    expect(pathBetween(edges, "f", "y").map((leg) => leg.id)).toEqual(["f", "a", "x", "y"]);
    expect(pathBetween(edges, "f", "y")[1]?.by?.source).toBe("a");
    expect(pathBetween(edges, "f", "no account")).toEqual([]);
  });

  it("counts what a filter hides", () => {
    const drawn = graphView(
      graph([node("f"), node("a"), node("b")], [edge("a", "f"), edge("b", "f", "WEAK")]),
      new Set<ReferenceKind>(["BLOCK"]),
    );
    expect(drawn.nodes.map((each) => each.id)).toEqual(["f", "a"]);
    expect(drawn.hidden.filter).toBe(1);
  });

  it("lays 2,000 nodes out within its budget in a moment", () => {
    const many = Array.from({ length: 2000 }, (_, at) => node(`n${at}`, `Type${at % 40}`));
    const began = performance.now();
    const drawn = graphView(
      graph(
        [node("f"), ...many],
        many.map((each) => edge(each.id, "f")),
      ),
      all,
    );
    positions(drawn.nodes);
    expect(drawn.shown).toBe(300);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it("draws what is broken first, then blocking, across regions, changed last, most referred to, each after its path", () => {
    const nodes = [
      node("f"),
      node("far"),
      { ...node("old"), changed_at: "2026-01-01T00:00:00Z" },
      { ...node("new"), changed_at: "2026-02-01T00:00:00Z" },
      { ...node("abroad"), region: "us" },
      { ...node("gone"), state: "MISSING" as const },
      node("way"),
      node("hub"),
      node("block"),
    ];
    const edges = ["far", "old", "new", "abroad", "way", "hub"].map((id) => edge(id, "f", "WEAK"));
    const drawn = graphView(
      graph(nodes, [...edges, edge("gone", "way", "WEAK"), edge("block", "far"), edge("hub", "old", "WEAK")]),
      all,
    );
    expect(drawn.nodes.map((each) => each.id)).toEqual([
      "f",
      "way",
      "gone",
      "far",
      "block",
      "abroad",
      "new",
      "old",
      "hub",
    ]);
  });

  it("draws more than its budget only when that is asked for, and folds nothing then", () => {
    const many = Array.from({ length: 2000 }, (_, at) => node(`n${String(at).padStart(4, "0")}`));
    const drawn = graphView(
      graph(
        [node("f", "Secret"), ...many],
        many.map((each) => edge(each.id, "f")),
      ),
      all,
      new Set(),
      new Set(),
      HARD_CAP,
    );
    expect([drawn.shown, drawn.hidden.budget, drawn.nodes.at(-1)?.title]).toEqual([1500, 501, "+501 more Pod"]);
  });

  it("grows by what lies around a resource, each once", () => {
    const one = graph([node("f"), node("a")], [edge("a", "f")]);
    const more = {
      ...graph([node("a"), node("b")], [edge("b", "a"), edge("a", "f")]),
      hidden: { budget: 4, filter: 0 },
      unknown: [{ service: "s", region: "us", reason: "away" }],
    };
    const found = expandedGraph(one, [more]);
    expect(found.nodes.map((each) => each.id).sort()).toEqual(["a", "b", "f"]);
    expect(found.edges.map((each) => each.source).sort()).toEqual(["a", "b"]);
    expect([found.hidden.budget, found.unknown.length]).toEqual([4, 1]);
    expect(expandedGraph(one, [])).toBe(one);
  });

  it("leaves what was placed where it was, and finds a free spot for what is new", () => {
    const before = graphView(graph([node("f"), node("a")], [edge("a", "f")]), all);
    const spots = placed(before.nodes, new Map());
    const after = graphView(graph([node("f"), node("a"), node("b")], [edge("a", "f"), edge("b", "f")]), all);
    const moved = placed(after.nodes, new Map([...spots, ["a", { x: -400, y: 12 }]]));
    expect([moved.get("f"), moved.get("a")]).toEqual([spots.get("f"), { x: -400, y: 12 }]);
    const b = moved.get("b");
    expect(b && (Math.abs(b.x + 400) >= 229 || Math.abs(b.y - 12) >= 57)).toBe(true);
  });

  it("walks left to who refers, right to what is referred to, up and down among siblings", () => {
    const drawn = graphView(
      graph([node("f"), node("a"), node("b"), node("p")], [edge("a", "f"), edge("b", "f"), edge("f", "p")]),
      all,
    );
    const spots = placed(drawn.nodes, new Map());
    const from = (id: string, arrow: Parameters<typeof stepFrom>[3]): string | null =>
      stepFrom(drawn, spots, id, arrow);
    expect([from("f", "ArrowLeft"), from("f", "ArrowRight"), from("p", "ArrowLeft")]).toEqual(["a", "p", "f"]);
    expect([from("a", "ArrowDown"), from("b", "ArrowUp"), from("b", "ArrowDown"), from("a", "ArrowLeft")]).toEqual([
      "b",
      "a",
      null,
      null,
    ]);
  });

  it("keeps nodes of a lane apart", () => {
    const drawn = graphView(graph([node("f"), node("a"), node("b")], [edge("a", "f"), edge("b", "f")]), all);
    const found = positions(drawn.nodes);
    expect(found.get("a")?.x).toBe(found.get("b")?.x);
    expect(Math.abs((found.get("a")?.y ?? 0) - (found.get("b")?.y ?? 0))).toBeGreaterThan(50);
  });

  it("breaks a long lane into columns that never overlap", () => {
    const many = Array.from({ length: 40 }, (_, at) => node(`n${at}`, `Type${at % 4}`));
    const drawn = graphView(
      graph([node("f"), ...many, node("far")], [...many.map((each) => edge(each.id, "f")), edge("far", "n0")]),
      all,
    );
    const found = [...positions(drawn.nodes).values()];
    expect(new Set(found.map((each) => `${each.x} ${each.y}`)).size).toBe(found.length);
    expect(Math.max(...found.map((each) => Math.abs(each.y)))).toBeLessThan(300);
  });

  it("tells the same as a tree, each resource once", () => {
    const found = tree(
      graph([node("f"), node("a"), node("b")], [edge("a", "f"), edge("b", "a"), edge("b", "f")]),
      all,
      "in",
    );
    expect(found?.children.map((each) => each.node.id)).toEqual(["a", "b"]);
    expect(found?.children[0]?.children).toEqual([]);
  });

  it("hangs who else refers to the same on it, in the tree too", () => {
    const found = tree(
      graph([node("f"), node("key"), node("other")], [edge("f", "key"), edge("other", "key")]),
      all,
      "out",
    );
    expect(found?.children[0]?.children.map((each) => [each.node.id, each.turned])).toEqual([["other", true]]);
  });

  it("draws who else refers to the same, beside it, after what is reached straight on", () => {
    const others = Array.from({ length: 30 }, (_, at) => node(`o${at}`, "Other"));
    const held = graph(
      [node("f"), node("key", "Key"), ...others],
      [edge("f", "key"), ...others.map((each) => edge(each.id, "key"))],
    );
    const drawn = graphView(held, all, new Set(["key 0 Other"]), new Set(), 12);
    expect(drawn.hidden).toEqual({ budget: 20, filter: 0 });
    expect(drawn.nodes.slice(0, 3).map((each) => [each.id, each.series])).toEqual([
      ["f", 0],
      ["key", 1],
      ["o0", 0],
    ]);
  });

  it("maps deployments by rank and by region, and weighs what is between them", () => {
    const at = (id: string, service: string, region: string) => ({ ...node(id), service, region });
    const refs = [edge("a", "s"), edge("b", "s"), edge("c", "s"), edge("d", "s"), edge("x", "t")];
    const held = graph(
      [
        at("s", "secrets", "eu"),
        at("t", "secrets", "us"),
        ...["a", "b", "c", "d"].map((id) => at(id, "apps", "eu")),
        at("x", "apps", "us"),
        at("l", "logs", "us"),
      ],
      refs,
    );
    const map = deployments(
      { ...held, focus: "s" },
      new Map([
        ["apps", 2],
        ["logs", 2],
        ["secrets", 1],
      ]),
    );
    const spots = positions(map.nodes);
    const spot = (id: string) => spots.get(id) ?? { x: NaN, y: NaN };
    expect([spot("apps/eu").y, spot("apps/us").y]).toEqual([spot("secrets/eu").y, spot("secrets/us").y]);
    expect(spot("apps/us").y).toBeGreaterThan(spot("apps/eu").y);
    expect(spot("logs/us").x).toBeGreaterThan(spot("apps/us").x);
    expect(spot("secrets/us").x).toBeGreaterThan(spot("logs/us").x);
    expect(map.edges.map((each) => [each.id, each.label, each.wide])).toEqual([
      ["apps/eu secrets/eu", "4", 3.5],
      ["apps/us secrets/us", "1", 1.5],
    ]);
  });
});
