import { useRegionZone } from "../api/regionZone";
import { Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { newKey, send } from "../api/client";
import { ActionButton, findAction } from "../parts/ActionButton";
import { Checks } from "../parts/Checks";
import { Conflict, conflictOf, otherwise } from "../parts/Conflict";
import { OnDuty } from "../parts/duty";
import { WithInspector } from "../parts/Inspector";
import { Card, Page } from "../parts/Page";
import { useNeighbours } from "../parts/rows";
import { Shape } from "../parts/Shape";
import { Empty, Loaded, ProblemPanel } from "../parts/states";
import { Pill, Status, Versions } from "../parts/Status";
import { approvalWords, verdictWords } from "../parts/status";
import { Time } from "../time/Time";
import type { Action, Approval, Check } from "../wire/model";
import { Answer, DelegateButton, Delegations } from "./approval/Delegation";
import { ImpactCard, riskWords, Summary } from "./approval/Impact";
import { useShortcut } from "./approval/shortcut";
import { Thread } from "./approval/Thread";
import { aboutTheData, votesText } from "./approval/words";

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

function Judged({ title, check }: { title: string; check: Check | null }) {
  return (
    <div>
      <h3>{title}</h3>
      {check ? (
        <>
          <Status of={verdictWords[check.verdict]} /> {check.sentence}
        </>
      ) : (
        <span className="muted">not checked</span>
      )}
    </div>
  );
}

function Evidence({ approval }: { approval: Approval }) {
  const now = aboutTheData(approval.evidence_now);
  const rows = compare(aboutTheData(approval.evidence_then), now);
  const changed = rows.filter((row) => row.changed);
  if (rows.length === 0) return <Empty title="This request has no checks." />;
  return (
    <>
      {changed.length ? (
        <p className="row tight ink-wait">
          <Shape tone="wait" /> {changed.length === 1 ? "One check has" : `${changed.length} checks have`} changed since
          the request.
        </p>
      ) : (
        <p className="small muted">No check has changed since the request.</p>
      )}
      {changed.map((row) => (
        <div key={row.check} className="then-now">
          <Judged title="At the request" check={row.then} />
          <Judged title="Now" check={row.now} />
        </div>
      ))}
      <Checks checks={now} />
    </>
  );
}

const said: Record<string, string> = { approve: "approved", reject: "rejected", changes: "requested changes" };

function Votes({ approval }: { approval: Approval }) {
  return (
    <>
      {approval.votes.length === 0 ? (
        <p className="muted">No votes yet.</p>
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
              {vote.void_reason ? <div className="small ink-wait">Void: {vote.void_reason}</div> : null}
            </li>
          ))}
        </ul>
      )}
      <Delegations of={approval} />
      {(approval.stages?.length ?? 0) > 1 ? (
        <ol className="would small" aria-label="Groups in voting order">
          {approval.stages?.map((stage, at) => (
            <li key={at}>
              <Shape tone={stage.votes_given >= stage.needed ? "ok" : "wait"} size={13} /> {stage.votes_given} of{" "}
              {stage.needed} from {stage.group}
            </li>
          ))}
        </ol>
      ) : null}
      {approval.state === "OPEN" && approval.excluded.length ? (
        <section aria-label="Excluded voters" className="small">
          <p className="muted">These accounts cannot vote:</p>
          <ul className="plain-list">
            {approval.excluded.map((each) => (
              <li key={each.who}>
                <b>{each.who}</b>: {each.reason}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {approval.state === "OPEN" && approval.who_can.length ? (
        <p className="small">
          <span className="muted">Can vote:</span> {approval.who_can.join(", ")}
        </p>
      ) : null}
      {approval.state === "OPEN" && approval.on_duty.length ? (
        <p className="small">
          <span className="muted">On duty:</span> <OnDuty people={approval.on_duty} />
        </p>
      ) : null}
    </>
  );
}

type Verdict = "approve" | "reject" | "request-changes";

const facts: Record<string, (of: Approval) => string> = {
  Evidence: (of) => of.digest.slice(0, 12),
  "Checks that do not pass": (of) =>
    aboutTheData(of.evidence_now)
      .filter((check) => check.verdict !== "pass")
      .map((check) => check.check)
      .join(", ") || "none",
  Risk: (of) => riskWords[of.impact.risk.level].word,
  "Breaks clients": (of) => (of.impact.report ? String(of.impact.report.breaking) : "not known"),
  Votes: votesText,
};

function Decision({ approval }: { approval: Approval }) {
  const cache = useQueryClient();
  const [comment, setComment] = useState("");
  const [key] = useState(newKey);
  const card = useShortcut();
  const [read, reread] = useState(approval);
  const vote = useMutation({
    mutationFn: (verdict: Verdict) =>
      send<Approval>(`/approvals/${approval.id}/${verdict}`, {
        method: "POST",
        body: { comment: comment.trim() },
        ifMatch: approval.digest,
        idempotencyKey: `${key}-${verdict}`,
      }),
    onMutate: () => reread(approval),
    onSettled: () => {
      for (const each of ["approval", "approvals", "overview", "upgrade"])
        void cache.invalidateQueries({ queryKey: [each] });
    },
  });
  if (approval.state !== "OPEN") return null;
  const approve = findAction(approval.actions, "approve");
  const worded = (action: Action | null): Action | null =>
    action?.allowed && comment.trim() === ""
      ? { ...action, allowed: false, reason: "Enter the reason in the comment: the requesters read it.", who_can: [] }
      : action;
  const rejecting = worded(findAction(approval.actions, "reject"));
  const asking = worded(findAction(approval.actions, "request-changes"));
  const stale = conflictOf(vote.error);
  return (
    <Card title="Your decision" className="decision">
      <div className="stack" ref={card}>
        <Textarea
          label="Comment"
          description="Required to reject and to request changes."
          autosize
          minRows={2}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {stale ? (
          <Conflict
            of={stale}
            mine="you saw"
            differences={otherwise(facts, (stale.current ?? approval) as unknown as Approval, read)}
            onTheirs={() => {
              setComment("");
              vote.reset();
            }}
            onMine={() => vote.reset()}
          />
        ) : vote.isError ? (
          <ProblemPanel error={vote.error} />
        ) : null}
        <div className="buttons-two">
          {rejecting ? (
            <ActionButton
              of={rejecting}
              danger
              full
              busy={vote.isPending && vote.variables === "reject"}
              onAct={() => vote.mutate("reject")}
            >
              Reject
            </ActionButton>
          ) : null}
          {approve ? (
            <div data-decision="approve">
              <ActionButton
                of={approve}
                primary
                full
                busy={vote.isPending && vote.variables === "approve"}
                onAct={() => vote.mutate("approve")}
              >
                Approve
              </ActionButton>
            </div>
          ) : null}
          {asking ? (
            <ActionButton
              of={asking}
              full
              busy={vote.isPending && vote.variables === "request-changes"}
              onAct={() => vote.mutate("request-changes")}
            >
              Request changes
            </ActionButton>
          ) : null}
          <DelegateButton approval={approval} />
        </div>
      </div>
    </Card>
  );
}

function Body({ approval }: { approval: Approval }) {
  return (
    <>
      <WithInspector
        page="approval"
        label="Decision"
        side={
          <>
            <Card title="Effect of an approval">
              <p>{approval.on_approve}</p>
              <h3>Rollback</h3>
              <p>{approval.undo}</p>
            </Card>
            <Decision approval={approval} />
            <Answer approval={approval} />
            <Card
              title="Votes"
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
                <p className="small muted">
                  Open until <Time at={approval.deadline} />
                </p>
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
          <p className="sentence">{approval.what}</p>
          <p>
            <b>{approval.asked_by}</b> asks{" "}
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
            <Link to={`/upgrades/${approval.upgrade_id}`}>Open the upgrade</Link>
          </p>
        </Card>
        <Card title="Evidence" aside={<span className="mono">{approval.digest.slice(0, 12)}</span>}>
          <Evidence approval={approval} />
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
    queryFn: ({ signal }) => send<Approval>(`/approvals/${id}`, { signal }),
    refetchInterval: 10_000,
  });
  useRegionZone(approval.data?.deployment.split("/").at(-1));
  return (
    <Page
      title="Approval"
      under={[{ title: "Approvals", to: "/approvals" }]}
      heading={approval.data?.purpose === "revert" ? "Approve a rollback" : "Approve a switch"}
    >
      <Loaded of={approval} lines={8}>
        {(data) => <Body approval={data} />}
      </Loaded>
    </Page>
  );
}
