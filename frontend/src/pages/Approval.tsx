import { useRegionZone } from "../api/regionZone";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { read } from "../api/client";
import { OnDuty } from "../parts/duty";
import { WithInspector } from "../parts/Inspector";
import { Card, Page } from "../parts/Page";
import { useNeighbours } from "../parts/tables/rows";
import { Shape } from "../parts/Shape";
import { Loaded } from "../parts/states";
import { Pill, Status, Versions } from "../parts/Status";
import { approvalWords } from "../parts/status";
import { Time } from "../time/Time";
import type { Approval } from "../wire/model";
import { Decision } from "./approval/Decision";
import { Answer, Delegations } from "./approval/Delegation";
import { EvidenceThenNow } from "./approval/EvidenceThenNow";
import { ImpactCard, Summary } from "./approval/Impact";
import { Thread } from "./approval/Thread";
import { votesText } from "./approval/words";
import { worded } from "../words/server";
import { rich, t } from "../words/text";

const said: Record<string, string> = { approve: t`approved`, reject: t`rejected`, changes: t`requested changes` };

function Votes({ approval }: { approval: Approval }) {
  return (
    <>
      {approval.votes.length === 0 ? (
        <p className="muted">{t`No votes yet.`}</p>
      ) : (
        <ul className="plain-list">
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
      {approval.state === "OPEN" && approval.excluded.length ? (
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
      {approval.state === "OPEN" && approval.who_can.length ? (
        <p className="small">
          <span className="muted">{t`Can vote:`}</span> {approval.who_can.join(", ")}
        </p>
      ) : null}
      {approval.state === "OPEN" && approval.on_duty.length ? (
        <p className="small">
          <span className="muted">{t`On duty:`}</span> <OnDuty people={approval.on_duty} />
        </p>
      ) : null}
    </>
  );
}

function Body({ approval }: { approval: Approval }) {
  return (
    <>
      <WithInspector
        page="approval"
        label={t`Decision`}
        side={
          <>
            <Card title={t`Effect of an approval`}>
              <p>{worded(approval.on_approve, approval.on_approve_phrases)}</p>
              <h3>{t`Rollback`}</h3>
              <p>{worded(approval.undo, approval.undo_phrases)}</p>
            </Card>
            <Decision approval={approval} />
            <Answer approval={approval} />
            <Card
              title={t`Votes`}
              aside={
                <Pill
                  tone={
                    approval.state === "OPEN"
                      ? "wait"
                      : approval.state === "APPROVED" || approval.state === "USED"
                        ? "ok"
                        : "plain"
                  }
                >
                  {votesText(approval)}
                </Pill>
              }
            >
              <Votes approval={approval} />
              {approval.deadline && approval.state === "OPEN" ? (
                <p className="small muted">{rich`Open until ${(<Time at={approval.deadline} />)}`}</p>
              ) : null}
            </Card>
          </>
        }
      >
        <Card>
          <div className="row between wrap">
            <Versions from={approval.from_version} to={approval.to_version} />
            <Status of={approvalWords[approval.state]} />
          </div>
          <p className="sentence">{worded(approval.what, approval.what_phrases)}</p>
          <p>
            {rich`Requested by ${(<b>{approval.asked_by}</b>)}`}{" "}
            <span className="muted">
              <Time at={approval.created_at} />
            </span>
            {approval.ticket ? (
              <>
                {" "}
                · <span className="mono">{approval.ticket}</span>
              </>
            ) : null}
          </p>
          {approval.comment ? <blockquote>{approval.comment}</blockquote> : null}
          {approval.state === "OPEN" || approval.state === "CHANGES" ? <Summary of={approval.impact} /> : null}
          <p className="small">
            <Link to={`/upgrades/${approval.upgrade_id}`}>{t`Open the upgrade`}</Link>
          </p>
        </Card>
        <Card title={t`Evidence`} aside={<span className="mono">{approval.digest.slice(0, 12)}</span>}>
          <EvidenceThenNow approval={approval} />
        </Card>
        <ImpactCard approval={approval} />
      </WithInspector>
      <Thread approval={approval} />
    </>
  );
}

export function ApprovalPage() {
  const { id = "" } = useParams();
  useNeighbours();
  const approval = useQuery({
    queryKey: ["approval", id],
    queryFn: ({ signal }) => read("/approvals/{id}", { path: { id }, signal }),
    refetchInterval: 10_000,
  });
  useRegionZone(approval.data?.deployment.split("/").at(-1));
  return (
    <Page
      title={t`Approval`}
      under={[{ title: t`Approvals`, to: "/approvals" }]}
      heading={approval.data?.purpose === "revert" ? t`Approve a rollback` : t`Approve a switch`}
    >
      <Loaded of={approval} lines={8}>
        {(data) => <Body approval={data} />}
      </Loaded>
    </Page>
  );
}
