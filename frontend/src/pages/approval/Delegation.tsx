import { Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey, rehearsedChange, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { textOf } from "../../parts/forms/draft";
import { EditDialog, type Editing } from "../../parts/forms/EditDialog";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import { Time } from "../../time/Time";
import type { Approval } from "../../wire/model";
import { rich, t } from "../../words/text";

const OLD = [["approval"], ["approvals"], ["overview"], ["upgrade"]] as const;

function delegationForm(approval: Approval): Editing {
  return {
    title: t`Delegate your vote`,
    button: t`Delegate`,
    start: { to: "", comment: "" },
    refresh: OLD,
    fields: [
      {
        name: "to",
        label: t`Delegate`,
        kind: "text",
        required: true,
        description: t`Account name. The account needs permission to vote here. The planner and the requester are
            excluded.`,
      },
      { name: "comment", label: t`Reason`, kind: "area" },
    ],
    change: (draft) =>
      rehearsedChange.post(
        "/approvals/{id}/delegate",
        { path: { id: approval.id }, body: { to: textOf(draft, "to"), comment: textOf(draft, "comment") } },
        () => <p>{t`The delegate votes on this request only. You can withdraw the delegation until the vote.`}</p>,
      ),
  };
}

/** Lend one's word for this request. */
export function DelegateButton({ approval }: { approval: Approval }) {
  const [open, setOpen] = useState(false);
  const action = findAction(approval.actions, "delegate");
  if (!action) return null;
  return (
    <>
      <ActionButton of={action} full onAct={() => setOpen(true)}>
        {t`Delegate…`}
      </ActionButton>
      {open ? <EditDialog of={delegationForm(approval)} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Who votes for whom, and the way to take one's own word back. */
export function Delegations({ of }: { of: Approval }) {
  const cache = useQueryClient();
  const me = useAccount()?.name;
  const back = useMutation({
    mutationFn: () =>
      write.post("/approvals/{id}/delegate", {
        path: { id: of.id },
        body: { to: me ?? "", comment: "" },
        idempotencyKey: newKey(),
      }),
    onSettled: () => OLD.forEach((key) => void cache.invalidateQueries({ queryKey: key })),
  });
  if (of.delegations.length === 0) return null;
  const voted = new Set(of.votes.filter((vote) => !vote.void_reason).map((vote) => vote.who));
  return (
    <>
      <ul className="plain-list small">
        {of.delegations.map((each) => (
          <li key={each.who} className="row between wrap">
            <span>
              {rich`${(<b>{each.to}</b>)} votes for ${(<b>{each.who}</b>)}`}
              {each.comment ? <>: {each.comment}</> : null}{" "}
              <span className="muted">
                <Time at={each.at} />
              </span>
            </span>
            {each.who === me && of.state === "OPEN" && !voted.has(each.to) ? (
              <ActionButton
                of={{ action: "take-back", allowed: true, reason: "", who_can: [] }}
                busy={back.isPending}
                onAct={() => back.mutate()}
              >
                {t`Withdraw`}
              </ActionButton>
            ) : null}
          </li>
        ))}
      </ul>
      {back.isError ? <ProblemPanel error={back.error} /> : null}
    </>
  );
}

/** Changes requested: which, and the answer that lets everybody vote again. */
export function Answer({ approval }: { approval: Approval }) {
  const cache = useQueryClient();
  const [comment, setComment] = useState("");
  const [key, setKey] = useState(newKey);
  const answer = useMutation({
    mutationFn: () =>
      write.post("/approvals/{id}/answer", {
        path: { id: approval.id },
        body: { comment: comment.trim() },
        idempotencyKey: key,
      }),
    onError: () => setKey(newKey()),
    onSettled: () => OLD.forEach((each) => void cache.invalidateQueries({ queryKey: each })),
  });
  if (approval.state !== "CHANGES") return null;
  const asked = approval.votes.find((vote) => vote.verdict === "changes" && !vote.void_reason);
  const action = findAction(approval.actions, "answer");
  const ready =
    action?.allowed && !comment.trim()
      ? {
          ...action,
          allowed: false,
          reason: t`Describe the changes. The voter who requested them reads this before voting again.`,
        }
      : action;
  return (
    <Card title={t`Changes requested`} className="decision">
      <div className="stack">
        {asked ? (
          <p className="row tight top">
            <Shape tone="blocked" />
            <span>
              <b>{asked.who}</b>: {asked.comment}
            </span>
          </p>
        ) : null}
        <p className="small muted">
          {t`Voting is paused until the answer. The answer starts a new round: earlier votes are void, and
          all voters can vote again.`}
        </p>
        {action?.allowed ? (
          <Textarea
            label={t`Answer`}
            autosize
            minRows={2}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        ) : null}
        {answer.isError ? <ProblemPanel error={answer.error} /> : null}
        {ready ? (
          <ActionButton of={ready} primary full busy={answer.isPending} onAct={() => answer.mutate()}>
            {t`Answer and request again`}
          </ActionButton>
        ) : null}
      </div>
    </Card>
  );
}
