import { Button } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";
import { read } from "../../../api/client";
import { useFleet } from "../../../api/queries";
import { WithInspector } from "../../../parts/Inspector";
import { Card } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Empty } from "../../../parts/states";
import type { ReferenceKind, References } from "../../../wire/references";
import { Counts } from "./Counts";
import { DrawMore } from "./DrawMore";
import { EdgeTable } from "./EdgeTable";
import { Exports } from "./Exports";
import {
  BUDGET,
  deployments,
  type DrawnNode,
  expandedGraph,
  HARD_CAP,
  KINDS,
  filteredGraph,
  type GraphFilter,
  graphView,
  shownReferences,
} from "./graph";
import { useLiveGraph } from "./live";
import { ReferenceMap } from "./Map";
import { DeletionVerdict } from "../deletion/DeletionVerdict";
import { noReferences, place, UnansweredDeployments, HiddenResources } from "../Parts";
import { usePositions } from "./usePositions";
import { Trees } from "./Tree";
import { type NodeActions, SelectedNode, NodeList } from "./NodeList";
import { PathCard } from "./PathCard";
import { pathBetween } from "./paths";
import { ViewSwitch } from "../ViewSwitch";
import { plural, rich, t } from "../../../words/text";

/** The tree that says in words what the picture shows. */
const TWIN = "picture-as-tree";
const NO_NODES: ReadonlySet<string> = new Set();
/** What is looked at around one resource that was expanded. */
const AROUND = 300;

export interface Asked extends GraphFilter {
  view: string;
  kinds: ReadonlySet<ReferenceKind>;
}

export const listOf = (text: string): string[] => text.split("|").filter(Boolean);

/** The graph of the page with what lies around those resources that were expanded. */
function useGrown(graph: References, ids: readonly string[]): References {
  const more = useQueries({
    queries: ids.map((name) => ({
      queryKey: ["references", name, "", "1", AROUND],
      queryFn: () => read("/references", { query: { name, direction: "both", depth: 1, limit: AROUND } }),
    })),
    combine: (result) => result.map((each) => each.data),
  });
  return useMemo(
    () =>
      expandedGraph(
        graph,
        more.filter((each) => each !== undefined),
      ),
    [graph, more],
  );
}

/** One question in its five forms: picture, map, tree, table and matrix. */
export function Views({ read, readAt, asked }: { read: References; readAt: number; asked: Asked }) {
  const navigate = useNavigate();
  const { filters, set, put } = useFilters([
    "open",
    "to",
    "from",
    "direction",
    "depth",
    "view",
    "at",
    "grown",
    "most",
    "hide",
    "kinds",
    "only",
    "region",
    "version",
  ]);
  const { graph: streamed, held, apply } = useLiveGraph(read, readAt, filters.direction, filters.depth);
  const expanded = useMemo(() => listOf(filters.grown), [filters.grown]);
  const whole = useGrown(streamed, expanded);
  const graph = useMemo(() => filteredGraph(whole, asked), [whole, asked]);
  const services = useFleet().data?.services;
  const ranks = useMemo(() => new Map((services ?? []).map((each) => [each.name, each.rank])), [services]);
  const [png, setPng] = useState<(() => string) | null>(null);
  const { view, kinds } = asked;
  const legs = useMemo(
    () =>
      filters.to
        ? pathBetween(
            graph.edges.filter((edge) => kinds.has(edge.kind)),
            filters.from || graph.focus,
            filters.to,
          )
        : [],
    [graph, kinds, filters.to, filters.from],
  );
  const along = useMemo(() => new Set(legs.map((leg) => leg.id)), [legs]);
  const most = filters.most === "all" ? HARD_CAP : BUDGET;
  const drawn = useMemo(
    () => graphView(graph, kinds, new Set(listOf(filters.open)), along, most),
    [graph, kinds, filters.open, along, most],
  );
  const seen = useMemo(
    () => ({ ...graph, nodes: drawn.nodes.flatMap((node) => (node.group === undefined ? node.members : [])) }),
    [graph, drawn],
  );
  const placing = usePositions(drawn);
  const edges = useMemo(
    () =>
      graph.edges
        .filter((edge) => kinds.has(edge.kind))
        .sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)),
    [graph, kinds],
  );
  const kept = useMemo(() => ({ ...graph, edges }), [graph, edges]);
  const places = useMemo(() => deployments(kept, ranks), [kept, ranks]);
  const mapped = usePositions(places);
  const focus = (id: string): void => void navigate(`/refs?name=${encodeURIComponent(id)}&view=${view}`);
  const act: NodeActions = {
    select: (id) => set("at", id),
    open: (node) => (node.group === undefined ? focus(node.id) : act.expand(node)),
    focus: (node) => focus(node.id),
    expand: (node) => {
      if (node.group === undefined)
        put([
          ["at", node.id],
          ["grown", [...new Set([...expanded, node.id])].join("|")],
        ]);
      else if (drawn.shown < most) set("open", [...listOf(filters.open), node.group].join("|"));
      else void navigate(`/refs?name=${encodeURIComponent(graph.focus)}&view=table`);
    },
    collapse: (node) =>
      put([
        ["grown", expanded.filter((id) => id !== node.id).join("|")],
        [
          "open",
          listOf(filters.open)
            .filter((group) => group !== node.within)
            .join("|"),
        ],
      ]),
    route: (node) =>
      put([
        ["from", ""],
        ["to", node.id],
      ]),
    hide: (type) => set("hide", [...new Set([...listOf(filters.hide), type])].join("|")),
    pin: placing.pin,
  };
  const tapped = (node: DrawnNode, shift: boolean): void => {
    if (node.group !== undefined) act.expand(node);
    else if (shift)
      put([
        ["from", filters.at === node.id ? "" : filters.at],
        ["to", node.id],
      ]);
    else act.select(node.id);
  };
  const total = drawn.shown + drawn.hidden.budget + drawn.hidden.filter;
  const news = held ? (
    <div className="held" role="status">
      <Button size="xs" variant="filled" onClick={apply}>
        {rich`${plural(held, "# reference", "# references")} changed: apply`}
      </Button>
    </div>
  ) : null;
  const chosen = drawn.nodes.find((node) => node.id === filters.at);
  if (whole.edges.length === 0) {
    return (
      <>
        <ViewSwitch places={graph.nodes} />
        {news}
        <Card>
          <Empty title={noReferences(whole.nodes.find((node) => node.id === graph.focus)?.state)}>
            {graph.unknown.length ? t`According to the deployments that answered.` : null}
          </Empty>
        </Card>
        <DeletionVerdict name={graph.focus} />
      </>
    );
  }
  const body = (
    <>
      <UnansweredDeployments unknown={graph.unknown} />
      <HiddenResources ids={graph.nodes.map((node) => node.id)} />
      {news}
      <div className="row wrap">
        <ViewSwitch places={graph.nodes} />
        <p className="small muted beside-views">
          {view === "explore" ? (
            <>
              {rich`Showing ${drawn.shown} of ${total}${drawn.hidden.budget ? t`: ${drawn.hidden.budget} not drawn` : ""}`}
              {drawn.hidden.filter ? t`${drawn.hidden.budget ? "," : ":"} ${drawn.hidden.filter} filtered out` : ""}.
            </>
          ) : (
            <>
              {rich`Showing ${shownReferences(view, edges, places)} of ${plural(whole.edges.length, "# reference", "# references")}`}
              {graph.hidden.budget ? t`; ${plural(graph.hidden.budget, "# resource", "# resources")} not loaded` : ""}.
            </>
          )}
          {view === "table" ? null : (
            <>
              {" "}
              <Link to={`/refs?name=${encodeURIComponent(graph.focus)}&view=table`}>{t`Show as table`}</Link>
            </>
          )}
          {filters.open || filters.grown || filters.most ? (
            <>
              {" "}
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() =>
                  put([
                    ["open", ""],
                    ["grown", ""],
                    ["most", ""],
                  ])
                }
              >
                {t`Collapse all`}
              </Button>
            </>
          ) : null}
          {view === "explore" && drawn.hidden.budget > 0 && most === BUDGET ? (
            <>
              {" "}
              <DrawMore total={total} onDraw={() => set("most", "all")} />
            </>
          ) : null}
        </p>
        {view === "explore" ? (
          <Button size="xs" onClick={placing.tidy}>
            {t`Reset layout`}
          </Button>
        ) : null}
        <Exports
          drawn={view === "map" ? places : drawn}
          spots={view === "map" ? mapped.spots : placing.spots}
          graph={kept}
          png={view === "explore" || view === "map" ? png : null}
        />
      </div>
      {view === "explore" && drawn.nodes.some((node) => node.group !== undefined) ? (
        <div className="row wrap tight" role="group" aria-label={t`Collapsed resources`}>
          {drawn.nodes.flatMap((node) =>
            node.group === undefined
              ? []
              : [
                  <Button key={node.id} size="compact-xs" onClick={() => act.expand(node)}>
                    {node.title}
                  </Button>,
                ],
          )}
        </div>
      ) : null}
      {filters.to ? <PathCard graph={graph} legs={legs} /> : null}
      {edges.length === 0 ? (
        <Card>
          <Empty title={t`No reference matches.`}>
            <Button
              size="xs"
              onClick={() =>
                put([
                  ["kinds", ""],
                  ["only", ""],
                  ["region", ""],
                  ["version", ""],
                  ["hide", ""],
                ])
              }
            >
              {t`Clear the filters`}
            </Button>
          </Empty>
        </Card>
      ) : null}
      {view === "table" ? (
        <Card className="flush">
          <EdgeTable edges={edges} label={t`References`} />
        </Card>
      ) : null}
      {view === "matrix" ? <Counts graph={kept} /> : null}
      {view === "tree" ? <Trees graph={graph} kinds={kinds} /> : null}
      {view === "map" && places.nodes.length < 2 ? (
        <Card>
          <Empty title={t`All references are within one deployment.`}>
            {places.nodes[0]?.title} · {places.nodes[0]?.note}
          </Empty>
        </Card>
      ) : null}
      {view === "map" && places.nodes.length > 1 ? (
        <Card className="map-card">
          <ReferenceMap
            key="map"
            picture={places}
            spots={mapped.spots}
            along={NO_NODES}
            onDrawn={(make) => setPng(() => make)}
            onOpen={(node) => void navigate(`/d/${node.id}`)}
            label={
              t`${places.nodes.length} deployments around ${place(graph.focus).name}, ` +
              t`with the number of references between them; the table shows them as text.`
            }
          />
        </Card>
      ) : null}
      {view === "explore" ? (
        <Card className="map-card">
          <ReferenceMap
            key="explore"
            picture={drawn}
            spots={placing.spots}
            selected={filters.at}
            pinned={placing.pinned}
            tidied={placing.tidied}
            details={TWIN}
            onOpen={tapped}
            onFocus={act.open}
            onMove={placing.move}
            onDrawn={(make) => setPng(() => make)}
            along={along}
            label={
              t`${drawn.nodes.length} resources and ${drawn.edges.length} references around ` +
              t`${place(graph.focus).name}; the tree below shows the same data as text.`
            }
          />
        </Card>
      ) : null}
      {view === "explore" ? (
        <details id={TWIN}>
          <summary>{t`The graph as a tree`}</summary>
          <Trees graph={seen} kinds={kinds} />
        </details>
      ) : null}
    </>
  );
  if (view !== "explore")
    return (
      <>
        {body}
        <DeletionVerdict name={graph.focus} />
      </>
    );
  return (
    <WithInspector
      page="references"
      label={t`Selected resource`}
      side={
        <>
          {chosen ? (
            <Card title={t`Selected`}>
              <SelectedNode
                node={chosen}
                pinned={placing.pinned.has(chosen.id)}
                isGrown={expanded.includes(chosen.id)}
                act={act}
              />
            </Card>
          ) : null}
          <Card title={t`In the graph`} aside="← → ↑ ↓">
            <NodeList picture={drawn} spots={placing.spots} selected={filters.at} act={act} />
          </Card>
          <DeletionVerdict name={graph.focus} />
        </>
      }
    >
      {body}
    </WithInspector>
  );
}
