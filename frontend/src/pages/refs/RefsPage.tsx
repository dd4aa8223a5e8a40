import { Button, Menu, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";
import { send } from "../../api/client";
import { useFleet } from "../../api/queries";
import { useTopic } from "../../live/stream";
import { download, downloadLink } from "../../parts/download";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { useStore } from "../../parts/store";
import type { DeletionCheck, ReferenceKind, References } from "../../wire/references";
import { Counts } from "./Counts";
import { deployments, KINDS, kindWords, lastPart, narrowed, pathBetween, picture, tree, type Drawn, type Leg, type Picture } from "./graph";
import { useLiveGraph } from "./live";
import { ReferenceMap } from "./Map";
import { EdgeTable, NameForm, place, Unknowns } from "./Parts";
import { recent, remember, starred, toggleStar } from "./recent";
import { svgOf } from "./svg";
import { Tree } from "./Tree";

const NOBODY: ReadonlySet<string> = new Set();

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

interface Asked {
  view: string;
  kinds: ReadonlySet<ReferenceKind>;
  only: string;
  region: string;
}

function Exports({ drawn, graph, png }: { drawn: Picture; graph: References; png: (() => string) | null }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target><Button size="xs">Export</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download("references.svg", svgOf(drawn), "image/svg+xml")}>Drawing (SVG)</Menu.Item>
        {png ? <Menu.Item onClick={() => downloadLink("references.png", png())}>Picture (PNG)</Menu.Item> : null}
        <Menu.Item onClick={() => download("references.json", JSON.stringify(graph, null, 2))}>Everything (JSON)</Menu.Item>
        <Menu.Item onClick={() => void navigator.clipboard.writeText(graph.nodes.map((node) => node.id).join("\n"))}>Copy the names</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Views({ read, readAt, asked }: { read: References; readAt: number; asked: Asked }) {
  const navigate = useNavigate();
  const { filters, set } = useFilters(["open", "to", "direction", "depth", "view"]);
  const { graph: whole, held, apply } = useLiveGraph(read, readAt, filters.direction, filters.depth);
  const graph = useMemo(() => narrowed(whole, asked.only, asked.region), [whole, asked.only, asked.region]);
  const services = useFleet().data?.services;
  const ranks = useMemo(() => new Map((services ?? []).map((each) => [each.name, each.rank])), [services]);
  const [png, setPng] = useState<(() => string) | null>(null);
  const { view, kinds } = asked;
  const legs = useMemo(() => (filters.to ? pathBetween(graph.edges, graph.focus, filters.to) : []), [graph, filters.to]);
  const along = useMemo(() => new Set(legs.map((leg) => leg.id)), [legs]);
  const drawn = useMemo(() => picture(graph, kinds, new Set(filters.open.split("|").filter(Boolean)), along), [graph, kinds, filters.open, along]);
  const edges = useMemo(() => graph.edges.filter((edge) => kinds.has(edge.kind)).sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)), [graph, kinds]);
  const kept = useMemo(() => ({ ...graph, edges }), [graph, edges]);
  const places = useMemo(() => deployments(kept, ranks), [kept, ranks]);
  const open = (node: Drawn): void => {
    if (node.group !== undefined && drawn.shown < 300) set("open", [...filters.open.split("|").filter(Boolean), node.group].join("|"));
    else void navigate(node.group !== undefined ? `/refs?name=${encodeURIComponent(graph.focus)}&view=table` : `/refs?name=${encodeURIComponent(node.id)}`);
  };
  const total = drawn.shown + drawn.hidden.budget + drawn.hidden.filter;
  const news = held ? <div className="held" role="status"><Button size="xs" variant="filled" onClick={apply}>{held} {held === 1 ? "reference" : "references"} changed: apply</Button></div> : null;
  if (whole.edges.length === 0) {
    return <>{news}<Card><Empty title="Nothing refers to this resource, and it refers to nothing.">{graph.unknown.length ? "As far as the deployments that answered know." : null}</Empty></Card></>;
  }
  const [referrers, referred] = view === "tree" ? [tree(graph, kinds, "in"), tree(graph, kinds, "out")] : [null, null];
  return (
    <>
      <Unknowns unknown={graph.unknown} />
      {news}
      <div className="row wrap">
        <SegmentedControl size="xs" aria-label="View" value={view || "explore"} onChange={(value) => set("view", value === "explore" ? "" : value)} data={[{ value: "explore", label: "Explore" }, { value: "map", label: "Map" }, { value: "tree", label: "Tree" }, { value: "table", label: "Table" }, { value: "matrix", label: "Matrix" }]} />
        <p className="small muted grow">
          Showing {drawn.shown} of {total}{drawn.hidden.budget ? `: ${drawn.hidden.budget} folded` : ""}{drawn.hidden.filter ? `, ${drawn.hidden.filter} hidden by the filter` : ""}.
          {view === "table" ? null : <> <Link to={`/refs?name=${encodeURIComponent(graph.focus)}&view=table`}>Show as table</Link></>}
          {filters.open ? <> <Button size="compact-xs" variant="subtle" onClick={() => set("open", "")}>Fold again</Button></> : null}
        </p>
        <Exports drawn={view === "map" ? places : drawn} graph={kept} png={view === "" || view === "map" ? png : null} />
      </div>
      {view === "" && drawn.nodes.some((node) => node.group !== undefined) ? (
        <div className="row wrap tight" role="group" aria-label="Folded resources">
          {drawn.nodes.flatMap((node) => (node.group === undefined ? [] : [<Button key={node.id} size="compact-xs" onClick={() => open(node)}>{node.title}</Button>]))}
        </div>
      ) : null}
      {filters.to ? <Way graph={graph} legs={legs} /> : null}
      {view === "table" ? <Card className="flush"><EdgeTable edges={edges} label="References" /></Card> : null}
      {view === "matrix" ? <Counts graph={kept} /> : null}
      {view === "tree" ? (
        <div className="halves">
          <Card title="Who refers to it">{referrers?.children.length ? <Tree branch={referrers} /> : <Empty title="Nobody." />}</Card>
          <Card title="What it refers to">{referred?.children.length ? <Tree branch={referred} /> : <Empty title="Nothing." />}</Card>
        </div>
      ) : null}
      {view === "map" && places.nodes.length < 2 ? <Card><Empty title="All of it lives in one deployment.">{places.nodes[0]?.title} · {places.nodes[0]?.note}</Empty></Card> : null}
      {view === "map" && places.nodes.length > 1 ? (
        <Card className="map-card">
          <ReferenceMap key="map" picture={places} along={NOBODY} onDrawn={(make) => setPng(() => make)} onOpen={(node) => void navigate(`/d/${node.id}`)} label={`${places.nodes.length} deployments around ${place(graph.focus).name}, with the number of references between them; the matrix shows the same in words.`} />
        </Card>
      ) : null}
      {view === "" ? (
        <Card className="map-card">
          <ReferenceMap key="explore" picture={drawn} onOpen={open} onDrawn={(make) => setPng(() => make)} along={along} label={`${drawn.nodes.length} resources and ${drawn.edges.length} references around ${place(graph.focus).name}; the tree shows the same in words.`} />
        </Card>
      ) : null}
    </>
  );
}

function Star({ name }: { name: string }) {
  const kept = useStore(starred).includes(name);
  return <Button aria-pressed={kept} onClick={() => toggleStar(name)}>{kept ? "★ Starred" : "☆ Star"}</Button>;
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Card title={title}>
      <ul className="plain-list">{names.map((id) => {
        const at = place(id);
        return <li key={id} className="break"><Link to={`/refs?name=${encodeURIComponent(id)}`}>{at.name}</Link> <span className="small muted">{at.service} @ {at.region}</span></li>;
      })}</ul>
    </Card>
  );
}

function Start() {
  const [lately, kept] = [useStore(recent), useStore(starred)];
  return (
    <>
      <Card><Empty title="Name a resource to see what refers to it and what it refers to.">Across services, regions and versions. Before deleting something, the check says what blocks it, what goes with it and who did not answer. To look for a name, <Link to="/resources">browse the resources</Link>.</Empty></Card>
      <div className="halves"><Names title="Starred" names={kept} /><Names title="Looked at lately" names={lately.filter((each) => !kept.includes(each))} /></div>
    </>
  );
}

function Explorer({ name }: { name: string }) {
  const { filters, set } = useFilters(["direction", "depth", "kinds", "view", "to", "only", "region"]);
  const graph = useQuery({
    queryKey: ["references", name, filters.direction, filters.depth],
    queryFn: ({ signal }) => send<References>("/references", { query: { name, direction: filters.direction || "both", depth: filters.depth || "1", limit: MOST }, signal }),
  });
  useEffect(() => {
    if (graph.data) remember(graph.data.focus);
  }, [graph.data]);
  const regions = [...new Set((graph.data?.nodes ?? []).map((node) => node.region))].filter(Boolean).sort();
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
        <Select size="xs" w={160} aria-label="Only" placeholder="any reference" clearable clearButtonProps={{ "aria-label": "Clear the filter" }} data={[{ value: "cross", label: "across regions" }, { value: "broken", label: "broken" }]} value={filters.only || null} onChange={(value) => set("only", value ?? "")} />
        {regions.length > 1 ? <Select size="xs" w={140} aria-label="Region" placeholder="any region" clearable clearButtonProps={{ "aria-label": "Clear the region" }} data={regions} value={filters.region || null} onChange={(value) => set("region", value ?? "")} /> : null}
      </section>
      <Loaded of={graph} lines={6}>
        {(data) => (
          <div className={filters.view === "" ? "with-side" : "stack"}>
            <div className="stack"><Views key={`${filters.direction} ${filters.depth}`} read={data} readAt={graph.dataUpdatedAt} asked={{ view: filters.view, kinds, only: filters.only, region: filters.region }} /></div>
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
      actions={name.startsWith("//") ? <Star name={name} /> : null}
      heading={name ? <>References of <span className="mono">{name.startsWith("//") ? place(name).name : name}</span></> : "References"}>
      <NameForm value={name} onAsk={ask} button="Show" />
      {name ? <Explorer key={name} name={name} /> : (
        <Start />
      )}
    </Page>
  );
}
