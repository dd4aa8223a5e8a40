import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { read, write } from "../../api/client";
import { problemFrom, problemText } from "../../api/problem";
import { useAccount } from "../../api/queries";
import { Empty } from "../../parts/states";
import { Age } from "../../time/Time";
import type { Overview } from "../../wire/model";
import { worded } from "../../words/server";
import { t } from "../../words/text";

const ASKED_OF_UPGRADE = /^\/upgrades\/([^/?]+)\/ask\?action=([^&]+)$/;
const ASKED = /^\/asks\/([^/?]+)$/;

/** Put away what the server gives such an address of. */
export function putAway(address: string): Promise<unknown> {
  const [, upgrade, action] = ASKED_OF_UPGRADE.exec(address) ?? [];
  if (upgrade && action) return write.delete("/upgrades/{id}/ask", { path: { id: upgrade }, query: { action } });
  const [, id] = ASKED.exec(address) ?? [];
  if (id) return write.delete("/asks/{id}", { path: { id } });
  return Promise.reject(new Error(t`This console does not know ${address}. Reload the page.`));
}

/** Done, refused or no longer wanted: what was asked for stands nowhere any more. */
function DismissButton({ onAct, what, children }: { onAct: () => Promise<unknown>; what: string; children: string }) {
  const cache = useQueryClient();
  const away = useMutation({
    mutationFn: onAct,
    onSettled: () => cache.invalidateQueries({ queryKey: ["overview"] }),
  });
  return (
    <span className="row tight nowrap">
      {away.isError ? (
        <span className="small ink-bad" role="alert">
          {problemText(problemFrom(away.error))}
        </span>
      ) : null}
      <Button
        size="compact-xs"
        aria-label={`${children}: ${what}`}
        loading={away.isPending}
        onClick={() => away.mutate()}
      >
        {children}
      </Button>
    </span>
  );
}

export function PendingTasks({ needs }: { needs: Overview["needs_you"] }) {
  if (needs.length === 0)
    return (
      <Empty title={t`No pending tasks.`}>{t`Approvals that need your vote and requests to you are shown here.`}</Empty>
    );
  return (
    <ul className="plain-list">
      {needs.map((need) => (
        <li key={need.put_away ?? need.id} className="row between">
          <Link to={need.link}>{worded(need.sentence, need.phrases)}</Link>
          {need.deadline ? (
            <span className="small muted nowrap">
              <Age at={need.deadline} />
            </span>
          ) : null}
          {need.put_away ? (
            <DismissButton onAct={() => putAway(need.put_away ?? "")} what={worded(need.sentence, need.phrases)}>
              {t`Dismiss`}
            </DismissButton>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** What this person asked others for, and may take back. */
export function OwnRequests() {
  const me = useAccount()?.name;
  const asked = useQuery({
    queryKey: ["overview", "asks"],
    queryFn: ({ signal }) => read("/asks", { signal }),
  });
  const mine = (asked.data?.items ?? []).filter((each) => each.who === me);
  if (mine.length === 0) return null;
  return (
    <>
      <h3>{t`Your requests`}</h3>
      <ul className="plain-list">
        {mine.map((each) => (
          <li key={each.id} className="row between">
            <span>
              <Link to={each.link}>{worded(each.what)}</Link>{" "}
              <span className="small muted">
                <Age at={each.at} />
              </span>
            </span>
            <DismissButton onAct={() => write.delete("/asks/{id}", { path: { id: each.id } })} what={worded(each.what)}>
              {t`Withdraw`}
            </DismissButton>
          </li>
        ))}
      </ul>
    </>
  );
}
