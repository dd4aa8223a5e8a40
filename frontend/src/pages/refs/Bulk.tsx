import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { send } from "../../api/client";
import { useFleet } from "../../api/queries";
import { download } from "../../parts/download";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Page } from "../../wire/model";
import type { ResourceList } from "../../wire/resources";
import type { components } from "../../wire/schema";

type Brief = components["schemas"]["BriefCheckShape"];

const MOST = 100;
const verdicts = { safe: { tone: "ok", word: "safe" }, blocked: { tone: "bad", word: "blocked" }, unknown: { tone: "unknown", word: "unknown" } } as const;

/** One name a line; commas and blanks part names as well. */
export function namesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

function FromFilter({ onNames }: { onNames: (names: string[]) => void }) {
  const cells = useFleet().data?.cells ?? [];
  const [at, setAt] = useState("");
  const [type, setType] = useState("");
  const [filter, setFilter] = useState("");
  const [service = "", region = ""] = at.split(" ");
  const read = useMutation({
    mutationFn: () => send<ResourceList>(`/deployments/${service}/${region}/resources`, { query: { type, filter, limit: MOST } }),
    onSuccess: (found) => onNames(found.items.map((each) => `//${service}/${region}/${each.name}`)),
  });
  return (
    <details>
      <summary>Names from a filter</summary>
      <form className="row wrap ask" onSubmit={(event) => { event.preventDefault(); if (at) read.mutate(); }}>
        <Select w={300} label="Deployment" placeholder="Choose one" searchable data={cells.map((cell) => ({ value: `${cell.service} ${cell.region}`, label: `${cell.service} @ ${cell.region}` }))} value={at || null} onChange={(value) => setAt(value ?? "")} />
        <TextInput label="Resource type" placeholder="its first" value={type} onChange={(event) => setType(event.currentTarget.value)} />
        <TextInput w={280} label="Filter" placeholder='title = "Door"' value={filter} onChange={(event) => setFilter(event.currentTarget.value)} />
        <Button type="submit" disabled={!at} loading={read.isPending}>Take the first {MOST}</Button>
      </form>
      {read.isError ? <ProblemPanel error={read.error} /> : null}
    </details>
  );
}

/** Many resources at once: pasted, or by a filter. */
export function Bulk() {
  const [text, setText] = useState("");
  const names = namesOf(text);
  const check = useMutation({ mutationFn: () => send<Page<Brief>>("/deletion-checks", { method: "POST", body: { names: names.slice(0, MOST) } }) });
  const found = check.data?.items ?? [];
  const csv = (): string => [["name", "verdict", "blockers", "deleted with it", "sentence"], ...found.map((each) => [each.id || each.name, each.verdict, String(each.blockers), String(each.cascades), each.sentence])].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
  return (
    <Card title="Many at once" aside={names.length ? `${names.length} ${names.length === 1 ? "name" : "names"}${names.length > MOST ? `; the first ${MOST} are checked` : ""}` : null}>
      <div className="stack">
        <Textarea label="Names, one a line" autosize minRows={2} maxRows={8} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <FromFilter onNames={(more) => setText([...names, ...more].join("\n"))} />
        <div className="row"><Button variant="filled" disabled={names.length === 0} loading={check.isPending} onClick={() => check.mutate()}>Check them</Button>{found.length ? <Button size="xs" variant="subtle" onClick={() => download("deletion-checks.csv", csv(), "text/csv")}>CSV</Button> : null}</div>
        {check.isError ? <ProblemPanel error={check.error} /> : null}
        {found.length ? (
          <Scroll label="Checked resources">
            <table className="table">
              <thead><tr><th scope="col">Resource</th><th scope="col">Verdict</th><th scope="col" className="num">Blocking</th><th scope="col" className="num">Deleted with it</th><th scope="col">In words</th></tr></thead>
              <tbody>{found.map((each) => (
                <tr key={each.name}>
                  <th scope="row" className="break">{each.id ? <Link to={`/refs/deletion?name=${encodeURIComponent(each.id)}`}>{each.name}</Link> : each.name}</th>
                  <td className="top nowrap"><Status of={verdicts[each.verdict]} /></td>
                  <td className="num">{each.blockers}</td><td className="num">{each.cascades}</td>
                  <td>{each.sentence}</td>
                </tr>
              ))}</tbody>
            </table>
          </Scroll>
        ) : null}
      </div>
    </Card>
  );
}
