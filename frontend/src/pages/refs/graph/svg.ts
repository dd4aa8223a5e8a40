import type { GraphView } from "./graph";
import { positions, type Positions } from "./layout";

const WIDE = 200;
const HIGH = 44;
const EDGE = 24;

function safe(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The head of an arrow. */
const TIP =
  '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">' +
  '<path d="M0 0L8 4L0 8z" fill="#7a8194"/></marker></defs>';

/** The picture as a drawing of its own, for documents; plain colours, because it leaves the console's themes. */
export function svgOf(picture: GraphView, at: Positions = positions(picture.nodes)): string {
  const spots = [...at.values()];
  const [left, top] = [
    Math.min(...spots.map((spot) => spot.x)) - WIDE / 2 - EDGE,
    Math.min(...spots.map((spot) => spot.y)) - HIGH / 2 - EDGE,
  ];
  const [right, bottom] = [
    Math.max(...spots.map((spot) => spot.x)) + WIDE / 2 + EDGE,
    Math.max(...spots.map((spot) => spot.y)) + HIGH / 2 + EDGE,
  ];
  const lines = picture.edges.flatMap((edge) => {
    const [from, to] = [at.get(edge.source), at.get(edge.target)];
    if (!from || !to) return [];
    const dashed = edge.kind === "WEAK" || edge.kind === "UNSET" ? ' stroke-dasharray="5 4"' : "";
    const [begin, end] = [from.x + WIDE / 2, to.x - WIDE / 2];
    const level = Math.max(40, (end - begin) / 2);
    return [
      `<path d="M${begin} ${from.y}C${begin + level} ${from.y} ${end - level} ${to.y} ${end} ${to.y}" fill="none"` +
        ` stroke="${edge.kind === "BLOCK" ? "#b42318" : "#7a8194"}" stroke-width="1.5"${dashed} marker-end="url(#tip)"/>`,
    ];
  });
  const boxes = picture.nodes.flatMap((node) => {
    const spot = at.get(node.id);
    if (!spot) return [];
    const border = node.focus ? "#2f4fc4" : "#9aa1b2";
    return [
      `<g transform="translate(${spot.x - WIDE / 2} ${spot.y - HIGH / 2})">` +
        `<rect width="${WIDE}" height="${HIGH}" rx="6" fill="#fff" stroke="${border}"/>` +
        `<text x="10" y="18" font-weight="600">${safe(node.title)}</text><text x="10" y="35" fill="#5b6172">${safe(node.note)}</text></g>`,
    ];
  });
  const box = `${left} ${top} ${right - left} ${bottom - top}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" font-family="Inter, sans-serif" font-size="12">` +
    `${TIP}${lines.join("")}${boxes.join("")}</svg>`
  );
}
