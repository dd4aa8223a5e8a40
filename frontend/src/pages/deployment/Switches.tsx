import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { write } from "../../api/client";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { Conflict, conflictOf } from "../../parts/forms/Conflict";
import { isNameTyped, NameConfirmation } from "../../parts/forms/NameConfirmation";
import { Copy } from "../../parts/Copy";
import { ProblemPanel } from "../../parts/states";
import type { Deployment } from "../../wire/model";
import { changedSince, Rehearsal } from "./Preview";
import { Dialog } from "../../parts/forms/Dialog";
import { t } from "../../words/text";

interface Change {
  action: string;
  word: string;
  danger: boolean;
  says: string;
  body: Record<string, unknown>;
}

/** The page that plans an upgrade, with its version where only one can be reached. */
function planOf({ name, current_version: current, reachable_versions: versions }: Deployment): string {
  const others = versions.filter((each) => each.reachable && each.version !== current);
  const target = others.length === 1 ? others[0]?.version : undefined;
  return `/upgrades/new?deployment=${encodeURIComponent(name)}${target ? `&target=${encodeURIComponent(target)}` : ""}`;
}

/** What of a deployment is changed by a button; said twice, because everything that depends on it notices. */
function changesOf(of: Deployment): Change[] {
  return [
    of.automatic
      ? {
          action: "set-switch-mode",
          word: t`Switch manually`,
          danger: false,
          says: t`An operator starts the switch of this deployment. A running upgrade keeps the mode of its
            plan.`,
          body: { automaticVersionSwitch: false },
        }
      : {
          action: "set-switch-mode",
          word: t`Switch automatically`,
          danger: false,
          says:
            t`This deployment switches automatically when every check passes and its approvals are complete.
              ` + t`A running upgrade keeps the mode of its plan.`,
          body: { automaticVersionSwitch: true },
        },
    of.disabled
      ? {
          action: "disable",
          word: t`Enable`,
          danger: false,
          says: t`The deployment serves, syncs and can be upgraded again.`,
          body: { isDisabled: false },
        }
      : {
          action: "disable",
          word: t`Disable`,
          danger: true,
          says: t`Its resource server stops, and it does not sync and cannot be upgraded until it is enabled
            again. Nothing is deleted.`,
          body: { isDisabled: true },
        },
  ];
}

export function Switches({ of }: { of: Deployment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const plan = findAction(of.actions, "plan");
  const active = of.active_upgrade;
  const running = typeof active === "string" ? active : active?.id;
  const [asked, ask] = useState<Change | null>(null);
  // On a phone what is seldom changed stands behind one button.
  const [more, showMore] = useState(false);
  const changes = useId();
  const change = useMutation({
    mutationFn: (target: Change) =>
      write.put("/deployments/{service}/{region}", {
        path: { service: of.service, region: of.region },
        body: { deployment: target.body },
        ifMatch: of.rev,
      }),
    onSettled: () => {
      for (const key of ["deployment", "fleet"]) void cache.invalidateQueries({ queryKey: [key] });
    },
    onSuccess: () => ask(null),
  });
  const name = `${of.service}@${of.region}`;
  const [typed, type] = useState("");
  const [read, reread] = useState(of);
  const stale = conflictOf(change.error);
  const follow = useMutation({
    mutationFn: (on: boolean) => {
      const path = { service: of.service, region: of.region };
      return on
        ? write.put("/deployments/{service}/{region}/subscription", { path })
        : write.delete("/deployments/{service}/{region}/subscription", { path });
    },
    onSettled: () => {
      for (const key of ["deployment", "overview"]) void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <>
      {running ? (
        <Button component={Link} to={`/upgrades/${running}`} variant="filled">
          {t`Open the upgrade`}
        </Button>
      ) : null}
      {plan && !running ? (
        <ActionButton of={plan} primary onAct={() => void navigate(planOf(of))}>
          {t`Plan an upgrade…`}
        </ActionButton>
      ) : null}
      <span className="wide-only">
        <Copy value={location.href} what={t`the address of this page`} />
      </span>
      <Button aria-pressed={of.followed} loading={follow.isPending} onClick={() => follow.mutate(!of.followed)}>
        {of.followed ? t`Following` : t`Follow`}
      </Button>
      <div className="filters-button">
        <Button aria-expanded={more} aria-controls={changes} onClick={() => showMore(!more)}>
          {t`More`}
        </Button>
      </div>
      <div id={changes} className={`row wrap foldable ${more ? "" : "folded"}`}>
        {changesOf(of).map((each) => {
          const action = findAction(of.actions, each.action);
          return action ? (
            <ActionButton
              key={each.action}
              of={action}
              onAct={() => {
                change.reset();
                reread(of);
                type("");
                ask(each);
              }}
            >
              {each.word}…
            </ActionButton>
          ) : null;
        })}
      </div>
      {asked ? (
        <Dialog opened onClose={() => ask(null)} title={`${asked.word}: ${of.service} @ ${of.region}`}>
          <div className="stack dialog">
            <p>{asked.says}</p>
            {asked.danger ? <Rehearsal of={of} body={asked.body} /> : null}
            {asked.danger ? <NameConfirmation name={name} value={typed} onChange={type} /> : null}
            {stale ? (
              <Conflict
                of={stale}
                mine={t`you saw`}
                differences={changedSince((stale.current ?? of) as unknown as Deployment, read)}
                onTheirs={() => ask(null)}
                onMine={() => {
                  reread(of);
                  change.reset();
                }}
              />
            ) : change.isError ? (
              <ProblemPanel error={change.error} />
            ) : null}
            <div className="row end">
              <Button data-autofocus onClick={() => ask(null)}>
                {t`Cancel`}
              </Button>
              <Button
                variant="filled"
                {...(asked.danger ? { color: "red" } : {})}
                disabled={stale !== null || (asked.danger && !isNameTyped(typed, name))}
                loading={change.isPending}
                onClick={() => change.mutate(asked)}
              >
                {change.isPending ? t`Recording…` : asked.word}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
