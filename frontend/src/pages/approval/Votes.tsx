import { OnDuty } from "../../parts/duty";
import { Shape } from "../../parts/Shape";
import { Time } from "../../time/Time";
import type { Approval } from "../../wire/model";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";
import { Delegations } from "./Delegation";

export const said: Record<string, string> = {
  approve: t`approved`,
  reject: t`rejected`,
  changes: t`requested changes`,
};

/** Who voted and how, and while it is open, who can. */
export function Votes({ approval }: { approval: Approval }) {
  return (
    <>
      {approval.votes.length === 0 ? (
        <p className="muted">{t`No votes yet.`}</p>
      ) : (
        <ul className="plain-list" aria-label={t`Votes`}>
          {approval.votes.map((vote) => (
            <li key={`${vote.who} ${vote.at}`} className={vote.void_reason ? "void" : ""}>
              <div className="row between wrap">
                <span>
                  <b>{vote.who}</b> {said[vote.verdict] ?? vote.verdict}
                </span>
                <span className="small muted">
                  <Time at={vote.at} />
                </span>
              </div>
              {vote.comment ? <div>{vote.comment}</div> : null}
              {vote.void_reason ? (
                <div className="small ink-wait">{rich`Void: ${worded(vote.void_reason, vote.void_phrases)}`}</div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <Delegations of={approval} />
      {(approval.stages?.length ?? 0) > 1 ? (
        <ol className="would small" aria-label={t`Groups in voting order`}>
          {approval.stages?.map((stage, at) => (
            <li key={at}>
              <Shape tone={stage.votes_given >= stage.needed ? "ok" : "wait"} size={13} />{" "}
              {rich`${stage.votes_given} of ${stage.needed} from ${stage.group}`}
            </li>
          ))}
        </ol>
      ) : null}
      {approval.state === "OPEN" ? <Electors approval={approval} /> : null}
    </>
  );
}

function Electors({ approval }: { approval: Approval }) {
  return (
    <>
      {approval.excluded.length ? (
        <section aria-label={t`Excluded voters`} className="small">
          <p className="muted">{t`These accounts cannot vote:`}</p>
          <ul className="plain-list">
            {approval.excluded.map((each) => (
              <li key={each.who}>
                <b>{each.who}</b>: {worded(each.reason, each.phrases)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {approval.who_can.length ? (
        <p className="small">
          <span className="muted">{t`Can vote:`}</span> {approval.who_can.join(", ")}
        </p>
      ) : null}
      {approval.on_duty.length ? (
        <p className="small">
          <span className="muted">{t`On duty:`}</span> <OnDuty people={approval.on_duty} />
        </p>
      ) : null}
      {approval.deadline ? (
        <p className="small muted">{rich`Open until ${(<Time at={approval.deadline} />)}`}</p>
      ) : null}
    </>
  );
}
