import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { inspectorWidths, WithInspector } from "../../../parts/Inspector";
import { show } from "../../../test/show";
import type { ReferenceNode, References } from "../../../wire/references";
import { KINDS, graphView } from "./graph";
import { placed } from "./layout";
import { Tree } from "./Tree";
import { type NodeActions, NodeList } from "./NodeList";
import { tree } from "./paths";

const node = (id: string): ReferenceNode => ({
  id,
  name: id,
  type: "Pod",
  service: "s",
  region: "r",
  changed_at: null,
  version: "v1",
  state: "ACTIVE",
});
const edge = (source: string, target: string) => ({
  source,
  target,
  kind: "BLOCK" as const,
  path: "spec",
  version: "v1",
});
const graph: References = {
  focus: "f",
  nodes: ["f", "a", "b", "p"].map(node),
  edges: [edge("a", "f"), edge("b", "a"), edge("f", "p")],
  hidden: { budget: 0, filter: 0 },
  unknown: [],
};
const drawn = graphView(graph, new Set(KINDS));
const spots = placed(drawn.nodes, new Map());

function walk(selected: string): string[] {
  const done: string[] = [];
  const note =
    (deed: string) =>
    (what: { id: string } | string): void =>
      void done.push(`${deed} ${typeof what === "string" ? what : what.id}`);
  const act: NodeActions = {
    select: note("select"),
    open: note("open"),
    focus: note("focus"),
    expand: note("expand"),
    collapse: note("collapse"),
    route: note("way"),
    hide: note("hide"),
    pin: note("pin"),
  };
  show(<NodeList picture={drawn} spots={spots} selected={selected} act={act} />);
  return done;
}

it("walks the picture by arrows from the list beside it", async () => {
  const done = walk("f");
  expect(screen.getByRole("option", { selected: true }).textContent).toContain("Pod f");
  screen.getByRole("listbox").focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowRight}{Enter}");
  expect(done).toEqual(["select a", "select f", "open f"]);
});

it("expands, collapses, focuses and shows the way by key", async () => {
  const done = walk("a");
  await userEvent.keyboard("+-.P");
  expect(done).toEqual(["expand a", "collapse a", "focus a", "way a"]);
});

it("walks a tree: right opens and goes in, left closes and goes out", async () => {
  const root = tree(graph, new Set(KINDS), "in");
  if (!root) throw new Error("no tree");
  show(<Tree branch={root} direction="in" />);
  const names = (): string[] =>
    screen.getAllByRole("treeitem").map((each) => each.querySelector("b")?.textContent ?? "");
  expect(names()).toEqual(["Pod a", "Pod b"]);
  const [first] = screen.getAllByRole("treeitem");
  first?.focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(names()).toEqual(["Pod a"]);
  expect(screen.getByRole("treeitem").getAttribute("aria-expanded")).toBe("false");
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  expect(document.activeElement?.textContent).toContain("Pod b");
  await userEvent.keyboard("{ArrowLeft}");
  expect(document.activeElement?.textContent).toContain("Pod a");
});

it("moves the line between the page and what stands beside it, within bounds", async () => {
  inspectorWidths.set({ approval: 400 });
  show(
    <WithInspector page="references" label="Selected resource" side="side">
      page
    </WithInspector>,
  );
  screen.getByRole("separator", { name: "Width of Selected resource" }).focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(inspectorWidths.get()).toEqual({ approval: 400, references: 364 });
  expect(JSON.parse(localStorage.getItem("switchyard.inspector-widths") ?? "")).toEqual({
    approval: 400,
    references: 364,
  });
  await userEvent.keyboard("{ArrowRight>6/}");
  expect(screen.getByRole("separator").getAttribute("aria-valuenow")).toBe("260");
  await userEvent.keyboard("{Home}");
  expect(inspectorWidths.get()["references"]).toBe(640);
  await userEvent.keyboard("{Enter}");
  expect(inspectorWidths.get()["references"]).toBe(340);
  inspectorWidths.set({});
});
