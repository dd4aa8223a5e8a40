import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../../api/client";
import { ActionButton } from "../../parts/ActionButton";
import { Conflict, conflictOf, otherwise } from "../../parts/forms/Conflict";
import { isNameTyped, NameConfirmation } from "../../parts/forms/NameConfirmation";
import { Card } from "../../parts/Page";
import { Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { approvalWords } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Eviction } from "../../wire/constraints";
import { approvalsText } from "../approval/words";
import { worded } from "../../words/server";
import { Dialog } from "../../parts/forms/Dialog";
import { t } from "../../words/text";

interface Place {
  service: string;
  region: string;
}

function useRefresh({ service, region }: Place): () => void {
  const cache = useQueryClient();
  return () => {
    for (const key of [
      ["evictions", service, region],
      ["constraints", service, region],
      ["deployment", service, region],
    ])
      void cache.invalidateQueries({ queryKey: key });
  };
}

/** The request: typed out in full, because nobody waits for the deployment afterwards. */
function AskDialog({ of, onClose }: { of: Place; onClose: () => void }) {
  const [typed, type] = useState("");
  const [reason, give] = useState("");
  const refresh = useRefresh(of);
  const ask = useMutation({
    mutationFn: () =>
      write.post("/constraints/{service}/{region}/evictions", {
        path: { service: of.service, region: of.region },
        body: { reason },
      }),
    onSuccess: () => {
      refresh();
      onClose();
    },
  });
  const name = `${of.service}@${of.region}`;
  return (
    <Dialog opened onClose={onClose} title={t`Evict ${`${of.service} @ ${of.region}`}`}>
      <div className="stack dialog">
        <p>
          {t`After two other administrators approve, no deployment waits for it: resources that it refers
          to can be deleted, and its later requests are refused. It does not serve until an administrator
          registers it with a higher generation. Its own data is kept.`}
        </p>
        <Textarea
          label={t`Reason for the eviction`}
          description={t`20 characters or more. The approvers read it.`}
          autosize
          minRows={2}
          required
          value={reason}
          onChange={(event) => give(event.currentTarget.value)}
        />
        <NameConfirmation name={name} value={typed} onChange={type} />
        {ask.isError ? <ProblemPanel error={ask.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            variant="filled"
            color="red"
            disabled={!isNameTyped(typed, name) || reason.trim().length < 20}
            loading={ask.isPending}
            onClick={() => ask.mutate()}
          >
            {t`Request eviction`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function voteText({ who, verdict, void_reason, void_phrases }: Eviction["votes"][number]): string {
  const reason = worded(void_reason, void_phrases);
  return `${who} ${verdict}${reason ? t` (void: ${reason})` : ""}`;
}

const facts: Record<string, (of: Eviction) => string> = {
  [t`Request details`]: (of) => of.digest.slice(0, 12),
  [t`State`]: (of) => (of.state === "USED" ? t`evicted` : approvalWords[of.state].word),
  [t`Votes`]: (of) => t`${of.votes_given} of ${of.needed}`,
};

function Request({ of, place }: { of: Eviction; place: Place }) {
  const [comment, say] = useState("");
  const [read, reread] = useState(of);
  const refresh = useRefresh(place);
  const vote = useMutation({
    mutationFn: (verdict: "approve" | "reject") =>
      write.post(`/evictions/{id}/${verdict}`, { path: { id: of.id }, body: { comment }, ifMatch: of.digest }),
    onMutate: () => reread(of),
    onSettled: refresh,
  });
  const stale = conflictOf(vote.error);
  return (
    <li className="stack">
      <div className="row between wrap">
        <span>
          <b>{of.asked_by}</b>: {of.reason}
        </span>
        <span className="row">
          <Status of={of.state === "USED" ? { tone: "ok", word: t`evicted` } : approvalWords[of.state]} />
          <Time at={of.created_at} />
        </span>
      </div>
      <p className="small muted">
        {approvalsText(of.votes_given, of.needed)}
        {of.votes.length ? `: ${of.votes.map(voteText).join(", ")}` : ""}
      </p>
      {of.state === "OPEN" ? (
        <>
          {of.vote.allowed ? (
            <TextInput label={t`Comment`} value={comment} onChange={(event) => say(event.currentTarget.value)} />
          ) : null}
          {stale ? (
            <Conflict
              of={stale}
              mine={t`you saw`}
              differences={otherwise(facts, (stale.current ?? of) as unknown as Eviction, read)}
              onTheirs={() => {
                say("");
                vote.reset();
              }}
              onMine={() => vote.reset()}
            />
          ) : vote.isError ? (
            <ProblemPanel error={vote.error} />
          ) : null}
          <div className="row">
            <ActionButton of={of.vote} primary busy={vote.isPending} onAct={() => vote.mutate("approve")}>
              {t`Approve eviction`}
            </ActionButton>
            {of.vote.allowed ? (
              <Button disabled={!comment.trim()} onClick={() => vote.mutate("reject")}>
                {t`Reject`}
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
    </li>
  );
}

/** Evictions of a deployment: asking for one, and deciding on what others ask for. */
export function EvictionCard(place: Place) {
  const [asking, ask] = useState(false);
  const result = useQuery({
    queryKey: ["evictions", place.service, place.region],
    queryFn: ({ signal }) =>
      read("/constraints/{service}/{region}/evictions", {
        path: { service: place.service, region: place.region },
        signal,
      }),
  });
  return (
    <Card title={t`Eviction`}>
      <Loaded of={result} lines={2}>
        {(data) => (
          <>
            <p className="small muted">
              {t`A deployment that is permanently lost blocks the deletion of resources that it may refer
              to. Eviction removes this block.`}
            </p>
            {data.items.length ? (
              <ul className="plain-list">
                {data.items.map((each) => (
                  <Request key={each.id} of={each} place={place} />
                ))}
              </ul>
            ) : null}
            <ActionButton of={data.evict} quiet onAct={() => ask(true)}>
              {t`Evict…`}
            </ActionButton>
            {asking ? <AskDialog of={place} onClose={() => ask(false)} /> : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}
