import { Button, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useNavigate } from "react-router";
import { send } from "../../api/client";
import { useTopic } from "../../live/stream";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import type { DeletionCheck, ReferenceKind, References } from "../../wire/references";
import { KINDS, kindWords, lastPart, pathBetween, picture, tree, type Drawn, type Leg } from "./graph";
import { ReferenceMap } from "./Map";
import { EdgeTable, NameForm, place, Unknowns } from "./Parts";
import { Tree } from "./Tree";

/** So many resources are asked for; what is drawn of them is less. */
const MOST = 2500;
const tones = { safe: "ok", blocked: "bad", unknown: "unknown" } as const;

export function useDeletionCheck(name: string) {
  useTopic("fleet");
  return useQuery({ queryKey: ["deletion-check", name], queryFn: ({ signal }) => send<DeletionCheck>("/deletion-check", { query: { name }, signal }), enabled: name !== "" });
}

function MayBeDeleted({ name }: { name: string }) {
  const check = useDeletionCheck(name);
  return (
    <Card title="Can it be deleted?">
      <Loaded of={check} lines={2}>
        {(data) => (
          <>
            <p className={`sentence ink-${tones[data.verdict]}`}><Shape tone={tones[data.verdict]} size={18} /> {data.sentence}</p>
            <p className="small"><Link to={`/refs/deletion?name=${encodeURIComponent(name)}`}>The whole check</Link></p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Way({ graph, legs }: { graph: References; legs: readonly Leg[] }) {
  const { service: here, region } = place(graph.focus);
  return (
    <Card title="The way between them">
      {legs.length === 0 ? <Empty title="No reference leads there, within the depth that is shown." /> : (
        <ol className="would">
          {legs.map((leg) => {
            const at = place(leg.id);
            return (
              <li key={leg.id}>
                {leg.by ? <span className="muted">{leg.by.source === leg.id ? "is referred to by " : "refers to "}</span> : null}
                <Link to={`/refs?name=${encodeURIComponent(leg.id)}`}>{at.name}</Link>
                {at.service !== here || at.region !== region ? <span className="muted"> in {at.service} @ {at.region}</span> : null}
                {leg.by ? <span className="small muted"> {kindWords[leg.by.kind]}, field <code>{leg.by.path}</code></span> : null}
              </li>
            );
          })}
        </ol>
      )}
    </Card>
  );
}

function Views({ graph, view, kinds }: { graph: References; view: string; kinds: ReadonlySet<ReferenceKind> }) {
  const navigate = useNavigate();
  const { filters, set } = useFilters(["open", "to"]);
  const legs = useMemo(() => (filters.to ? pathBetween(graph.edges, graph.focus, filters.to) : []), [graph, filters.to]);
  const drawn = useMemo(() => picture(graph, kinds, new Set(filters.open.split("|").filter(Boolean)), new Set(legs.map((leg) => leg.id))), [graph, kinds, filters.open, legs]);
  const edges = graph.edges.filter((edge) => kinds.has(edge.kind)).sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
  const open = (node: Drawn): void => {
    if (node.group !== undefined && drawn.shown < 300) set("open", [...filters.open.split("|").filter(Boolean), node.group].join("|"));
    else void navigate(node.group !== undefined ? `/refs?name=${encodeURIComponent(graph.focus)}&view=table` : `/refs?name=${encodeURIComponent(node.id)}`);
  };
  const total = drawn.shown + drawn.hidden.budget + drawn.hidden.filter;
  if (graph.edges.length === 0) {
    return <Card><Empty title="Nothing refers to this resource, and it refers to nothing.">{graph.unknown.length ? "As far as the deployments that answered know." : null}</Empty></Card>;
  }
  const [referrers, referred] = view === "tree" ? [tree(graph, kinds, "in"), tree(graph, kinds, "out")] : [null, null];
  return (
    <>
      <p className="small muted">
        Showing {drawn.shown} of {total}{drawn.hidden.budget ? `: ${drawn.hidden.budget} folded` : ""}{drawn.hidden.filter ? `, ${drawn.hidden.filter} hidden by the filter` : ""}.
        {view === "table" ? null : <> <Link to={`/refs?name=${encodeURIComponent(graph.focus)}&view=table`}>Show as table</Link></>}
        {filters.open ? <> <Button size="compact-xs" variant="subtle" onClick={() => set("open", "")}>Fold again</Button></> : null}
      </p>
      {view === "" && drawn.nodes.some((node) => node.group !== undefined) ? (
        <div className="row wrap tight" role="group" aria-label="Folded resources">
          {drawn.nodes.flatMap((node) => (node.group === undefined ? [] : [<Button key={node.id} size="compact-xs" onClick={() => open(node)}>{node.title}</Button>]))}
        </div>
      ) : null}
      {filters.to ? <Way graph={graph} legs={legs} /> : null}
      {view === "table" ? <Card className="flush"><EdgeTable edges={edges} label="References" /></Card> : null}
      {view === "tree" ? (
        <div className="halves">
          <Card title="Who refers to it">{referrers?.children.length ? <Tree branch={referrers} /> : <Empty title="Nobody." />}</Card>
          <Card title="What it refers to">{referred?.children.length ? <Tree branch={referred} /> : <Empty title="Nothing." />}</Card>
        </div>
      ) : null}
      {view === "" ? (
        <Card className="map-card">
          <ReferenceMap picture={drawn} onOpen={open} along={new Set(legs.map((leg) => leg.id))} label={`${drawn.nodes.length} resources and ${drawn.edges.length} references around ${place(graph.focus).name}; the tree shows the same in words.`} />
        </Card>
      ) : null}
    </>
  );
}

function Explorer({ name }: { name: string }) {
  const { filters, set } = useFilters(["direction", "depth", "kinds", "view", "to"]);
  const graph = useQuery({
    queryKey: ["references", name, filters.direction, filters.depth],
    queryFn: ({ signal }) => send<References>("/references", { query: { name, direction: filters.direction || "both", depth: filters.depth || "1", limit: MOST }, signal }),
  });
  const kinds = useMemo(() => new Set((filters.kinds ? filters.kinds.split(",") : KINDS) as ReferenceKind[]), [filters.kinds]);
  const toggle = (kind: ReferenceKind): void => {
    const next = KINDS.filter((each) => (each === kind ? !kinds.has(each) : kinds.has(each)));
    set("kinds", next.length === KINDS.length ? "" : next.join(","));
  };
  return (
    <>
      <section className="card row wrap filters" aria-label="Filters">
        {KINDS.map((kind) => (
          <button key={kind} type="button" className={`pill filter ${kind === "BLOCK" ? "soft-bad" : "soft-plain"} ${kinds.has(kind) ? "" : "off"}`} aria-pressed={kinds.has(kind)} onClick={() => toggle(kind)}>
            {kinds.has(kind) ? "✓ " : ""}{kindWords[kind]}
          </button>
        ))}
        <span className="grow" />
        <Select size="xs" w={150} aria-label="Direction" data={[{ value: "both", label: "both directions" }, { value: "in", label: "who refers to it" }, { value: "out", label: "what it refers to" }]} value={filters.direction || "both"} onChange={(value) => set("direction", value === "both" ? "" : (value ?? ""))} allowDeselect={false} />
        <Select size="xs" w={190} aria-label="Way to" placeholder="Way to…" searchable clearable clearButtonProps={{ "aria-label": "Clear the way" }} limit={50} data={(graph.data?.nodes ?? []).filter((node) => node.id !== graph.data?.focus).map((node) => ({ value: node.id, label: `${node.type} ${lastPart(node.name)}` }))} value={filters.to || null} onChange={(value) => set("to", value ?? "")} nothingFoundMessage="Not in what is shown; try more depth." />
        <Select size="xs" w={100} aria-label="Depth" data={["1", "2", "3", "4"].map((value) => ({ value, label: `depth ${value}` }))} value={filters.depth || "1"} onChange={(value) => set("depth", value === "1" ? "" : (value ?? ""))} allowDeselect={false} />
        <SegmentedControl size="xs" aria-label="View" value={filters.view || "map"} onChange={(value) => set("view", value === "map" ? "" : value)} data={[{ value: "map", label: "Map" }, { value: "tree", label: "Tree" }, { value: "table", label: "Table" }]} />
      </section>
      <Loaded of={graph} lines={6}>
        {(data) => (
          <div className={filters.view === "" ? "with-side" : "stack"}>
            <div className="stack"><Unknowns unknown={data.unknown} /><Views graph={data} view={filters.view} kinds={kinds} /></div>
            <aside className="stack" aria-label="Deletion"><MayBeDeleted name={data.focus} /></aside>
          </div>
        )}
      </Loaded>
    </>
  );
}

export function RefsPage() {
  const { filters } = useFilters(["name"]);
  const navigate = useNavigate();
  const ask = (name: string): void => void navigate(`/refs?name=${encodeURIComponent(name)}`);
  const name = filters.name;
  return (
    <Page title={name ? place(name.startsWith("//") ? name : `////${name}`).name || name : "References"} {...(name ? { under: [{ title: "References", to: "/refs" }] } : {})}
      heading={name ? <>References of <span className="mono">{name.startsWith("//") ? place(name).name : name}</span></> : "References"}>
      <NameForm value={name} onAsk={ask} button="Show" />
      {name ? <Explorer key={name} name={name} /> : (
        <Card><Empty title="Name a resource to see what refers to it and what it refers to.">Across services, regions and versions. Before deleting something, the check says what blocks it, what goes with it and who did not answer.</Empty></Card>
      )}
    </Page>
  );
}
