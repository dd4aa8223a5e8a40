import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { send, url } from "../../api/client";
import { useFleet } from "../../api/queries";
import { Copy } from "../../parts/Copy";
import { download } from "../../parts/download";
import { Card, Page } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Versions } from "../../parts/Status";
import { byAge } from "../../parts/versions";
import { Affected } from "./Affected";
import { useConsumer } from "./consumer";
import { Comparison } from "./Comparison";
import {
  anchor,
  byWeight,
  categories,
  type Category,
  type Class,
  classes,
  coverage,
  type Finding,
  html,
  kept,
  type Loss,
  meets,
  rangeOf,
  type Report,
  verdicts,
  weights,
} from "./report";
import { SchemaDiff } from "./SchemaDiff";
import { Transform } from "./Transform";
import { Acceptance } from "./Waivers";

const readers = [
  { value: "strict", label: "refuse it" },
  { value: "filter", label: "drop it" },
  { value: "pass", label: "keep it" },
];
const policies = [
  { value: "no-loss", label: "nothing may be lost" },
  { value: "loss-ok", label: "loss is accepted" },
];

function Findings({ report, of }: { report: Report; of: readonly Finding[] }) {
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looked for it before there were rows.
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView?.({ block: "center" });
  }, [hash]);
  return (
    <Scroll label="Differences">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Weight</th>
            <th scope="col">Where</th>
            <th scope="col">What</th>
            <th scope="col">Who goes first</th>
            <th scope="col">What to do</th>
            <th scope="col">
              <span className="unseen">Link</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {byWeight(of).map((each) => (
            <tr
              key={`${anchor(each)} ${each.after}`}
              id={anchor(each)}
              className={hash === `#${anchor(each)}` ? "meant" : ""}
            >
              <td className="nowrap">
                <Shape tone={each.handled ? "ok" : weights[each.weight].tone} />{" "}
                {each.handled ? "handled" : weights[each.weight].word}
              </td>
              <th scope="row" className="place">
                <span className="mono break">{each.path}</span>
                <div className="small muted">{each.where}</div>
              </th>
              <td>
                {each.rule.replaceAll("-", " ")}
                <div className="small muted">
                  {each.classes.join(", ")}
                  {each.buf.length ? `; Buf ${each.buf.join(", ")}` : ""}
                </div>
                <div className="small muted">
                  {[
                    each.before || each.after ? `${each.before || "nothing"} → ${each.after || "nothing"}` : "",
                    ...each.reasons,
                  ]
                    .filter(Boolean)
                    .join("; ")}
                </div>
              </td>
              <td>{each.order}</td>
              <td>
                {"waiver" in each ? <Acceptance of={report} place={each} waiver={each.waiver ?? null} /> : null}
                {each.advice}
                {each.losing_updates.length ? (
                  <div className="small muted">Lost by {each.losing_updates.join(", ")}</div>
                ) : null}
                <Transform of={each} />
              </td>
              <td>
                <Copy
                  value={`${location.origin}${location.pathname}${location.search}#${anchor(each)}`}
                  what="a link to this finding"
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Losses({ report }: { report: Report }) {
  const of: Loss[] = report.losses;
  if (of.length === 0) return <Empty title="Both versions hold the same: nothing has to be kept out of sight." />;
  return (
    <Scroll label="What is kept out of sight">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Way</th>
            <th scope="col">By</th>
            <th scope="col">What becomes of its value</th>
          </tr>
        </thead>
        <tbody>
          {[...of]
            .sort((one, other) => Number("waiver" in other) - Number("waiver" in one))
            .map((each) => (
              <tr key={`${each.way} ${each.path} ${each.op}`}>
                <th scope="row" className="mono break">
                  {each.path}
                </th>
                <td className="nowrap">{each.way}</td>
                <td>{each.op}</td>
                <td>
                  <Shape tone={each.kept === "no" ? "bad" : each.kept === "hidden" ? "wait" : "ok"} size={13} />{" "}
                  {kept[each.kept]}
                  {"waiver" in each ? (
                    <Acceptance
                      of={report}
                      place={{ rule: `loss-${each.kept}`, path: each.path, where: each.way }}
                      waiver={each.waiver ?? null}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </Scroll>
  );
}

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
          {of.filter((finding) => kindsOf(finding).includes(each)).length} {each}
        </button>
      ))}
    </div>
  );
}

function Body({ of, versions }: { of: Report; versions: readonly string[] }) {
  const { filters, set } = useFilters(["class", "buf"]);
  const { handled, total } = coverage(of.findings);
  const name = `${of.service}-${of.before}-${of.after}`;
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
          <Shape tone={verdicts[of.verdict].tone} size={20} /> {of.sentence}
        </p>
        <div className="row wrap tallies">
          {Object.entries(weights).map(([weight, { tone, word }]) => {
            const count = of.findings.filter((each) => each.weight === weight && !each.handled).length;
            return (
              <span key={weight} className={`pill soft-${count ? tone : "plain"}`}>
                <Shape tone={count ? tone : "plain"} size={13} />
                {count} {word}
              </span>
            );
          })}
          <span className="pill soft-ok">
            <Shape tone="ok" size={13} />
            {handled} of {total} handled by the conversions
          </span>
          {of.to_accept ? (
            <span className="pill soft-wait">
              <Shape tone="wait" size={13} />
              {of.to_accept} {of.to_accept === 1 ? "place waits" : "places wait"} to be accepted
            </span>
          ) : null}
          <span className="grow" />
          <Button size="xs" onClick={() => download(`${name}.html`, html(of), "text/html")}>
            HTML
          </Button>
          <Button size="xs" onClick={() => download(`${name}.json`, JSON.stringify(of, null, 2))}>
            JSON
          </Button>
          <Button
            size="xs"
            component="a"
            href={url(`/services/${of.service}/compatibility`, {
              before: of.before,
              after: of.after,
              client: of.client,
              server: of.server,
              policy: of.policy,
              as: "sarif",
            })}
            download={`${name}.sarif`}
          >
            SARIF
          </Button>
        </div>
      </section>
      <Card
        title={
          consumer.chosen
            ? `Differences that ${consumer.name} meets: ${shown.length} of ${total}`
            : `Differences: ${total}`
        }
        aside={
          <span className="row">
            <Link className="small" to="/versions/how-to">
              How conversions are written
            </Link>
            {consumer.select}
          </span>
        }
      >
        {consumer.note}
        <div className="row wrap">
          <Kinds
            label="Classes of differences"
            words={classes}
            of={met}
            kindsOf={(each) => each.classes}
            chosen={filters.class}
            onChoose={(value) => set("class", value)}
          />
          <span className="small muted">by Buf</span>
          <Kinds
            label="Categories of Buf"
            words={categories}
            of={met}
            kindsOf={(each) => each.buf}
            chosen={filters.buf}
            onChoose={(value) => set("buf", value)}
          />
        </div>
        {shown.length ? (
          <Findings report={of} of={shown} />
        ) : (
          <Empty
            title={
              met.length
                ? `No difference is of ${[filters.class && `the class ${filters.class}`, filters.buf && `Buf's category ${filters.buf}`].filter(Boolean).join(" and ")}.`
                : total
                  ? "By what was seen, this client uses nothing that differs."
                  : "No difference that a client or a server could notice."
            }
          />
        )}
      </Card>
      <Comparison of={of} versions={versions} />
      <Card title={`Kept out of sight: ${of.losses.length}`}>
        <Losses report={of} />
      </Card>
      <Affected service={of.service} before={of.before} />
      <SchemaDiff service={of.service} before={of.before} after={of.after} />
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
  const found = useQuery({
    queryKey: ["compatibility", service, query],
    queryFn: ({ signal }) => send<Report>(`/services/${service}/compatibility`, { query, signal }),
    enabled: before !== after,
  });
  const go = (from: string, to: string): void =>
    void navigate({ pathname: `/compat/${service}/${from}..${to}`, search: location.search });
  return (
    <Page
      title={`${before} to ${after}`}
      heading={<>Compatibility of {service}</>}
      under={[
        { title: "Versions", to: "/versions" },
        { title: service, to: `/versions/${service}` },
      ]}
    >
      <section className="card row wrap filters" aria-label="What is compared">
        <Versions from={before} to={after} />
        <Select
          size="xs"
          w={120}
          aria-label="From version"
          data={ordered}
          value={before}
          onChange={(value) => go(value ?? before, after)}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={120}
          aria-label="To version"
          data={ordered}
          value={after}
          onChange={(value) => go(before, value ?? after)}
          allowDeselect={false}
        />
        <span className="grow" />
        <Select
          size="xs"
          w={170}
          label="Clients: an unknown key"
          data={readers}
          value={query.client}
          onChange={(value) => set("client", value === "filter" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={170}
          label="Servers: an unknown key"
          data={readers}
          value={query.server}
          onChange={(value) => set("server", value === "strict" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={170}
          label="Updates"
          data={policies}
          value={query.policy}
          onChange={(value) => set("policy", value === "no-loss" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
      </section>
      {before === after ? (
        <Card>
          <Empty title="Choose two different versions." />
        </Card>
      ) : (
        <>
          <p className={found.isFetching && !found.data ? "small muted" : "unseen"} role="status">
            {found.isFetching && !found.data ? `Running: ${before} is being compared with ${after}.` : ""}
          </p>
          <Loaded of={found} lines={6}>
            {(data) => <Body of={data} versions={ordered} />}
          </Loaded>
        </>
      )}
      <p className="small muted">
        The same report by command:{" "}
        <code>
          swy compat check {service} {before} {after}
        </code>
      </p>
    </Page>
  );
}
