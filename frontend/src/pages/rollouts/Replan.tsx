import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { read, write } from "../../api/client";
import { ActionButton } from "../../parts/ActionButton";
import { Shape } from "../../parts/Shape";
import { ProblemPanel } from "../../parts/states";
import type { Rollout } from "../../wire/rollouts";
import { expectedText, Proposal } from "./Proposal";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

/** What of a rollout would break by the facts of now, and the waves that are proposed instead, to be taken over. */
export function Replan({ of }: { of: Rollout }) {
  const cache = useQueryClient();
  const rest = useQuery({
    queryKey: ["rollout", of.id, "rest", of.rev],
    queryFn: ({ signal }) => read("/rollouts/{id}/proposal", { path: { id: of.id }, signal }),
    refetchInterval: 15_000,
  });
  const act = useMutation({
    mutationFn: (digest: string) =>
      write.post("/rollouts/{id}/replan", {
        path: { id: of.id },
        body: { proposal_digest: digest },
        ifMatch: of.rev,
      }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["rollout"] }),
  });
  const action = of.actions.find((each) => each.action === "replan");
  if (!rest.data || rest.data.holds || !action) return null;
  return (
    <section className="card" aria-label={t`Changed facts`}>
      <div className="row between wrap">
        <h2>{t`The facts changed since it was planned`}</h2>
        <ActionButton of={action} primary busy={act.isPending} onAct={() => act.mutate(rest.data.digest)}>
          {t`Use the proposed waves`}
        </ActionButton>
      </div>
      <ul className="plain-list">
        {rest.data.reasons.map((each, at) => (
          <li key={each} className="row tight ink-wait">
            <Shape tone="wait" size={13} /> {worded(each, rest.data.reason_phrases?.[at])}
          </li>
        ))}
      </ul>
      {act.isError ? <ProblemPanel error={act.error} /> : null}
      <p className="small muted">
        {rich`Proposed for the deployments that did not start; expected time: ${expectedText(rest.data.proposal.seconds)}.
        Deployments that cannot be upgraded now come last.`}
      </p>
      <Proposal of={rest.data.proposal} />
    </section>
  );
}
