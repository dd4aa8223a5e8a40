import { Button } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { TextInput } from "@mantine/core";
import { Link } from "react-router";
import { download } from "../../parts/download";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Version } from "../../parts/Status";
import type { ReferenceEdge, Unanswered } from "../../wire/references";
import { kindWords } from "./graph";

/** `//service/region/name` in its three parts. */
export function place(id: string): { service: string; region: string; name: string } {
  const [service = "", region = "", ...name] = id.replace(/^\/\//, "").split("/");
  return { service, region, name: name.join("/") };
}

export function NameForm({ value, onAsk, button }: { value: string; onAsk: (name: string) => void; button: string }) {
  const [name, setName] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setName(value);
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (name.trim()) onAsk(name.trim());
  };
  return (
    <form className="row ask-name" onSubmit={submit} role="search">
      <TextInput data-filter aria-label="Name of a resource" placeholder="projects/p/secrets/s, or //service/region/name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Button type="submit" variant="filled">{button}</Button>
    </form>
  );
}

/** A deployment that does not answer makes an answer incomplete, never better. */
export function Unknowns({ unknown }: { unknown: readonly Unanswered[] }) {
  if (unknown.length === 0) return null;
  return (
    <div className="notice soft-unknown" role="status">
      <Shape tone="unknown" />
      <div>
        {unknown.length === 1 ? "One deployment" : `${unknown.length} deployments`} did not answer, so there may be more references.
        <ul>{unknown.map((each) => <li key={`${each.service} ${each.region}`}>{each.service} @ {each.region}: {each.reason}</li>)}</ul>
      </div>
    </div>
  );
}

const FIRST = 500;

function csv(edges: readonly ReferenceEdge[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [["source", "target", "kind", "path", "version"], ...edges.map((edge) => [edge.source, edge.target, edge.kind, edge.path, edge.version])].map((row) => row.map(cell).join(",")).join("\n");
}

export function EdgeTable({ edges, label }: { edges: readonly ReferenceEdge[]; label: string }) {
  const [shown, show] = useState(FIRST);
  return (
    <>
    <Scroll label={label}>
      <table className="table">
        <thead><tr><th scope="col">Refers</th><th scope="col">To</th><th scope="col">Rule</th><th scope="col">Field</th><th scope="col">Deployment</th><th scope="col">Version</th></tr></thead>
        <tbody>
          {edges.slice(0, shown).map((edge) => {
            const [from, to] = [place(edge.source), place(edge.target)];
            return (
              <tr key={`${edge.source} ${edge.target} ${edge.path}`}>
                <th scope="row" className="break"><Link to={`/refs?name=${encodeURIComponent(edge.source)}`}>{from.name}</Link></th>
                <td className="break">{to.name}</td>
                <td className="top"><span className={edge.kind === "BLOCK" ? "ink-bad" : ""}>{kindWords[edge.kind]}</span></td>
                <td className="mono small break">{edge.path}</td>
                <td>{from.service} @ {from.region}</td>
                <td className="top"><Version of={edge.version} /></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
    <div className="row wrap more">
      {edges.length > shown ? <Button size="xs" onClick={() => show(shown + FIRST)}>Show {Math.min(FIRST, edges.length - shown)} more of {edges.length - shown}</Button> : null}
      <Button size="xs" variant="subtle" onClick={() => download("references.csv", csv(edges), "text/csv")}>CSV</Button>
      <Button size="xs" variant="subtle" onClick={() => download("references.json", JSON.stringify(edges, null, 2))}>JSON</Button>
    </div>
    </>
  );
}
