import { useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { Card } from "../../../parts/Page";
import { Shape } from "../../../parts/Shape";
import { Empty } from "../../../parts/states";
import { shortService } from "../../../parts/status";
import type { ReferenceKind, References } from "../../../wire/references";
import { kindWords, lastPart } from "./graph";
import { type Branch, tree } from "./paths";
import { t } from "../../../words/text";

type Direction = "in" | "out";
const treeWords: Record<Direction, string> = { in: t`Incoming references`, out: t`Outgoing references` };
const turnedWords: Record<Direction, string> = {
  in: t`is referred to by the one above`,
  out: t`refers to the one above`,
};

interface Line {
  branch: Branch;
  level: number;
  /** Where it stands among its siblings. */
  at: number;
  of: number;
}

/** The open part of a tree, line by line, its root left out. */
export function lines(branch: Branch, closed: ReadonlySet<string>, level = 1): Line[] {
  return branch.children.flatMap((child, at) => [
    { branch: child, level, at: at + 1, of: branch.children.length },
    ...(closed.has(child.node.id) ? [] : lines(child, closed, level + 1)),
  ]);
}

/** A tree that a screen reader can walk: arrows move, open and close; Enter looks at the resource. */
export function Tree({ branch, direction }: { branch: Branch; direction: Direction }) {
  const navigate = useNavigate();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const shown = lines(branch, closed);
  const here = Math.min(at, shown.length - 1);
  const toggle = (id: string, close: boolean): void =>
    setClosed(new Set(close ? [...closed, id] : [...closed].filter((each) => each !== id)));
  const look = (id: string): void => void navigate(`/refs?name=${encodeURIComponent(id)}&view=tree`);
  const go = (to: number, event: KeyboardEvent<HTMLElement>): void => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setAt(next);
    (event.currentTarget.children[next] as HTMLElement | undefined)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const line = shown[here];
    if (!line) return;
    const { node, children } = line.branch;
    const isOpen = children.length > 0 && !closed.has(node.id);
    const above = shown.findLastIndex((each, index) => index < here && each.level < line.level);
    const deeds: Record<string, () => void> = {
      ArrowDown: () => go(here + 1, event),
      ArrowUp: () => go(here - 1, event),
      Home: () => go(0, event),
      End: () => go(shown.length - 1, event),
      ArrowRight: () => (isOpen ? go(here + 1, event) : toggle(node.id, false)),
      ArrowLeft: () => (isOpen ? toggle(node.id, true) : go(above < 0 ? here : above, event)),
      Enter: () => look(node.id),
    };
    const dialog = deeds[event.key];
    if (!dialog) return;
    event.preventDefault();
    dialog();
  };
  return (
    <div className="tree" role="tree" tabIndex={-1} aria-label={treeWords[direction]} onKeyDown={onKeyDown}>
      {shown.map(({ branch: { node, kind, turned, children }, level, at: position, of }, index) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree takes the keys for its items
        <div
          key={node.id}
          role="treeitem"
          tabIndex={index === here ? 0 : -1}
          aria-level={level}
          aria-posinset={position}
          aria-setsize={of}
          aria-selected={index === here}
          {...(children.length ? { "aria-expanded": !closed.has(node.id) } : {})}
          style={{ paddingLeft: `${(level - 1) * 20}px` }}
          onClick={() => {
            setAt(index);
            if (children.length) toggle(node.id, !closed.has(node.id));
          }}
          onDoubleClick={() => look(node.id)}
        >
          <span className="twig" aria-hidden="true">
            {children.length ? (closed.has(node.id) ? "▸" : "▾") : ""}
          </span>
          {kind ? <Shape tone={kind === "BLOCK" ? "blocked" : "plain"} size={13} /> : null}
          <b>
            {node.type} {lastPart(node.name)}
          </b>
          <span className="small muted">
            {[
              turned ? turnedWords[direction] : "",
              kind ? kindWords[kind] : "",
              shortService(node.service),
              node.region,
              node.version,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </div>
      ))}
    </div>
  );
}

/** What is drawn, in words: a tree of who refers to the focus, and one of what it refers to. */
export function Trees({ graph, kinds }: { graph: References; kinds: ReadonlySet<ReferenceKind> }) {
  return (
    <div className="halves">
      {(["in", "out"] as const).map((direction) => {
        const branch = tree(graph, kinds, direction);
        return (
          <Card key={direction} title={treeWords[direction]}>
            {branch?.children.length ? <Tree branch={branch} direction={direction} /> : <Empty title={t`None.`} />}
          </Card>
        );
      })}
    </div>
  );
}
