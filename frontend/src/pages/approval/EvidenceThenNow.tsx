import { FoldedChecks } from "../../parts/checks/FoldedChecks";
import { Shape } from "../../parts/Shape";
import { Empty } from "../../parts/states";
import { Status } from "../../parts/Status";
import { passes, stops, verdictWords } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Approval, Check } from "../../wire/model";
import { aboutTheData } from "./words";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export interface Compared {
  check: string;
  then: Check | null;
  now: Check | null;
  changed: boolean;
}

/** Each check at the time of the request beside the same check now. */
export function compare(then: readonly Check[], now: readonly Check[]): Compared[] {
  const names = [...new Set([...then, ...now].map((check) => check.check))];
  return names.map((check) => {
    const before = then.find((each) => each.check === check) ?? null;
    const after = now.find((each) => each.check === check) ?? null;
    return { check, then: before, now: after, changed: before?.verdict !== after?.verdict };
  });
}

const QUALITY: Record<Check["verdict"], number> = { fail: 0, unknown: 1, pending: 2, warn: 3, skipped: 4, pass: 4 };

/** What got worse comes first; what got better after it. */
export function worseFirst(rows: readonly Compared[]): Compared[] {
  const gain = (row: Compared): number =>
    (row.now ? QUALITY[row.now.verdict] : 1) - (row.then ? QUALITY[row.then.verdict] : 1);
  return [...rows].sort((one, other) => gain(one) - gain(other));
}

function Judged({ title, check }: { title: string; check: Check | null }) {
  return (
    <div>
      <h3>{title}</h3>
      {check ? (
        <>
          <Status of={verdictWords[check.verdict]} /> {worded(check.sentence, check.phrases)}
          {check.remedy && stops(check) ? (
            <div className="small muted">{worded(check.remedy, check.remedy_phrases)}</div>
          ) : null}
        </>
      ) : (
        <span className="muted">{t`not checked`}</span>
      )}
    </div>
  );
}

/** What got worse since somebody approved, and what the policy says about the votes. */
function SinceVotes({ approval }: { approval: Approval }) {
  const { worse, void_when_worse: voids, policy } = approval;
  return (
    <section aria-label={t`Votes and evidence`}>
      <p className="small">
        <span className="muted">{rich`Policy ${policy}:`}</span>{" "}
        {voids
          ? t`votes are void when a check that passed fails.`
          : t`votes bind to the plan. A check that gets worse does not void them; the switch waits until
            every check passes.`}
      </p>
      {worse.length ? (
        <ul className="plain-list" aria-label={t`Worse since a vote`}>
          {worse.map((each) => (
            <li key={each.check} className="row tight top">
              <Shape tone="bad" size={14} />
              <span>
                {rich`${(<b>{each.check}</b>)} passed when ${each.who} approved (${(<Time at={each.at} />)}) and
                  fails now: ${worded(each.now, each.now_phrases)}`}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** The evidence as a diff; the checks that did not change are listed where they stand nowhere else on the page. */
export function EvidenceThenNow({ approval, hasChecks }: { approval: Approval; hasChecks: boolean }) {
  const now = aboutTheData(approval.evidence_now);
  // A vote that became void may have begun a round with the evidence of that moment.
  const isRenewed = approval.votes.some((vote) => vote.void_reason);
  const since = isRenewed ? t`since the evidence was last recorded` : t`since the request`;
  const rows = compare(aboutTheData(approval.evidence_then), now);
  const changed = rows.filter((row) => row.changed);
  const worse = changed.filter((row) => row.now && stops(row.now) && !(row.then && stops(row.then))).length;
  const better = changed.every((row) => row.now && passes(row.now));
  const tone = worse ? "bad" : better ? "ok" : "wait";
  if (rows.length === 0) return <Empty title={t`This request has no checks.`} />;
  const count = changed.length === 1 ? t`One check has` : t`${changed.length} checks have`;
  const way = worse ? t`, ${worse} got worse` : better ? t`, all improved` : "";
  return (
    <>
      <SinceVotes approval={approval} />
      {changed.length ? (
        <p className={`row tight ink-${tone}`}>
          <Shape tone={tone} /> {rich`${count} changed ${since}${way}.`}
        </p>
      ) : (
        <p className="small muted">{rich`No check has changed ${since}.`}</p>
      )}
      {worseFirst(changed).map((row) => (
        <div key={row.check} className="then-now">
          <Judged title={isRenewed ? t`When last recorded` : t`At the request`} check={row.then} />
          <Judged title={t`Now`} check={row.now} />
        </div>
      ))}
      {hasChecks ? (
        <FoldedChecks
          checks={now.filter((check) => passes(check) || !changed.some((row) => row.check === check.check))}
        />
      ) : null}
    </>
  );
}
