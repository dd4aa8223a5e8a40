import { expect, it } from "vitest";
import type { LiveEvent } from "../wire/model";
import type { ReferenceEdge, ReferenceNode } from "../wire/references";
import { changedEdges, laid, listed, recoloured, type StreamedGraph } from "./graph";

const node = (id: string, state: ReferenceNode["state"] = "ACTIVE"): ReferenceNode => ({
  id,
  name: id,
  type: "Pod",
  service: "s",
  region: "r",
  changed_at: null,
  version: "v1",
  state,
});
const edge = (source: string): ReferenceEdge => ({
  source,
  target: "f",
  kind: "BLOCK",
  path: "spec.secret",
  version: "v1",
});
const key = (source: string): string => `${source} f BLOCK spec.secret`;
const event = (part: Partial<LiveEvent>): LiveEvent => ({
  op: "event",
  seq: 0,
  ts: "",
  topic: "references:in:1://s/r/f",
  kind: "graph",
  id: "",
  rev: 1,
  ...part,
});
const whole: StreamedGraph = {
  focus: "f",
  nodes: { f: node("f"), a: node("a") },
  edges: { [key("a")]: edge("a") },
  hidden: { budget: 0, filter: 0 },
  unknown: [],
};

it("lays what came and what is gone over the graph that came first", () => {
  const first = laid(undefined, event({ full: whole as unknown as Record<string, unknown> }));
  const after = laid(
    first,
    event({ patch: { nodes: { a: null, b: node("b") }, edges: { [key("a")]: null, [key("b")]: edge("b") } } }),
  );
  expect(after && listed(after).nodes.map((each) => each.id)).toEqual(["f", "b"]);
  expect(after && listed(after).edges).toEqual([edge("b")]);
  expect(laid(undefined, event({ patch: { nodes: {} } }))).toBeUndefined();
});

it("counts references that came and went, and changes colours without them", () => {
  const shown = listed(whole);
  const latest = {
    ...shown,
    nodes: [node("f"), node("a", "DELETING"), node("b")],
    edges: [edge("b")],
    unknown: [{ service: "s", region: "x", reason: "silent" }],
  };
  expect(changedEdges(shown, latest)).toBe(2);
  const now = recoloured(shown, latest);
  expect(now.nodes).toEqual([node("f"), node("a", "DELETING")]);
  expect(now.edges).toEqual(shown.edges);
  expect(now.unknown).toHaveLength(1);
});
