import type { Core, EdgeSingular, NodeSingular, StylesheetJson } from "cytoscape";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { frame, isOther, PADDING } from "./viewport";
import type { DrawnNode, GraphView } from "./graph";
import type { Position, Positions } from "./layout";
import { curveOf } from "./curve";
import { topologyOf } from "./usePositions";

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

const WIDE = 200;

/** A line begins at the right of one box and ends at the left of the other. */
function curve(edge: EdgeSingular) {
  const [from, to] = [edge.source().position(), edge.target().position()];
  return curveOf({ x: from.x + WIDE / 2, y: from.y }, { x: to.x - WIDE / 2, y: to.y });
}

function style(): StylesheetJson {
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle",
        width: WIDE,
        height: 44,
        label: "data(label)",
        "text-wrap": "wrap",
        "text-valign": "center",
        "text-halign": "center",
        "text-max-width": "188px",
        "text-overflow-wrap": "anywhere",
        "font-family": "Inter Variable",
        "font-size": 12,
        "line-height": 1.25,
        color: css("--ink"),
        "background-color": css("--surface"),
        "border-width": 1,
        "border-color": css("--line-strong"),
      },
    },
    { selector: "node[state = 'BUNDLE']", style: { "border-style": "dashed" } },
    {
      selector: "node[state = 'MISSING'], node[state = 'UNKNOWN']",
      style: { "border-style": "dashed", "border-color": css("--unknown"), color: css("--ink-3") },
    },
    {
      selector: "node[state = 'DELETING'], node[state = 'DELETE_PENDING']",
      style: { "border-color": css("--wait"), "border-width": 2 },
    },
    { selector: "node[?blocking]", style: { "border-color": css("--bad"), "border-width": 2 } },
    { selector: "node[?way]", style: { "border-color": css("--accent"), "border-width": 2.5 } },
    { selector: "node[?pinned]", style: { "border-style": "double", "border-width": 4 } },
    {
      selector: "node[?focus]",
      style: { "border-color": css("--accent"), "border-width": 2.5, "background-color": css("--accent-soft") },
    },
    { selector: "node:selected", style: { "outline-width": 3, "outline-color": css("--accent"), "outline-offset": 2 } },
    {
      selector: "edge",
      style: {
        width: 1.5,
        "line-color": css("--control"),
        "target-arrow-color": css("--control"),
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.9,
        "curve-style": "unbundled-bezier",
        // Its types do not know this value of it.
        "edge-distances": "endpoints" as "node-position",
        "control-point-weights": (edge: EdgeSingular) => curve(edge).weights,
        "control-point-distances": (edge: EdgeSingular) => curve(edge).distances,
        "source-endpoint": "90deg",
        "target-endpoint": "270deg",
        opacity: 0.75,
      },
    },
    {
      selector: "edge[label]",
      style: {
        label: "data(label)",
        "font-family": "Inter Variable",
        "font-size": 12,
        color: css("--ink"),
        "text-background-color": css("--surface"),
        "text-background-opacity": 1,
        "text-background-padding": "3px",
        "curve-style": "bezier",
      },
    },
    {
      selector: "edge[kind = 'BLOCK']",
      style: { "line-color": css("--bad"), "target-arrow-color": css("--bad"), width: 2 },
    },
    { selector: "edge[wide]", style: { width: "data(wide)" } },
    { selector: "edge[kind = 'WEAK'], edge[kind = 'UNSET']", style: { "line-style": "dashed" } },
  ];
}

function labelOf(node: DrawnNode): string {
  return `${node.title}\n${node.note}`;
}

export interface Shown {
  picture: GraphView;
  spots: Positions;
  along: ReadonlySet<string>;
  label: string;
  /** The id of what says the same in words. */
  details?: string;
  selected?: string;
  pinned?: ReadonlySet<string>;
  /** A new number brings the whole picture into view. */
  tidied?: number;
  onOpen: (node: DrawnNode, shift: boolean) => void;
  onFocus?: (node: DrawnNode) => void;
  onMove?: (id: string, spot: Position) => void;
  onDrawn?: (png: () => string) => void;
}

const NO_ACCOUNT: ReadonlySet<string> = new Set();

/** The picture of the references; the tree and the table beside it say the same in words. */
export function ReferenceMap({ selected = "", pinned = NO_ACCOUNT, tidied = 0, ...votes }: Shown) {
  const { picture, along, label, details } = votes;
  const [painted, setPainted] = useState("");
  const [framed, setFramed] = useState(0);
  const path = [...along].join(" ");
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<Core | null>(null);
  const latest = useRef(votes);
  const marks = useRef({ selected, pinned });
  const view = useRef<{ tidied: number; zoom: number; pan: Position; width: number } | null>(null);
  useEffect(() => {
    latest.current = votes;
    marks.current = { selected, pinned };
  });
  // What is where is laid out anew only when something came or went; a colour changes in its place.
  const topology = topologyOf(picture);
  useEffect(() => {
    for (const node of picture.nodes)
      shown.current?.getElementById(node.id).data({ label: labelOf(node), state: node.state });
  }, [picture]);
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    shown.current?.style(style());
  }, [scheme]);
  useEffect(() => {
    if (shown.current) mark(shown.current, selected, pinned);
  }, [selected, pinned]);
  useEffect(() => {
    let core: Core | null = null;
    let gone = false;
    let sized: ResizeObserver | null = null;
    void import("cytoscape").then(({ default: cytoscape }) => {
      if (gone || !host.current) return;
      const { picture, spots, onMove } = latest.current;
      const onWay = new Set(path.split(" "));
      const blocking = new Set(picture.edges.filter((edge) => edge.kind === "BLOCK").map((edge) => edge.source));
      core = cytoscape({
        container: host.current,
        style: style(),
        layout: { name: "preset", fit: true, padding: PADDING },
        minZoom: 0.15,
        maxZoom: 1.6,
        autoungrabify: !onMove,
        boxSelectionEnabled: false,
        elements: [
          ...picture.nodes.map((node) => ({
            data: {
              id: node.id,
              label: labelOf(node),
              state: node.state,
              focus: node.focus,
              way: onWay.has(node.id),
              blocking: blocking.has(node.id),
            },
            position: { ...(spots.get(node.id) ?? { x: 0, y: 0 }) },
          })),
          ...picture.edges.map((edge) => ({ data: { ...edge } })),
        ],
      });
      const done = core;
      const host_ = host.current;
      let width = host_.clientWidth;
      // What somebody looks at stays under the pointer while something comes or goes.
      if (view.current?.tidied === tidied && !isOther(view.current.width, width))
        done.viewport({ zoom: view.current.zoom, pan: view.current.pan });
      else frame(done, width);
      // A window of another width is another view: what was in sight in the old one is not in this one.
      sized = new ResizeObserver(() => {
        done.resize();
        if (!isOther(width, host_.clientWidth)) return;
        width = host_.clientWidth;
        frame(done, width);
        setFramed(width);
      });
      sized.observe(host_);
      setFramed(width);
      mark(done, marks.current.selected, marks.current.pinned);
      // For those who measure: how many were drawn, and when.
      setPainted(`${picture.nodes.length}`);
      performance.mark("references-painted");
      shown.current = done;
      latest.current.onDrawn?.(() => done.png({ full: true, scale: 2, bg: css("--surface") }));
      const named = (id: string): DrawnNode | undefined => latest.current.picture.nodes.find((each) => each.id === id);
      done.on("tap", "node", (event) => {
        const node = named((event.target as { id: () => string }).id());
        if (node) latest.current.onOpen(node, event.originalEvent.shiftKey);
      });
      done.on("dbltap", "node", (event) => {
        const node = named((event.target as { id: () => string }).id());
        if (node) latest.current.onFocus?.(node);
      });
      // Curves are of two places: those of a box that is moved are drawn anew.
      done.on("drag", "node", (event) => {
        (event.target as NodeSingular).connectedEdges().forEach((edge) => {
          const { weights, distances } = curve(edge);
          edge.style({ "control-point-weights": weights, "control-point-distances": distances });
        });
      });
      done.on("dragfree", "node", (event) => {
        const moved = event.target as { id: () => string; position: () => Position };
        latest.current.onMove?.(moved.id(), { ...moved.position() });
      });
    });
    return () => {
      gone = true;
      shown.current = null;
      sized?.disconnect();
      if (core) view.current = { tidied, zoom: core.zoom(), pan: { ...core.pan() }, width: core.width() };
      core?.destroy();
    };
  }, [topology, path, tidied]);
  return (
    <div
      data-drawn={painted}
      data-framed={framed}
      ref={host}
      className="reference-map"
      role="img"
      aria-label={label}
      {...(details ? { "aria-details": details } : {})}
    />
  );
}

function mark(core: Core, selected: string, pinned: ReadonlySet<string>): void {
  core.nodes().forEach((node) => {
    node.data("pinned", pinned.has(node.id()));
    if (node.id() === selected) node.select();
    else node.unselect();
  });
}
