import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { Copy } from "../../../parts/Copy";
import { Card, Page } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Shape } from "../../../parts/Shape";
import { Empty, Loaded } from "../../../parts/states";
import type { DeletionCheck, ReferenceNode } from "../../../wire/references";
import { announce } from "../../../state/announcements";
import { Blockers } from "./Blockers";
import { Bulk } from "./Bulk";
import { Chain } from "./Chain";
import { useDeletionCheck } from "./deletion";
import { tones } from "./DeletionVerdict";
import { ResourceName, NameForm, UnansweredDeployments, HiddenResources } from "../Parts";
import { DeletionPreparation } from "./DeletionWatch";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

const SAMPLE = 20;

/** How many of each type, the most first. */
export function tally(nodes: readonly ReferenceNode[]): [type: string, count: number][] {
  const match = new Map<string, number>();
  for (const node of nodes)
    match.set(node.type || t`of another deployment`, (match.get(node.type || t`of another deployment`) ?? 0) + 1);
  return [...match].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
}

function Cascades({ of }: { of: readonly ReferenceNode[] }) {
  const [all, showAll] = useState(false);
  if (of.length === 0) return <Empty title={t`None.`} />;
  return (
    <>
      <p className="row wrap tight">
        {tally(of).map(([type, count]) => (
          <span key={type} className="pill soft-plain">
            {count} {type}
          </span>
        ))}
      </p>
      <ul className="plain-list">
        {(all ? of : of.slice(0, SAMPLE)).map((each) => (
          <li key={each.id} className="break">
            <ResourceName id={each.id} />{" "}
            <span className="small muted">
              {each.type} · {each.region}
            </span>
          </li>
        ))}
      </ul>
      {of.length > SAMPLE && !all ? (
        <Button size="xs" onClick={() => showAll(true)}>
          {rich`Show all ${of.length}`}
        </Button>
      ) : null}
    </>
  );
}

function Body({ of }: { of: DeletionCheck }) {
  const sentence = worded(of.sentence, of.phrases);
  const said = useRef(sentence);
  useEffect(() => {
    if (said.current !== sentence) announce(`${of.focus.name}: ${sentence}`);
    said.current = sentence;
  }, [of.focus.name, sentence]);
  return (
    <>
      <section className="card">
        <p className={`sentence ink-${tones[of.verdict]}`}>
          <Shape tone={tones[of.verdict]} size={20} /> {sentence}
        </p>
        <p className="small muted">
          {rich`${of.focus.type} in ${of.focus.service} @ ${of.focus.region}.`}{" "}
          <Link to={`/refs?name=${encodeURIComponent(of.focus.id)}`}>{t`References`}</Link>
        </p>
        <DeletionPreparation key={of.focus.id} name={of.focus.id} />
      </section>
      <UnansweredDeployments unknown={of.unknown} />
      <HiddenResources
        ids={[...of.blockers, ...of.unsets].map((each) => each.source).concat(of.cascades.map((each) => each.id))}
      />
      <Chain of={of} />
      <Card
        title={t`Blocking: ${of.blockers.length}`}
        aside={
          of.blockers.length ? (
            <Copy value={of.blockers.map((each) => each.source).join("\n")} what={t`the blockers`} />
          ) : null
        }
      >
        {of.blockers.length ? (
          <Blockers edges={of.blockers} label={t`Blocking references`} />
        ) : (
          <Empty
            title={of.verdict === "unknown" ? t`No known blockers; some deployments did not answer.` : t`No blockers.`}
          />
        )}
      </Card>
      <div className="halves">
        <Card title={t`Deleted with it: ${of.cascades.length}`}>
          <Cascades of={of.cascades} />
        </Card>
        <Card title={t`References set to empty: ${of.unsets.length}`}>
          {of.unsets.length ? (
            <Blockers edges={of.unsets} label={t`References set to empty`} />
          ) : (
            <Empty title={t`None.`} />
          )}
        </Card>
      </div>
    </>
  );
}

export function DeletionPage() {
  const { filters } = useFilters(["name"]);
  const navigate = useNavigate();
  const check = useDeletionCheck(filters.name, true);
  return (
    <Page title={t`Deletion check`} under={[{ title: t`References`, to: "/refs" }]}>
      <NameForm
        value={filters.name}
        onAsk={(name) => void navigate(`/refs/deletion?name=${encodeURIComponent(name)}`)}
        button={t`Check`}
      />
      {filters.name ? (
        <Loaded of={check} lines={6}>
          {(data) => <Body of={data} />}
        </Loaded>
      ) : (
        <>
          <Card>
            <Empty title={t`Enter a resource name to check whether it can be deleted.`}>
              {t`The result lists blockers, resources deleted with it, and deployments that did not answer.
              Without every answer the result is unknown, never safe.`}
            </Empty>
          </Card>
          <Bulk />
        </>
      )}
    </Page>
  );
}
