import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { read, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { Shape } from "../../../parts/Shape";
import { ProblemPanel } from "../../../parts/states";
import { Time } from "../../../time/Time";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

const KEY = ["deletion-check", "watches"];
const tones = { delete: "ok", ask: "wait", refuse: "bad" } as const;

/** Wait until nothing blocks it: the server looks again and again, and tells this person. */
function WatchButton({ name }: { name: string }) {
  const cache = useQueryClient();
  const known = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => read("/deletion-watches", { signal }),
  });
  const mine = known.data?.items.find((each) => each.name === name);
  const change = useMutation({
    mutationFn: () =>
      mine
        ? write.delete("/deletion-watches/{id}", { path: { id: mine.id } })
        : write.post("/deletion-watches", { body: { name } }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: KEY });
      void cache.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  return (
    <>
      <Button aria-pressed={mine !== undefined} loading={change.isPending} onClick={() => change.mutate()}>
        {mine ? (mine.cleared_at ? t`Dismiss` : t`Stop watching`) : t`Watch until it can be deleted`}
      </Button>
      {mine ? (
        <span className="small muted" role="status">
          {mine.cleared_at ? (
            <>{rich`Deletable since ${(<Time at={mine.cleared_at} />)}. You were notified.`}</>
          ) : (
            <>{rich`You are notified when it can be deleted. Watched since ${(<Time at={mine.since} />)}.`}</>
          )}
        </span>
      ) : null}
      {change.isError ? <ProblemPanel error={change.error} /> : null}
    </>
  );
}

/** Rehearse the deletion, and wait for it to be free. */
export function DeletionPreparation({ name }: { name: string }) {
  const may = useAccount()?.permissions.includes("resource.write") ?? false;
  const rehearse = useMutation({
    mutationFn: () => write.post("/deletion-check/rehearsals", { body: { name } }),
  });
  return (
    <div className="stack">
      <div className="row wrap">
        <ActionButton
          of={{
            action: "resource.write",
            allowed: may,
            reason: t`The dry run deletes and rolls back, so it requires write permission.`,
            who_can: ["operator", "admin"],
          }}
          busy={rehearse.isPending}
          onAct={() => rehearse.mutate()}
        >
          {t`Dry-run delete`}
        </ActionButton>
        <WatchButton name={name} />
      </div>
      {rehearse.isError ? <ProblemPanel error={rehearse.error} /> : null}
      {rehearse.data ? (
        <div className={`notice soft-${tones[rehearse.data.outcome]}`} role="status">
          <Shape tone={tones[rehearse.data.outcome]} />
          <div>
            {worded(rehearse.data.sentence, rehearse.data.phrases)}
            {rehearse.data.asks.length || rehearse.data.violations.length ? (
              <ul>
                {rehearse.data.asks.map((each) => (
                  <li key={each}>{each}</li>
                ))}
                {rehearse.data.violations.map((each) => (
                  <li key={each.path}>
                    <span className="mono break">{each.path}</span> {worded(each.message, each.phrases)}
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}
