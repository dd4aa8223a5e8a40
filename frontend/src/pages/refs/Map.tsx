import type { Core, StylesheetJson } from "cytoscape";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Drawn, type Picture, positions } from "./graph";

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

function style(): StylesheetJson {
  return [
    { selector: "node", style: {
      shape: "round-rectangle", width: 200, height: 44, label: "data(label)", "text-wrap": "wrap", "text-valign": "center", "text-halign": "center", "text-max-width": "188px", "text-overflow-wrap": "anywhere",
      "font-family": "Inter Variable", "font-size": 12, "line-height": 1.25, color: css("--ink"), "background-color": css("--surface"), "border-width": 1, "border-color": css("--line-strong"),
    } },
    { selector: "node[state = 'BUNDLE']", style: { "border-style": "dashed" } },
    { selector: "node[state = 'MISSING'], node[state = 'UNKNOWN']", style: { "border-style": "dashed", "border-color": css("--unknown"), color: css("--ink-3") } },
    { selector: "node[state = 'DELETING'], node[state = 'DELETE_PENDING']", style: { "border-color": css("--wait"), "border-width": 2 } },
    { selector: "node[?blocking]", style: { "border-color": css("--bad"), "border-width": 2 } },
    { selector: "node[?way]", style: { "border-color": css("--accent"), "border-width": 2.5 } },
    { selector: "node[?focus]", style: { "border-color": css("--accent"), "border-width": 2.5, "background-color": css("--accent-soft") } },
    { selector: "edge", style: { width: 1.5, "line-color": css("--control"), "target-arrow-color": css("--control"), "target-arrow-shape": "triangle", "arrow-scale": 0.9, "curve-style": "straight", "source-endpoint": "90deg", "target-endpoint": "270deg", opacity: 0.75 } },
    { selector: "edge[label]", style: { label: "data(label)", "font-family": "Inter Variable", "font-size": 12, color: css("--ink"), "text-background-color": css("--surface"), "text-background-opacity": 1, "text-background-padding": "3px", "curve-style": "bezier" } },
    { selector: "edge[kind = 'BLOCK']", style: { "line-color": css("--bad"), "target-arrow-color": css("--bad"), width: 2 } },
    { selector: "edge[kind = 'WEAK'], edge[kind = 'UNSET']", style: { "line-style": "dashed" } },
  ];
}

function labelOf(node: Drawn): string {
  return `${node.title}\n${node.note}`;
}

/** The picture of the references; the tree and the table beside it say the same in words. */
export function ReferenceMap({ picture, along, label, onOpen, onDrawn }: { picture: Picture; along: ReadonlySet<string>; label: string; onOpen: (node: Drawn) => void; onDrawn?: (png: () => string) => void }) {
  const [painted, setPainted] = useState("");
  const way = [...along].join(" ");
  const host = useRef<HTMLDivElement>(null);
  const opener = useRef(onOpen);
  const drawn = useRef(onDrawn);
  useEffect(() => {
    opener.current = onOpen;
    drawn.current = onDrawn;
  });
  const shown = useRef<Core | null>(null);
  const latest = useRef(picture);
  // What is where is laid out anew only when something came or went; a colour changes in its place.
  const topology = useMemo(() => [...picture.nodes.map((node) => node.id), ...picture.edges.map((edge) => edge.id)].join("\n"), [picture]);
  useEffect(() => {
    latest.current = picture;
    for (const node of picture.nodes) shown.current?.getElementById(node.id).data({ label: labelOf(node), state: node.state });
  }, [picture]);
  useEffect(() => {
    let core: Core | null = null;
    let gone = false;
    void import("cytoscape").then(({ default: cytoscape }) => {
      if (gone || !host.current) return;
      const picture = latest.current;
      const at = positions(picture.nodes);
      const onWay = new Set(way.split(" "));
      const blocking = new Set(picture.edges.filter((edge) => edge.kind === "BLOCK").map((edge) => edge.source));
      core = cytoscape({
        container: host.current,
        style: style(),
        layout: { name: "preset", fit: true, padding: 24 },
        minZoom: 0.15,
        maxZoom: 1.6,
        autoungrabify: true,
        elements: [
          ...picture.nodes.map((node) => ({ data: { id: node.id, label: labelOf(node), state: node.state, focus: node.focus, way: onWay.has(node.id), blocking: blocking.has(node.id) }, position: at.get(node.id) ?? { x: 0, y: 0 } })),
          ...picture.edges.map((edge) => ({ data: { ...edge } })),
        ],
      });
      if (core.zoom() > 1) core.zoom(1).center();
      // For those who measure: how many were drawn, and when.
      setPainted(`${picture.nodes.length}`);
      performance.mark("references-painted");
      shown.current = core;
      const done = core;
      drawn.current?.(() => done.png({ full: true, scale: 2, bg: css("--surface") }));
      core.on("tap", "node", (event) => {
        const node = latest.current.nodes.find((each) => each.id === (event.target as { id: () => string }).id());
        if (node) opener.current(node);
      });
    });
    return () => {
      gone = true;
      shown.current = null;
      core?.destroy();
    };
  }, [topology, way]);
  return <div data-drawn={painted} ref={host} className="reference-map" role="img" aria-label={label} />;
}
