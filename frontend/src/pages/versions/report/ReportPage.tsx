import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";
import { address, read } from "../../../api/client";
import { unchecked } from "../../../api/operations";
import { useFleet } from "../../../api/queries";
import { download } from "../../../parts/tables/download";
import { Card, Page } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Shape } from "../../../parts/Shape";
import { Empty, Loaded } from "../../../parts/states";
import { byAge } from "../../../parts/versions";
import { Affected } from "./Affected";
import { changesOf } from "./changeRows";
import { useConsumer } from "../consumer";
import { Comparison } from "./Comparison";
import {
  categories,
  type Category,
  type Class,
  classes,
  classNames,
  coverage,
  type Finding,
  html,
  meets,
  rangeOf,
  type Report,
  verdicts,
  weights,
} from "./report";
import { RemovedFields } from "./RemovedFields";
import { SchemaDiff } from "./SchemaDiff";
import { ChangeRows } from "./ChangeRows";
import { Losses } from "./Findings";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";

function noneOf({ class: kind, buf }: { class: string; buf: string }): string {
  const chosen = [kind && t`the class ${kind}`, buf && t`Buf's category ${buf}`].filter(Boolean);
  return t`No difference is of ${chosen.join(" and ")}.`;
}

const readers = [
  { value: "strict", label: t`refuse them` },
  { value: "filter", label: t`drop them` },
  { value: "pass", label: t`keep them` },
];
const policies = [
  { value: "no-loss", label: t`nothing may be lost` },
  { value: "loss-ok", label: t`loss is accepted` },
];

/** How many of the differences are of each kind; pressed, only those are shown. */
function Kinds<Kind extends string>({
  label,
  words,
  of,
  kindsOf,
  chosen,
  onChoose,
}: {
  label: string;
  words: Record<Kind, string>;
  of: readonly Finding[];
  kindsOf: (finding: Finding) => readonly Kind[];
  chosen: string;
  onChoose: (value: string) => void;
}) {
  return (
    <div className="row wrap tight" role="group" aria-label={label}>
      {(Object.keys(words) as Kind[]).map((each) => (
        <button
          key={each}
          type="button"
          title={words[each]}
          className={`pill filter soft-plain ${chosen === each || chosen === "" ? "" : "off"}`}
          aria-pressed={chosen === each}
          onClick={() => onChoose(chosen === each ? "" : each)}
        >
          {of.filter((finding) => kindsOf(finding).includes(each)).length} {classNames[each] ?? each}
        </button>
      ))}
    </div>
  );
}

function Body({ of, versions }: { of: Report; versions: readonly string[] }) {
  const { filters, set } = useFilters(["class", "buf"]);
  const { handled, total } = coverage(of.findings);
  const name = `${of.service}-${of.before}-${of.after}`;
  const decisions = of.losses.filter((each) => "waiver" in each);
  const hidden = of.losses.filter((each) => !("waiver" in each));
  const consumer = useConsumer(of.service, of.before);
  const met = consumer.chosen
    ? of.findings.filter((each) => consumer.chosen && meets(each, consumer.chosen))
    : of.findings;
  const shown = met.filter(
    (each) =>
      (!(filters.class in classes) || each.classes.includes(filters.class as Class)) &&
      (!(filters.buf in categories) || each.buf.includes(filters.buf as Category)),
  );
  return (
    <>
      <section className="card">
        <p className={`sentence ink-${verdicts[of.verdict].tone}`}>
          <Shape tone={verdicts[of.verdict].tone} size={20} /> {worded(of.sentence, of.phrases)}
        </p>
        <div className="row wrap tallies">
          {Object.entries(weights).map(([weight, { tone, word }]) => {
            const count = of.findings.filter((each) => each.weight === weight && !each.handled).length;
            return count === 0 ? null : (
              <span key={weight} className={`pill soft-${tone}`}>
                <Shape tone={tone} size={13} />
                {count} {word}
              </span>
            );
          })}
          <span className="pill soft-ok">
            <Shape tone="ok" size={13} />
            {rich`${handled} of ${total} handled by conversions`}
          </span>
          {of.to_accept ? (
            <span className="pill soft-wait">
              <Shape tone="wait" size={13} />
              {rich`${plural(of.to_accept, "# finding waits", "# findings wait")} to be accepted`}
            </span>
          ) : null}
          <span className="grow" />
          <span className="row exports">
            <Button size="xs" onClick={() => download(`${name}.html`, html(of), "text/html")}>
              {t`HTML`}
            </Button>
            <Button size="xs" onClick={() => download(`${name}.json`, JSON.stringify(of, null, 2))}>
              {t`JSON`}
            </Button>
            <Button
              size="xs"
              component="a"
              href={address("/services/{name}/compatibility", {
                path: { name: of.service },
                query: {
                  before: of.before,
                  after: of.after,
                  client: of.client,
                  server: of.server,
                  policy: of.policy,
                  as: "sarif",
                },
              })}
              download={`${name}.sarif`}
            >
              {t`SARIF`}
            </Button>
          </span>
        </div>
      </section>
      {decisions.length ? (
        <Card title={t`Hidden values that a person accepts: ${decisions.length}`}>
          <Losses report={of} of={decisions} label={t`Hidden values that a person accepts`} />
        </Card>
      ) : null}
      <Card
        title={
          consumer.chosen
            ? t`Differences that ${consumer.name} meets: ${shown.length} of ${total}`
            : t`Changes: ${changesOf(of.findings).length}, ${plural(total, "# finding", "# findings")}`
        }
        aside={
          <span className="row">
            <Link className="small" to="/versions/how-to">
              {t`How conversions are written`}
            </Link>
            {consumer.select}
          </span>
        }
      >
        {total ? (
          <div className="row wrap below">
            <span className="small muted">{t`Show only`}</span>
            <Kinds
              label={t`Classes of differences`}
              words={classes}
              of={met}
              kindsOf={(each) => each.classes}
              chosen={filters.class}
              onChoose={(value) => set("class", value)}
            />
            {of.findings.some((each) => each.buf.length) ? (
              <>
                <span className="small muted">{t`by Buf`}</span>
                <Kinds
                  label={t`Categories of Buf`}
                  words={categories}
                  of={met}
                  kindsOf={(each) => each.buf}
                  chosen={filters.buf}
                  onChoose={(value) => set("buf", value)}
                />
              </>
            ) : null}
          </div>
        ) : null}
        {consumer.note}
        {shown.length ? (
          <ChangeRows report={of} of={shown} />
        ) : (
          <Empty
            title={
              met.length
                ? noneOf(filters)
                : total
                  ? t`No observed use of this client differs.`
                  : t`No observable difference.`
            }
          />
        )}
      </Card>
      <Comparison of={of} versions={versions} />
      <Card title={t`Hidden fields: ${hidden.length}`}>
        <Losses report={of} of={hidden} label={t`Hidden fields`} />
      </Card>
      <RemovedFields service={of.service} before={of.before} after={of.after} />
      <Affected service={of.service} before={of.before} />
      <details className="read-schemas">
        <summary>{t`Schemas as they are read, side by side`}</summary>
        <SchemaDiff service={of.service} before={of.before} after={of.after} />
      </details>
    </>
  );
}

/** Two versions of a service compared: what differs, who is hit, what the conversions handle and what they keep. */
export function ReportPage() {
  const { service = "", range = "" } = useParams();
  const { before, after } = rangeOf(range);
  const { filters, set } = useFilters(["client", "server", "policy"]);
  const navigate = useNavigate();
  const versions = useFleet().data?.services.find((each) => each.name === service)?.versions ?? [before, after];
  const ordered = [...new Set([...versions, before, after])].filter(Boolean).sort(byAge);
  const query = {
    before,
    after,
    client: filters.client || "filter",
    server: filters.server || "strict",
    policy: filters.policy || "no-loss",
  };
  const result = useQuery({
    queryKey: ["compatibility", service, query],
    queryFn: ({ signal }) =>
      read("/services/{name}/compatibility", {
        path: { name: service },
        query: {
          before,
          after,
          client: unchecked<Report["client"]>(query.client),
          server: unchecked<Report["server"]>(query.server),
          policy: unchecked<Report["policy"]>(query.policy),
        },
        signal,
      }),
    enabled: before !== after,
  });
  const go = (from: string, to: string): void =>
    void navigate({ pathname: `/compat/${service}/${from}..${to}`, search: location.search });
  return (
    <Page
      title={t`${before} to ${after}`}
      heading={<>{rich`Compatibility of ${service}`}</>}
      under={[
        { title: t`Versions`, to: "/versions" },
        { title: service, to: `/versions/${service}` },
      ]}
    >
      <section className="card row wrap filters" aria-label={t`Comparison`}>
        <Select
          size="xs"
          w={120}
          label={t`From version`}
          data={ordered}
          value={before}
          onChange={(value) => go(value ?? before, after)}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={120}
          label={t`To version`}
          data={ordered}
          value={after}
          onChange={(value) => go(before, value ?? after)}
          allowDeselect={false}
        />
        <span className="grow" />
        <Select
          size="xs"
          w={170}
          label={t`Unknown keys in clients`}
          data={readers}
          value={query.client}
          onChange={(value) => set("client", value === "filter" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={170}
          label={t`Unknown keys in servers`}
          data={readers}
          value={query.server}
          onChange={(value) => set("server", value === "strict" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={170}
          label={t`Updates`}
          data={policies}
          value={query.policy}
          onChange={(value) => set("policy", value === "no-loss" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
      </section>
      {before === after ? (
        <Card>
          <Empty title={t`Choose two different versions.`} />
        </Card>
      ) : (
        <>
          <p className={result.isFetching && !result.data ? "small muted" : "unseen"} role="status">
            {result.isFetching && !result.data ? t`Running: ${before} is being compared with ${after}.` : ""}
          </p>
          <Loaded of={result} lines={6}>
            {(data) => <Body of={data} versions={ordered} />}
          </Loaded>
        </>
      )}
      <p className="small muted">
        {t`Command:`}{" "}
        <code>
          swy compat check {service} {before} {after}
        </code>
      </p>
    </Page>
  );
}
