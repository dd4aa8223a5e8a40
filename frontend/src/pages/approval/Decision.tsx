import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey, write } from "../../api/client";
import { problemFrom } from "../../api/problem";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { Checks } from "../../parts/checks/Checks";
import { Conflict, conflictOf, otherwise } from "../../parts/forms/Conflict";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import { stops } from "../../parts/status";
import { alert, announce } from "../../state/announcements";
import type { Approval, Check } from "../../wire/model";
import { DelegateButton } from "./Delegation";
import { riskWords } from "./Impact";
import { useShortcut } from "./shortcut";
import { aboutTheData, givenText, votesText } from "./words";
import { worded } from "../../words/server";
import { Dialog } from "../../parts/forms/Dialog";
import { plural, rich, t } from "../../words/text";

const verdicts: Record<Verdict, string> = {
  approve: t`approved`,
  reject: t`rejected`,
  "request-changes": t`requested changes`,
};

const HELD = t`All checks hold now`;

/** Names what does not hold before somebody approves it all the same. */
function ConfirmDoubtful({
  checks,
  undo,
  busy,
  onApprove,
  onClose,
}: {
  checks: readonly Check[];
  undo: string;
  busy: boolean;
  onApprove: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title={checks.length ? t`${plural(checks.length, "# check does", "# checks do")} not hold now` : HELD}
    >
      {checks.length ? (
        <>
          <p>{t`Your approval counts for this plan. The switch still waits until every check passes.`}</p>
          <Checks checks={checks} />
        </>
      ) : (
        <p>{t`Every check passes since this was opened.`}</p>
      )}
      <p className="small muted">{undo}</p>
      <div className="row">
        <Button data-autofocus onClick={onClose}>
          {t`Cancel`}
        </Button>
        <Button variant="filled" loading={busy} onClick={onApprove}>
          {checks.length ? t`Approve in advance` : t`Approve now`}
        </Button>
      </div>
    </Dialog>
  );
}

type Verdict = "approve" | "reject" | "request-changes";

const facts: Record<string, (of: Approval) => string> = {
  [t`Evidence`]: (of) => of.digest.slice(0, 12),
  [t`Checks that do not pass`]: (of) =>
    aboutTheData(of.evidence_now)
      .filter((check) => check.verdict !== "pass")
      .map((check) => check.check)
      .join(", ") || t`none`,
  [t`Risk`]: (of) => riskWords[of.impact.risk.level].word,
  [t`Breaks clients`]: (of) => (of.impact.report ? String(of.impact.report.breaking) : t`not known`),
  [t`Votes`]: votesText,
};

export function Decision({ approval }: { approval: Approval }) {
  const cache = useQueryClient();
  const [comment, setComment] = useState("");
  const [missing, setMissing] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [key] = useState(newKey);
  const card = useShortcut();
  const [read, reread] = useState(approval);
  const vote = useMutation({
    mutationFn: (verdict: Verdict) =>
      write.post(`/approvals/{id}/${verdict}`, {
        path: { id: approval.id },
        body: { comment: comment.trim() },
        ifMatch: approval.digest,
        idempotencyKey: `${key}-${verdict}`,
      }),
    onMutate: () => reread(approval),
    onSuccess: (after, verdict) => {
      setConfirming(false);
      setComment("");
      setMissing(false);
      // The button that was pressed goes: the focus stays on the page.
      document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
      announce(t`You ${verdicts[verdict]}: ${worded(approval.what, approval.what_phrases)}. ${givenText(after)}.`);
    },
    onError: (error) => {
      setConfirming(false);
      alert(t`Your vote was not recorded: ${problemFrom(error).title}.`);
    },
    onSettled: () => {
      for (const each of ["approval", "approvals", "overview", "upgrade"])
        void cache.invalidateQueries({ queryKey: [each] });
    },
  });
  if (approval.state !== "OPEN") return null;
  const effect = worded(approval.on_approve, approval.on_approve_phrases);
  const undo = worded(approval.undo, approval.undo_phrases);
  const approve = findAction(approval.actions, "approve");
  const reject = findAction(approval.actions, "reject");
  const change = findAction(approval.actions, "request-changes");
  const doubtful = aboutTheData(approval.evidence_now).filter(stops);
  /** A refusal needs its reason: without one the comment is asked for, where it is typed. */
  const withReason = (verdict: Verdict): void => {
    if (comment.trim()) return vote.mutate(verdict);
    setMissing(true);
    card.current?.querySelector<HTMLElement>("textarea")?.focus();
  };
  const stale = conflictOf(vote.error);
  const may = [approve, change, reject].some((action) => action?.allowed);
  return (
    <Card title={t`Your decision`} className="decision">
      <div className="stack" ref={card}>
        {may ? (
          <Textarea
            label={t`Comment`}
            description={t`Required to reject and to request changes.`}
            autosize
            minRows={2}
            value={comment}
            error={missing && !comment.trim() ? t`Enter the reason in the comment: the requesters read it.` : null}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        ) : approve ? (
          <p className="row tight top">
            <Shape tone="blocked" size={14} /> {rich`You cannot vote: ${worded(approve.reason, approve.phrases)}`}
          </p>
        ) : null}
        {stale ? (
          <Conflict
            of={stale}
            mine={t`you saw`}
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
        <div className={`buttons-two ${may ? "decision-bar" : ""}`}>
          <dl className="facts small decision-effect">
            <dt>{t`Effect`}</dt>
            <dd>{effect}</dd>
            <dt>{t`Rollback`}</dt>
            <dd>{undo}</dd>
          </dl>
          {approve ? (
            <div data-decision="approve">
              <ActionButton
                of={approve}
                primary
                full
                busy={vote.isPending && vote.variables === "approve"}
                onAct={() => (doubtful.length ? setConfirming(true) : vote.mutate("approve"))}
              >
                {t`Approve`}
              </ActionButton>
            </div>
          ) : null}
          {change ? (
            <ActionButton
              of={change}
              full
              busy={vote.isPending && vote.variables === "request-changes"}
              onAct={() => withReason("request-changes")}
            >
              {t`Request changes`}
            </ActionButton>
          ) : null}
          {reject ? (
            <ActionButton
              of={reject}
              quiet
              full
              busy={vote.isPending && vote.variables === "reject"}
              onAct={() => withReason("reject")}
            >
              {t`Reject`}
            </ActionButton>
          ) : null}
        </div>
        <DelegateButton approval={approval} />
      </div>
      {confirming ? (
        <ConfirmDoubtful
          checks={doubtful}
          undo={undo}
          busy={vote.isPending}
          onApprove={() => vote.mutate("approve")}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </Card>
  );
}
