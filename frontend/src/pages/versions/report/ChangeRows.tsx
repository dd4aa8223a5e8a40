import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { read } from "../../../api/client";
import { Shape } from "../../../parts/Shape";
import { ProblemPanel } from "../../../parts/states";
import {
  type Change,
  type ChangedLines,
  changesOf,
  excerptsOf,
  isAbsent,
  type SourceExcerpt,
  type UsedPlace,
  usageOf,
  usageText,
} from "./changeRows";
import { Findings } from "./Findings";
import { anchor, type Finding, type Report, ruleText, weights, whereWords } from "./report";
import { Acceptance } from "../Waivers";
import "./changeRows.css";
import { rich, t } from "../../../words/text";

function useLines(of: Report) {
  const query = { before: of.before, after: of.after, client: of.client, server: of.server, policy: of.policy };
  return useQuery({
    queryKey: ["compatibility-lines", of.service, query],
    queryFn: ({ signal }) =>
      read("/services/{name}/compatibility/lines", { path: { name: of.service }, query, signal }),
    staleTime: 60_000,
  });
}

function usePlaces(of: Report) {
  return useQuery({
    queryKey: ["usage-places", of.service, of.before],
    queryFn: ({ signal }) =>
      read("/services/{name}/usage/places", { path: { name: of.service }, query: { version: of.before }, signal }),
    staleTime: 60_000,
  });
}

function Side({
  version,
  excerpts,
  side,
  absent,
}: {
  version: string;
  excerpts: SourceExcerpt[];
  side: "before" | "after";
  absent: boolean;
}) {
  return (
    <div className={`change-side ${excerpts.length ? side : ""}`}>
      <span className="small muted">{version}</span>
      {excerpts.length === 0 ? (
        <p className="small muted">{absent ? t`Not in ${version}.` : t`No lines known in this version.`}</p>
      ) : (
        excerpts.map((each) => (
          <figure key={`${each.file} ${each.line}`}>
            <figcaption className="small muted mono break">
              {each.file}:{each.line}
            </figcaption>
            <pre>
              {each.lines.join("\n")}
              {each.left_out ? `\n${t`… ${each.left_out} more lines`}` : ""}
            </pre>
          </figure>
        ))
      )}
    </div>
  );
}

function headWord(change: Change): string {
  if (change.handled) return t`converted automatically`;
  return weights[change.findings[0]?.weight ?? "note"].word;
}

function Row({
  change,
  report,
  lines,
  places,
}: {
  change: Change;
  report: Report;
  lines: readonly ChangedLines[] | undefined;
  places: readonly UsedPlace[] | undefined;
}) {
  const { hash } = useLocation();
  const usage = places ? usageOf(change, places) : null;
  const [first] = change.findings;
  if (!first) return null;
  return (
    <li className="change">
      <h3 className="row tight">
        <Shape tone={change.handled ? "ok" : weights[first.weight].tone} />
        <span>
          {change.title} <span className="muted">· {headWord(change)}</span>
        </span>
      </h3>
      {lines ? (
        <div className="change-sides">
          {(["before", "after"] as const).map((side) => (
            <Side
              key={side}
              version={report[side]}
              excerpts={excerptsOf(change, lines, side)}
              side={side}
              absent={isAbsent(change, side)}
            />
          ))}
        </div>
      ) : null}
      <p className="small muted">
        {rich`Use of ${report.before}: ${usage ? usageText(usage) : places ? t`not counted for this place` : t`unknown`}`}
      </p>
      {change.findings.map((each) =>
        "waiver" in each ? (
          <div key={anchor(each)} className="row tight wrap small">
            <span className="muted">
              {whereWords[each.where] ?? (each.where || each.path)} {ruleText(each.rule)}:
            </span>
            <Acceptance of={report} place={each} waiver={each.waiver ?? null} />
          </div>
        ) : null,
      )}
      <details open={change.findings.some((each) => hash === `#${anchor(each)}`) || undefined}>
        <summary className="small">
          {rich`${change.findings.length === 1 ? t`1 finding` : t`${change.findings.length} findings`} by direction`}
        </summary>
        <Findings of={change.findings} label={t`Findings of `} />
      </details>
    </li>
  );
}

/** The differences of two versions as their authors wrote them: one row a change, what needs a decision on top. */
export function ChangeRows({ report, of }: { report: Report; of: readonly Finding[] }) {
  const lines = useLines(report);
  const places = usePlaces(report);
  return (
    <>
      {lines.isError ? <ProblemPanel error={lines.error} /> : null}
      <ul className="changes" aria-label={t`Changes`}>
        {changesOf(of).map((change) => (
          <Row key={change.key} change={change} report={report} lines={lines.data?.items} places={places.data?.items} />
        ))}
      </ul>
    </>
  );
}
