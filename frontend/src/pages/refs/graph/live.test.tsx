import { useQueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { StreamedGraph } from "../../../live/graph";
import { show } from "../../../test/show";
import type { ReferenceNode, References } from "../../../wire/references";
import { ViewSwitch } from "../ViewSwitch";
import { counts, deployments, filteredGraph, type GraphFilter, shownReferences } from "./graph";
import { useLiveGraph } from "./live";
import { svgOf } from "./svg";

const node = (id: string, part: Partial<ReferenceNode> = {}): ReferenceNode => ({
  id,
  name: id,
  type: "Pod",
  service: "pods.example.com",
  region: "eu",
  changed_at: null,
  version: "v1",
  state: "ACTIVE",
  ...part,
});
const edge = (source: string, target = "f") => ({
  source,
  target,
  kind: "BLOCK" as const,
  path: "spec.secret",
  version: "v1",
});
const read: References = {
  focus: "f",
  nodes: [node("f", { service: "secrets.example.com" }), node("a")],
  edges: [edge("a")],
  hidden: { budget: 0, filter: 0 },
  unknown: [],
};

function Probe() {
  const cache = useQueryClient();
  const { graph, held, apply } = useLiveGraph(read, 0, "in", "1");
  const stream = (): void => {
    const next: StreamedGraph = {
      ...read,
      nodes: { f: node("f", { state: "DELETING" }), a: node("a"), b: node("b") },
      edges: { a: edge("a"), b: edge("b") },
    };
    cache.setQueryData(["reference-stream", "references:in:1:f"], next);
  };
  return (
    <>
      <button onClick={stream}>stream</button>
      <button onClick={apply}>apply</button>
      <p>
        {graph.nodes.map((each) => `${each.id} ${each.state}`).join(", ")}; {held} held
      </p>
    </>
  );
}

it("changes colours at once, and what came only when it is asked for", async () => {
  show(<Probe />);
  expect(screen.getByText("f ACTIVE, a ACTIVE; 0 held")).toBeTruthy();
  await userEvent.click(screen.getByText("stream"));
  expect(screen.getByText("f DELETING, a ACTIVE; 1 held")).toBeTruthy();
  await userEvent.click(screen.getByText("apply"));
  expect(screen.getByText("f DELETING, a ACTIVE, b ACTIVE; 0 held")).toBeTruthy();
});

const wide: References = {
  ...read,
  nodes: [
    ...read.nodes,
    node("c", { region: "us" }),
    node("gone", { service: "secrets.example.com", state: "MISSING" }),
  ],
  edges: [edge("a"), edge("c"), edge("a", "gone")],
};

const everything: GraphFilter = { only: "", region: "", version: "", hide: new Set() };

it("leaves only what is across regions, broken, or of one region", () => {
  expect(filteredGraph(wide, { ...everything, only: "cross" }).edges).toEqual([edge("c")]);
  expect(filteredGraph(wide, { ...everything, only: "broken" }).edges).toEqual([edge("a", "gone")]);
  expect(filteredGraph(wide, { ...everything, region: "us" }).edges).toEqual([edge("c")]);
  expect(filteredGraph(wide, everything)).toBe(wide);
  const older = { ...edge("c"), version: "v1alpha2", kind: "WEAK" as const };
  const mixed = { ...wide, edges: [...wide.edges, older] };
  expect(filteredGraph(mixed, { ...everything, version: "v1alpha2" }).edges).toEqual([older]);
  expect(filteredGraph(mixed, { ...everything, only: "blocking" }).edges).toEqual(wide.edges);
  expect(filteredGraph(wide, { ...everything, hide: new Set(["Pod"]) }).edges).toEqual([]);
});

it("draws deployments by rank, with how many references lie on each line", () => {
  const drawn = deployments(
    wide,
    new Map([
      ["pods.example.com", 2],
      ["secrets.example.com", 1],
    ]),
  );
  expect(drawn.nodes.map((each) => [each.id, each.series, each.note, each.focus])).toEqual([
    ["secrets.example.com/eu", 1, "eu · 2 resources", true],
    ["pods.example.com/eu", 0, "eu · 1 resource", false],
    ["pods.example.com/us", 0, "us · 1 resource", false],
  ]);
  expect(drawn.edges.map((each) => [each.source, each.target, each.label])).toEqual([
    ["pods.example.com/eu", "secrets.example.com/eu", "2"],
    ["pods.example.com/us", "secrets.example.com/eu", "1"],
  ]);
  expect(svgOf(drawn).match(/<rect/g)).toHaveLength(3);
});

it("counts references between services", () => {
  const { services, at } = counts(wide);
  expect(services).toEqual(["pods.example.com", "secrets.example.com"]);
  expect([at("pods.example.com", "secrets.example.com"), at("secrets.example.com", "pods.example.com")]).toEqual([
    3, 0,
  ]);
});

it("counts what the view at hand shows", () => {
  const within = { ...wide, edges: [...wide.edges, edge("gone")] };
  expect(within.edges).toHaveLength(4);
  const map = deployments(within, new Map());
  expect([shownReferences("map", within.edges, map), shownReferences("table", within.edges, map)]).toEqual([3, 4]);
});

it("offers a map only of several deployments, and a matrix only of several services", () => {
  const offered = (places: { service: string; region: string }[], at = "/"): string[] => {
    const { container, unmount } = show(<ViewSwitch places={places} />, at);
    const values = [...container.querySelectorAll("input")].map((each) => each.value);
    unmount();
    return values;
  };
  const [one, two, other] = [
    { service: "s", region: "eu" },
    { service: "s", region: "us" },
    { service: "t", region: "us" },
  ];
  expect(offered([one, one])).toEqual(["groups", "explore", "tree", "table"]);
  expect(offered([one, two])).toEqual(["groups", "explore", "map", "tree", "table"]);
  expect(offered([one, two, other])).toEqual(["groups", "explore", "map", "tree", "table", "matrix"]);
  expect(offered([one], "/?view=matrix")).toContain("matrix");
});
