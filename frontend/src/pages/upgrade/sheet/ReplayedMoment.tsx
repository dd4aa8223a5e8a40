import { FoldedChecks } from "../../../parts/checks/FoldedChecks";
import { Pill, Status } from "../../../parts/Status";
import { countText, lagText, shardWords, stateWord } from "../../../parts/status";
import { Time } from "../../../time/Time";
import type { Check, ShardState } from "../../../wire/model";
import { VERDICTS, type Moment } from "./replay";
import { listedChecks } from "./steps";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

/** The present step as it was at a moment; nothing can be done in it. */
export function ReplayedMoment({ moment, at, total }: { moment: Moment; at: number; total: number }) {
  const shards = Object.entries(moment.shards) as [ShardState, number][];
  const reported = shards.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div role="status" aria-label={t`As recorded`}>
      <p className="sentence">
        {rich`As it was at ${(<Time at={new Date(at).toISOString()} />)}:`}{" "}
        {moment.state ? <Status of={stateWord(moment.state)} /> : t`not planned yet`}
      </p>
      <p className="row wrap">
        {shards.map(([state, count]) => (
          <Pill key={state} tone={shardWords[state].tone}>
            {count} {shardWords[state].word}
          </Pill>
        ))}
        {reported < total ? <span className="small muted">{rich`${total - reported} without a report`}</span> : null}
        <span className="small muted">
          {rich`lag p95 ${lagText(moment.lag)} · copied ${countText(moment.rate)} /s`}
        </span>
      </p>
      {moment.votes.length ? (
        <ul className="plain-list small">
          {moment.votes.map((vote) => (
            <li key={`${vote.at} ${vote.who}`}>
              <b>{vote.who}</b> {VERDICTS[vote.verdict] ?? vote.verdict} <Time at={vote.at} age={false} />
              {vote.void ? (
                <span className="muted"> {rich`(void later: ${worded(vote.void, vote.void_phrases)})`}</span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {moment.evidence ? (
        <>
          <p className="small muted">{rich`Checks recorded at ${(<Time at={moment.evidence.at} age={false} />)}:`}</p>
          <FoldedChecks checks={listedChecks(moment.evidence.checks as Check[])} />
        </>
      ) : (
        <p className="small muted">{t`Checks are recorded with requests and votes; until then none are known.`}</p>
      )}
    </div>
  );
}
