import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { problemFrom } from "../../api/problem";
import { useAccount } from "../../api/queries";
import { Empty } from "../../parts/states";
import { Age } from "../../time/Time";
import type { Overview, Page } from "../../wire/model";
import type { components } from "../../wire/schema";
import { t } from "../../words/text";

type OwnRequest = components["schemas"]["PermissionRequest"];

/** Done, refused or no longer wanted: what was asked for stands nowhere any more. */
function DismissButton({ at, what, children }: { at: string; what: string; children: string }) {
  const cache = useQueryClient();
  const away = useMutation({
    mutationFn: () => send(at, { method: "DELETE" }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["overview"] }),
  });
  return (
    <span className="row tight nowrap">
      {away.isError ? (
        <span className="small ink-bad" role="alert">
          {problemFrom(away.error).detail ?? problemFrom(away.error).title}
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
  if (needs.length === 0) return <Empty title={t`No pending tasks.`} />;
  return (
    <ul className="plain-list">
      {needs.map((need) => (
        <li key={need.put_away ?? need.id} className="row between">
          <Link to={need.link}>{need.sentence}</Link>
          {need.deadline ? (
            <span className="small muted">
              <Age at={need.deadline} />
            </span>
          ) : null}
          {need.put_away ? (
            <DismissButton at={need.put_away} what={need.sentence}>
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
    queryFn: ({ signal }) => send<Page<OwnRequest>>("/asks", { signal }),
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
              <Link to={each.link}>{each.what}</Link>{" "}
              <span className="small muted">
                <Age at={each.at} />
              </span>
            </span>
            <DismissButton at={`/asks/${each.id}`} what={each.what}>
              {t`Withdraw`}
            </DismissButton>
          </li>
        ))}
      </ul>
    </>
  );
}
