import { Link } from "react-router";
import { Shape } from "../../parts/Shape";
import { shortService } from "../../parts/status";
import { type Branch, kindWords, lastPart } from "./graph";

/** Nested lists: every screen reader can walk them, and each level opens and closes. */
export function Tree({ branch, root = true }: { branch: Branch; root?: boolean }) {
  const { node, kind, children } = branch;
  const own = (
    <span className="row tight wrap">
      {kind ? <Shape tone={kind === "BLOCK" ? "blocked" : "plain"} size={13} /> : null}
      {root ? <b>{node.type} {lastPart(node.name)}</b> : <Link to={`/refs?name=${encodeURIComponent(node.id)}&view=tree`}>{node.type} {lastPart(node.name)}</Link>}
      <span className="small muted">{[kind ? kindWords[kind] : "", shortService(node.service), node.region, node.version].filter(Boolean).join(" · ")}</span>
    </span>
  );
  if (children.length === 0) return own;
  return (
    <details open className="branch">
      <summary>{own}</summary>
      <ul>{children.map((child) => <li key={child.node.id}><Tree branch={child} root={false} /></li>)}</ul>
    </details>
  );
}
