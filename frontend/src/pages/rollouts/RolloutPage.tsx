import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { read, write } from "../../api/client";
import { ActionButton } from "../../parts/ActionButton";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { Conflict, conflictOf, otherwise, type Difference } from "../../parts/forms/Conflict";
import { Copy } from "../../parts/Copy";
import { Page } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { durationText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { Rollout } from "../../wire/rollouts";
import { Replan } from "./Replan";
import { type RolloutAction, RolloutItem } from "./RolloutItem";
import { itemWords, rolloutWords } from "./waves";
import { worded } from "../../words/server";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

type ShownAction = "start" | "pause" | "resume" | "stop" | "rollback";

const labels: Record<ShownAction, string> = {
  start: t`Start`,
  pause: t`Pause`,
  resume: t`Resume`,
  stop: t`Stop…`,
  rollback: t`Roll the wave back…`,
};

/** The actions that are shown in a state, most wanted first. */
function shownIn(state: Rollout["state"]): ShownAction[] {
  switch (state) {
    case "PLANNED":
      return ["start", "stop"];
    case "RUNNING":
      return ["pause", "stop"];
    case "PAUSED":
      return ["resume", "rollback", "stop"];
    case "DONE":
    case "STOPPED":
      return [];
  }
}

/** In what a rollout is another one than was read: its state, its wave, and what became of each deployment. */
function movedOn(now: Rollout, read: Rollout): Difference[] {
  const items = Object.fromEntries(
    read.waves.flat().map(({ deployment, service, region }) => [
      `${service} @ ${region}`,
      (of: Rollout) => {
        const item = of.waves.flat().find((each) => each.deployment === deployment);
        return item ? itemWords[item.state].word : t`not part of it`;
      },
    ]),
  );
  return otherwise<Rollout>(
    {
      [t`State`]: (of) => rolloutWords[of.state].word,
      [t`Wave`]: (of) => (of.wave === null ? t`none` : String(of.wave + 1)),
      [t`Plan`]: (of) => of.plan_digest.slice(0, 12),
      ...items,
    },
    now,
    read,
  );
}

/** Skipping, stopping and rolling back say why, and are rehearsed first. */
function Confirm({
  of,
  pendingAction: dialog,
  onClose,
}: {
  of: Rollout;
  pendingAction: RolloutAction;
  onClose: () => void;
}) {
  const cache = useQueryClient();
  const explained = dialog.action !== "rollback";
  const form = useForm({ comment: "" }, explained ? { comment: required } : {});
  const [read, reread] = useState(of);
  const deployment = dialog.deployment ? { deployment: dialog.deployment } : {};
  const act = useMutation({
    mutationFn: (body: { comment: string; deployment?: string }) =>
      write.post(`/rollouts/{id}/${dialog.action}`, { path: { id: of.id }, body, ifMatch: of.rev }),
    onSuccess: () => onClose(),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["rollout"] }),
  });
  const stale = conflictOf(act.error);
  const text: Record<string, string> = {
    stop: t`No further wave starts. Running upgrades continue; each can be aborted separately.`,
    skip: t`This deployment is skipped; later waves continue without it.`,
    rollback: t`Every switched deployment of this wave is rolled back to its old version without data loss.`,
  };
  const title =
    dialog.action === "rollback"
      ? t`Roll the wave back`
      : dialog.action === "skip"
        ? t`Skip this deployment`
        : t`Stop the rollout`;
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Form
        of={form}
        onSend={({ comment }) => act.mutate({ ...deployment, comment: comment.trim() })}
        error={act.error}
        shown={explained ? ["comment"] : []}
        className="stack dialog"
      >
        <p>{text[dialog.action]}</p>
        {explained ? (
          <Textarea
            label={t`Reason`}
            required
            autosize
            minRows={2}
            {...form.getInputProps("comment")}
            onKeyDown={(event) => {
              // Enter in an empty reason says at the field that it is missing.
              if (event.key !== "Enter" || !isBlank(form.values.comment)) return;
              event.preventDefault();
              form.validate();
            }}
          />
        ) : null}
        {stale ? (
          <Conflict
            of={stale}
            mine={t`you saw`}
            differences={movedOn((stale.current ?? of) as unknown as Rollout, read)}
            onTheirs={onClose}
            onMine={() => {
              reread(of);
              act.reset();
            }}
          />
        ) : act.isError ? (
          <ProblemPanel error={act.error} />
        ) : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="filled" color="red" disabled={stale !== null} loading={act.isPending}>
            {title}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Body({ of }: { of: Rollout }) {
  const cache = useQueryClient();
  const [asked, ask] = useState<RolloutAction | null>(null);
  const [read, reread] = useState(of);
  const act = useMutation({
    mutationFn: (deed: RolloutAction) =>
      write.post(`/rollouts/{id}/${deed.action}`, {
        path: { id: of.id },
        body: deed.deployment
          ? { deployment: deed.deployment }
          : deed.action === "start"
            ? { plan_digest: of.plan_digest }
            : {},
        ifMatch: of.rev,
      }),
    onMutate: () => reread(of),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["rollout"] }),
  });
  const stale = conflictOf(act.error);
  const run = (deed: RolloutAction): void =>
    ["stop", "skip", "rollback"].includes(deed.action) ? ask(deed) : act.mutate(deed);
  return (
    <>
      <section className="card">
        <div className="row between wrap">
          <Status of={rolloutWords[of.state]} />
          <div className="row wrap">
            {shownIn(of.state).map((name) => {
              const action = of.actions.find((each) => each.action === name);
              return action ? (
                <ActionButton
                  key={name}
                  of={action}
                  primary={name === "start" || name === "resume"}
                  busy={act.isPending && act.variables.action === name}
                  onAct={() => run({ action: name })}
                >
                  {labels[name]}
                </ActionButton>
              ) : null;
            })}
          </div>
        </div>
        <p className="sentence">{worded(of.sentence, of.phrases)}</p>
        <p>
          <Link to={`/rollouts/${of.id}/wall`}>{t`Wall: the wave on one screen`}</Link>
        </p>
        {of.reason ? (
          <p className="row tight ink-wait">
            <Shape tone="wait" /> {worded(of.reason, of.reason_phrases)}
          </p>
        ) : null}
        {of.comment ? <blockquote>{of.comment}</blockquote> : null}
        <p className="small muted">
          {rich`${of.created_by}, ${(<Time at={of.created_at} />)} · ${of.max_parallel} in parallel ·`}{" "}
          {of.pause_seconds ? t`${durationText(of.pause_seconds)} between waves` : t`no pause between waves`}{" "}
          {t`· plan`} <span className="mono">{of.plan_digest.slice(0, 12)}</span>{" "}
          <Copy value={of.plan_digest} what={t`the plan's digest`} />
        </p>
      </section>
      {stale ? (
        <Conflict
          of={stale}
          mine={t`you saw`}
          differences={movedOn((stale.current ?? of) as unknown as Rollout, read)}
          onTheirs={() => act.reset()}
          onMine={() => {
            const deed = act.variables;
            act.reset();
            if (deed) run(deed);
          }}
        />
      ) : act.isError ? (
        <ProblemPanel error={act.error} />
      ) : null}
      {of.state === "DONE" || of.state === "STOPPED" ? null : <Replan of={of} />}
      <div className="lanes">
        {of.waves.map((wave, at) => (
          <section key={at} className={`card ${of.wave === at ? "now-wave" : ""}`} aria-label={t`Wave ${at + 1}`}>
            <h2>
              {rich`Wave ${at + 1}`}
              {of.wave === at && of.state !== "DONE" ? <span className="muted"> {t`now`}</span> : null}
            </h2>
            <ul className="plain-list">
              {wave.map((item) => (
                <RolloutItem
                  key={item.deployment}
                  item={item}
                  paused={of.state === "PAUSED"}
                  over={of.state === "DONE" || of.state === "STOPPED"}
                  onAct={run}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {asked ? <Confirm of={of} pendingAction={asked} onClose={() => ask(null)} /> : null}
    </>
  );
}

export function RolloutPage() {
  const { id = "" } = useParams();
  const rollout = useQuery({
    queryKey: ["rollout", id],
    queryFn: ({ signal }) => read("/rollouts/{id}", { path: { id }, signal }),
    refetchInterval: (query) => (query.state.data?.state === "RUNNING" ? 3000 : 15_000),
  });
  return (
    <Page
      title={rollout.data?.title || t`Rollout`}
      under={[
        { title: t`Upgrades`, to: "/upgrades" },
        { title: t`Rollouts`, to: "/rollouts" },
      ]}
    >
      <Loaded of={rollout} lines={8}>
        {(data) => <Body of={data} />}
      </Loaded>
    </Page>
  );
}
