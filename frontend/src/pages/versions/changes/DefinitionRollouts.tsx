import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { wideRefusal } from "../../../api/bounds";
import { newKey, read, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { Card } from "../../../parts/Page";
import { Empty, Loaded, ProblemPanel } from "../../../parts/states";
import type { Word } from "../../../parts/status";
import { Status } from "../../../parts/Status";
import { Time } from "../../../time/Time";
import type { components } from "../../../wire/schema";
import { MAY_NOT_CHANGE } from "../usage/usedPlace";
import { worded } from "../../../words/server";
import { WordedLines } from "../WordedLines";
import { rich, t } from "../../../words/text";

export type DefinitionRollout = components["schemas"]["DefinitionRollout"];
type Phase = DefinitionRollout["phases"][number];
type Act = "start" | "pause" | "stop";

export const definitionRolloutWords: Record<DefinitionRollout["state"], Word> = {
  PLANNED: { tone: "plain", word: t`Planned` },
  RUNNING: { tone: "run", word: t`Running` },
  PAUSED: { tone: "blocked", word: t`Paused` },
  DONE: { tone: "ok", word: t`Done` },
  STOPPED: { tone: "unknown", word: t`Stopped` },
};
export const phaseWords: Record<Phase["state"], Word> = {
  done: { tone: "ok", word: t`done` },
  current: { tone: "wait", word: t`current` },
  waiting: { tone: "plain", word: t`waiting` },
};
/* eslint-disable texts/in-catalogue -- the names that the server gives them */
const acts: Record<DefinitionRollout["state"], readonly Act[]> = {
  PLANNED: ["start", "stop"],
  RUNNING: ["pause", "stop"],
  PAUSED: ["start", "stop"],
  DONE: [],
  STOPPED: [],
};
/* eslint-enable texts/in-catalogue */

/** The word of a button: what was begun is resumed. */
function actWord(act: Act, of: DefinitionRollout): string {
  if (act === "start") return of.started_by ? t`Resume` : t`Start`;
  return act === "pause" ? t`Pause` : t`Stop`;
}

function Phases({ of }: { of: readonly Phase[] }) {
  return (
    <ol>
      {of.map((each) => (
        <li key={each.action}>
          <Status of={phaseWords[each.state]} /> {worded(each.action, each.action_phrases)}{" "}
          {each.settled_at ? (
            <span className="small muted">
              <Time at={each.settled_at} />
            </span>
          ) : null}
          {each.state !== "done" && each.wait ? (
            <div className="small muted">{rich`Wait ${worded(each.wait)}.`}</div>
          ) : null}
          <WordedLines of={each.lacking} phrases={each.lacking_phrases} />
        </li>
      ))}
    </ol>
  );
}

function One({ of, refusal }: { of: DefinitionRollout; refusal: string }) {
  const cache = useQueryClient();
  const act = useMutation({
    mutationFn: (what: Act) =>
      what === "stop"
        ? write.post("/definition-rollouts/{id}/stop", { path: { id: of.id }, body: {} })
        : write.post(`/definition-rollouts/{id}/${what}`, { path: { id: of.id } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["definition-rollouts", of.service] }),
  });
  return (
    <li>
      <p>
        <Status of={definitionRolloutWords[of.state]} /> <span className="mono">{of.id}</span>{" "}
        {rich`by ${of.created_by} ${(<Time at={of.created_at} />)}`}
        {of.note ? `. ${of.note}` : ""}
      </p>
      {of.reason ? <p>{worded(of.reason, of.reason_phrases)}</p> : null}
      <Phases of={of.phases} />
      {of.checked_at && of.state === "RUNNING" ? (
        <p className="small muted">{rich`Evidence checked ${(<Time at={of.checked_at} />)}`}</p>
      ) : null}
      {act.isError ? <ProblemPanel error={act.error} /> : null}
      <div className="row tight wrap">
        {acts[of.state].map((each) => (
          <ActionButton
            key={each}
            of={{ action: each, allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
            small
            busy={act.isPending && act.variables === each}
            onAct={() => act.mutate(each)}
          >
            {actWord(each, of)}
          </ActionButton>
        ))}
      </div>
    </li>
  );
}

/** The definitions of a service that change in phases: what is done, what the next waits for, and how to hold it. */
export function DefinitionRollouts({ service }: { service: string }) {
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const result = useQuery({
    queryKey: ["definition-rollouts", service],
    queryFn: ({ signal }) => read("/services/{name}/definition-rollouts", { path: { name: service }, signal }),
    refetchInterval: (query) => (query.state.data?.items.some((each) => each.state === "RUNNING") ? 5000 : false),
  });
  return (
    <Card title={t`Rollouts in phases`}>
      <Loaded of={result} lines={2}>
        {({ items }) =>
          items.length ? (
            <ul className="plain-list">
              {items.map((each) => (
                <One key={each.id} of={each} refusal={refusal} />
              ))}
            </ul>
          ) : (
            <Empty title={t`No definition changes in phases.`}>
              {t`A change that neither servers nor clients can make alone is applied in phases, each when
              nothing stands against it.`}
            </Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Plans the phases of a checked definition and begins the first, by one click. */
export function StartInPhases({
  service,
  files,
  refusal,
}: {
  service: string;
  files: Record<string, string>;
  refusal: string;
}) {
  const cache = useQueryClient();
  const [key] = useState(newKey);
  const start = useMutation({
    mutationFn: () =>
      write.post("/services/{name}/definition-rollouts", {
        path: { name: service },
        body: { files, start: true },
        idempotencyKey: key,
      }),
    onSettled: () => {
      for (const each of ["definition-rollouts", "definition-reviews", "definition-check", "services"])
        void cache.invalidateQueries({ queryKey: [each] });
    },
  });
  if (start.isSuccess) return <p role="status">{t`Started. Its phases are shown below.`}</p>;
  return (
    <>
      {start.isError ? <ProblemPanel error={start.error} /> : null}
      <ActionButton
        of={{ action: "start", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
        busy={start.isPending}
        onAct={() => start.mutate()}
      >
        {t`Start in phases`}
      </ActionButton>
    </>
  );
}
