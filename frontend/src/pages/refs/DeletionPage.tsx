import { Link, useNavigate } from "react-router";
import { Copy } from "../../parts/Copy";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import type { DeletionCheck } from "../../wire/references";
import { EdgeTable, NameForm, Unknowns } from "./Parts";
import { useDeletionCheck } from "./RefsPage";

const tones = { safe: "ok", blocked: "bad", unknown: "unknown" } as const;

function Body({ of }: { of: DeletionCheck }) {
  return (
    <>
      <section className="card">
        <p className={`sentence ink-${tones[of.verdict]}`}><Shape tone={tones[of.verdict]} size={20} /> {of.sentence}</p>
        <p className="small muted">{of.focus.type} in {of.focus.service} @ {of.focus.region}. <Link to={`/refs?name=${encodeURIComponent(of.focus.id)}`}>Its references</Link></p>
      </section>
      <Unknowns unknown={of.unknown} />
      <Card title={`Blocking: ${of.blockers.length}`} aside={of.blockers.length ? <Copy value={of.blockers.map((each) => each.source).join("\n")} what="the blockers" /> : null}>
        {of.blockers.length ? <EdgeTable edges={of.blockers} label="Blocking references" /> : <Empty title={of.verdict === "unknown" ? "No blocker is known; not everybody answered." : "Nothing blocks it."} />}
      </Card>
      <div className="halves">
        <Card title={`Deleted with it: ${of.cascades.length}`}>
          {of.cascades.length ? <ul className="plain-list">{of.cascades.map((each) => <li key={each.id} className="break"><Link to={`/refs?name=${encodeURIComponent(each.id)}`}>{each.name}</Link> <span className="small muted">{each.type} · {each.region}</span></li>)}</ul> : <Empty title="Nothing else." />}
        </Card>
        <Card title={`References that are cleared: ${of.unsets.length}`}>
          {of.unsets.length ? <EdgeTable edges={of.unsets} label="Cleared references" /> : <Empty title="None." />}
        </Card>
      </div>
    </>
  );
}

export function DeletionPage() {
  const { filters } = useFilters(["name"]);
  const navigate = useNavigate();
  const check = useDeletionCheck(filters.name);
  return (
    <Page title="Deletion check" under={[{ title: "References", to: "/refs" }]}>
      <NameForm value={filters.name} onAsk={(name) => void navigate(`/refs/deletion?name=${encodeURIComponent(name)}`)} button="Check" />
      {filters.name ? <Loaded of={check} lines={6}>{(data) => <Body of={data} />}</Loaded> : <Card><Empty title="Name a resource to see whether it can be deleted." /></Card>}
    </Page>
  );
}
