import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey, write } from "../../api/client";
import { problemText } from "../../api/problem";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import { Dialog } from "../../parts/forms/Dialog";
import type { ApprovalSummary, Problem } from "../../wire/model";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

/** Why these cannot be approved with one word; empty when they can. The server asks the same again. */
export function selectionProblem(requests: readonly Pick<ApprovalSummary, "what" | "impact_summary">[]): string {
  if (new Set(requests.map((each) => each.impact_summary?.change)).size > 1)
    return t`The requests are for different changes. Select one change in several regions.`;
  const risky = requests.filter((each) => each.impact_summary?.risk !== "low");
  if (risky.length)
    return risky.length === 1
      ? t`One of them is not low risk. Open and decide it separately.`
      : t`${risky.length} of them are not low risk. Open and decide each separately.`;
  return "";
}

/** Approve what is marked: one change in several places, where nothing speaks against it. */
export function BulkApproval({ requests, onClear }: { requests: ApprovalSummary[]; onClear: () => void }) {
  const cache = useQueryClient();
  // What is decided leaves the list, and the results of it stay on screen until they are closed.
  const [asked, setAsked] = useState<readonly ApprovalSummary[] | null>(null);
  const [comment, setComment] = useState("");
  const [key, setKey] = useState(newKey);
  const approve = useMutation({
    mutationFn: () =>
      write.post("/approvals:approve", {
        body: { requests: (asked ?? []).map(({ id, digest }) => ({ id, digest })), comment: comment.trim() },
        idempotencyKey: key,
      }),
    onError: () => setKey(newKey()),
  });
  const close = (): void => {
    setAsked(null);
    if (!approve.data) return;
    approve.reset();
    setKey(newKey());
    onClear();
    for (const each of ["approval", "approvals", "overview", "upgrade"])
      void cache.invalidateQueries({ queryKey: [each] });
  };
  if (requests.length === 0 && !asked) return null;
  const shown = asked ?? requests;
  const why = selectionProblem(requests);
  const what = new Map(shown.map((each) => [each.id, worded(each.what, each.what_phrases)]));
  return (
    <>
      {requests.length ? (
        <div className="row wrap marked" role="region" aria-label={t`Selected requests`}>
          <b role="status">{rich`${requests.length} selected`}</b>
          <Button size="xs" variant="filled" disabled={why !== ""} onClick={() => setAsked(requests)}>
            {rich`Approve ${requests.length === 1 ? t`it` : t`all ${requests.length}`}…`}
          </Button>
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t`Clear`}
          </Button>
          {why ? (
            <span className="small row tight">
              <Shape tone="blocked" size={13} /> {why}
            </span>
          ) : null}
        </div>
      ) : null}
      <Dialog
        opened={asked !== null}
        onClose={close}
        title={t`Approve ${shown.length === 1 ? t`one request` : t`${shown.length} requests`}`}
      >
        <div className="stack dialog">
          {approve.data ? (
            <ul className="plain-list small" aria-label={t`Results`}>
              {approve.data.items.map((each) => (
                <li key={each.id} className="row tight top">
                  <Shape tone={each.status === 200 ? "ok" : "blocked"} size={13} />
                  <span>
                    {what.get(each.id)}:{" "}
                    {each.status === 200
                      ? t`approved`
                      : each.problem
                        ? problemText(each.problem as unknown as Problem)
                        : t`refused`}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <>
              <ul className="plain-list small">
                {shown.map((each) => (
                  <li key={each.id}>{worded(each.what, each.what_phrases)}</li>
                ))}
              </ul>
              <p className="small muted">
                {t`Each vote applies to the evidence on screen. If the evidence has changed, the vote is
                not recorded.`}
              </p>
              <Textarea
                label={t`Comment`}
                autosize
                minRows={2}
                value={comment}
                onChange={(event) => setComment(event.currentTarget.value)}
              />
              {approve.isError ? <ProblemPanel error={approve.error} /> : null}
            </>
          )}
          <div className="row end">
            <Button data-autofocus onClick={close}>
              {approve.data ? t`Close` : t`Cancel`}
            </Button>
            {approve.data ? null : (
              <Button variant="filled" loading={approve.isPending} onClick={() => approve.mutate()}>
                {approve.isPending ? t`Recording…` : t`Approve`}
              </Button>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}
