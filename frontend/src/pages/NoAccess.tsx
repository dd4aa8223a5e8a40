import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { read, write } from "../api/client";
import { useSession } from "../api/queries";
import { Shape } from "../parts/Shape";
import { Loaded, ProblemPanel } from "../parts/states";
import { environmentTone } from "../shell/environment";
import { Mark } from "../shell/Navigation";
import { signOut } from "../shell/TopBar";
import { startClock } from "../time/clock";
import { Time } from "../time/Time";
import type { components } from "../wire/schema";
import { rich, t } from "../words/text";

type Way = components["schemas"]["AccessContact"];

function Asked({ of }: { of: NonNullable<Way["request"]> }) {
  if (of.state === "open")
    return (
      <p className="row tight">
        <Shape tone="wait" />{" "}
        <span>
          {rich`You requested access ${(<Time at={of.at} />)}. This page opens automatically when you are granted
          a role.`}
        </span>
      </p>
    );
  if (of.state === "refused")
    return (
      <div className="notice soft-bad">
        <Shape tone="bad" />
        <span>{rich`${(<b>{of.decided_by}</b>)} refused: ${of.answer}`}</span>
      </div>
    );
  return null;
}

/** Signed in, and nobody gave a role yet: who could, and a way to ask. */
export function NoAccessPage() {
  const session = useSession().data;
  const cache = useQueryClient();
  const [comment, setComment] = useState("");
  useEffect(startClock, []);
  const path = useQuery({
    queryKey: ["way-to-access"],
    queryFn: ({ signal }) => read("/session/access", { signal }),
    refetchInterval: 10_000,
  });
  const ask = useMutation({
    mutationFn: () => write.post("/session/access", { body: { comment: comment.trim() } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["way-to-access"] }),
  });
  // A role that was given counts at once: the session tells.
  useQuery({
    queryKey: ["session-again", path.dataUpdatedAt],
    queryFn: async () => {
      await cache.invalidateQueries({ queryKey: ["session"] });
      return true;
    },
    enabled: path.dataUpdatedAt > 0,
  });
  return (
    <main className="sign-in">
      <section className={`card band band-${environmentTone(session?.environment ?? "")}`}>
        <div className="row between">
          <div className="brand">
            <Mark />
            {t`Switchyard`}
          </div>
          {session?.environment ? <span className="environment">{session.environment}</span> : null}
        </div>
        <h1>{t`You have no access yet`}</h1>
        <p>{rich`You are signed in as ${(<b>{session?.account?.name}</b>)}.`}</p>
        <Loaded of={path} lines={2}>
          {(data) => (
            <div className="stack">
              <p>
                {data.who_can.length ? (
                  <>
                    {t`Contact:`}{" "}
                    {data.who_can.map((who, at) => (
                      <span key={who}>
                        {at ? ", " : ""}
                        <b>{who}</b>
                      </span>
                    ))}
                    .
                  </>
                ) : (
                  t`No account can grant access. Contact the administrator of this machine.`
                )}
              </p>
              {data.request ? <Asked of={data.request} /> : null}
              {data.request?.state === "open" ? null : (
                <>
                  <Textarea
                    label={t`Reason for access`}
                    autosize
                    minRows={2}
                    value={comment}
                    onChange={(event) => setComment(event.currentTarget.value)}
                  />
                  {ask.isError ? <ProblemPanel error={ask.error} /> : null}
                  <Button variant="filled" fullWidth loading={ask.isPending} onClick={() => ask.mutate()}>
                    {data.request?.state === "refused" ? t`Request again` : t`Request access`}
                  </Button>
                </>
              )}
            </div>
          )}
        </Loaded>
        <p className="small">
          <button type="button" className="link" onClick={() => void signOut()}>
            {t`Sign out`}
          </button>
        </p>
      </section>
    </main>
  );
}
