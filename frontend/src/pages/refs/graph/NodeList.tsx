import { Button } from "@mantine/core";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { Copy } from "../../../parts/Copy";
import { Status } from "../../../parts/Status";
import { useKeys } from "../../../parts/keyboard/keys";
import { Time } from "../../../time/Time";
import { addressOf } from "../../resources/address";
import { nodeWords, type DrawnNode, type GraphView } from "./graph";
import { type Arrow, type Positions, stepFrom } from "./layout";
import { rich, t } from "../../../words/text";

const LIST = "walked-resources";

export interface NodeActions {
  select: (id: string) => void;
  open: (node: DrawnNode) => void;
  focus: (node: DrawnNode) => void;
  expand: (node: DrawnNode) => void;
  collapse: (node: DrawnNode) => void;
  route: (node: DrawnNode) => void;
  hide: (type: string) => void;
  pin: (id: string) => void;
}

const optionId = (at: number): string => `${LIST}-${at}`;

/** The drawn resources as a list beside the picture: arrows walk along references, and the picture follows. */
export function NodeList({
  picture,
  spots,
  selected,
  act,
}: {
  picture: GraphView;
  spots: Positions;
  selected: string;
  act: NodeActions;
}) {
  const list = useRef<HTMLDivElement>(null);
  // Keys may come faster than the address follows.
  const here = useRef(selected);
  const at = picture.nodes.findIndex((node) => node.id === selected);
  const node = picture.nodes[at];
  useEffect(() => {
    here.current = selected;
  }, [selected]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  useKeys(
    node
      ? {
          "+": () => act.expand(node),
          "-": () => act.collapse(node),
          ".": () => act.focus(node),
          P: () => act.route(node),
        }
      : {},
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && node) act.open(node);
    if (!event.key.startsWith("Arrow") && event.key !== "Home") return;
    event.preventDefault();
    const focus = picture.nodes.find((each) => each.focus)?.id ?? "";
    const next =
      !spots.has(here.current) || event.key === "Home"
        ? focus
        : stepFrom(picture, spots, here.current, event.key as Arrow);
    if (!next) return;
    here.current = next;
    act.select(next);
  };
  return (
    <div
      ref={list}
      id={LIST}
      className="walk"
      role="listbox"
      tabIndex={0}
      aria-label={t`Resources in the graph; arrow keys follow references`}
      aria-activedescendant={at < 0 ? undefined : optionId(at)}
      onKeyDown={onKeyDown}
    >
      {picture.nodes.map((each, index) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the list takes the keys for its options
        <div
          key={each.id}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onClick={() => act.select(each.id)}
        >
          <span className="clip">{each.title}</span> <span className="small muted">{each.note}</span>
        </div>
      ))}
    </div>
  );
}

/** What is known of the chosen resource, and what can be done with it here. */
export function SelectedNode({
  node,
  pinned,
  isGrown,
  act,
}: {
  node: DrawnNode;
  pinned: boolean;
  isGrown: boolean;
  act: NodeActions;
}) {
  const [only] = node.members;
  if (node.group !== undefined || !only) {
    return (
      <div className="stack tight">
        <p>
          <b>{node.title}</b> <span className="small muted">{node.note}</span>
        </p>
        <div className="row tight wrap">
          <Button size="compact-xs" onClick={() => act.expand(node)}>
            {t`Expand (+)`}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="stack tight" aria-live="polite">
      <p className="break">
        <b>{only.type}</b> <span className="mono">{only.name}</span>
      </p>
      <p className="small muted">
        {only.service} @ {only.region}
        {only.version ? ` · ${only.version}` : ""} · <Status of={nodeWords[only.state]} size={12} />
        {only.changed_at ? <> {rich`· changed ${(<Time at={only.changed_at} />)}`}</> : null}
      </p>
      <div className="row tight wrap">
        <Button size="compact-xs" component={Link} to={addressOf(only.service, only.region, only.name, "")}>
          {t`Open`}
        </Button>
        {node.focus ? null : (
          <Button size="compact-xs" onClick={() => act.focus(node)}>
            {t`Focus (.)`}
          </Button>
        )}
        {node.focus ? null : (
          <Button size="compact-xs" onClick={() => (isGrown ? act.collapse(node) : act.expand(node))}>
            {isGrown ? t`Collapse (-)` : t`Expand (+)`}
          </Button>
        )}
        {node.focus ? null : (
          <Button size="compact-xs" onClick={() => act.route(node)}>
            {t`Path (P)`}
          </Button>
        )}
        <Button size="compact-xs" aria-pressed={pinned} onClick={() => act.pin(node.id)}>
          {pinned ? t`Unpin` : t`Pin`}
        </Button>
        {node.focus ? null : (
          <Button size="compact-xs" onClick={() => act.hide(only.type)}>
            {rich`Hide all ${only.type}`}
          </Button>
        )}
        <Copy value={only.id} what={t`the name`} />
      </div>
    </div>
  );
}
