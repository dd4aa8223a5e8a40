import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { Card } from "../../../parts/Page";
import { Shape } from "../../../parts/Shape";
import type { Upgrade } from "../../../wire/model";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

const plain: Record<string, string> = {
  start: t`start`,
  edit: t`change the plan`,
  pause: t`pause`,
  throttle: t`limit the copy rate`,
  resume: t`resume`,
  "request-approval": t`request approval`,
  switch: t`switch`,
  abort: t`abort`,
  rollback: t`roll back`,
  complete: t`complete now`,
  extend: t`extend the rollback window`,
  settle: t`resolve`,
};

/** Everything an upgrade could be told to do, and for what it does not offer now, why. */
export function AllActions({ upgrade }: { upgrade: Upgrade }) {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title={t`Available actions`}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={open}
          aria-label={open ? t`Hide the list of actions` : t`Show the list of actions`}
          onClick={() => setOpen(!open)}
        >
          {open ? t`Hide` : t`Show`}
        </Button>
      }
    >
      {open ? (
        <ul className="plain-list small">
          {upgrade.actions.map((action) => (
            <li key={action.action} className="row tight top">
              <Shape tone={action.allowed ? "ok" : "blocked"} size={13} />
              <span>
                <b>{plain[action.action] ?? action.action}</b>{" "}
                {action.allowed ? t`now` : worded(action.reason, action.phrases)}
                {action.who_can.length ? (
                  <span className="muted"> {rich`Allowed for: ${action.who_can.join(", ")}.`}</span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="small muted">
          {upgrade.actions
            .filter((action) => action.allowed)
            .map((action) => plain[action.action] ?? action.action)
            .join(", ") || t`None.`}
        </p>
      )}
    </Card>
  );
}

/** The red way around the votes, where votes are missing; offered, with its reason, also to those who may not. */
export function EmergencyOverride({ upgrade, onAct }: { upgrade: Upgrade; onAct: (action: string) => void }) {
  const account = useAccount();
  const { needed, votes_given: received, state } = upgrade.readiness.approvals;
  const moved = upgrade.readiness.checks.some((check) => check.check === "dependants" && check.verdict === "fail");
  const missing =
    state !== "EMERGENCY" &&
    (moved || ((upgrade.state === "READY" || upgrade.state === "REVERSIBLE") && received < needed));
  const policy = useQuery({
    queryKey: ["policy", upgrade.deployment, upgrade.state],
    queryFn: () =>
      read("/policies/explain", {
        query: { deployment: upgrade.deployment, purpose: upgrade.state === "REVERSIBLE" ? "revert" : "switch" },
      }),
    enabled: missing,
    staleTime: 60_000,
  });
  if (!missing || !policy.data) return null;
  const group = policy.data.break_glass_group;
  const known = new Set(["viewer", "operator", "approver", "auditor", "automation", "admin"]);
  // Groups other than roles are known to the server only; it decides when the button is pressed.
  const allowed = !known.has(group) || (account?.roles.includes(group) ?? false);
  return (
    <div className="emergency">
      <p className="small muted">
        {moved
          ? t`An emergency override allows a rollback although dependents use the new version.`
          : t`An emergency override allows the action without the votes.`}
      </p>
      <ActionButton
        of={{
          action: "break-glass",
          allowed,
          reason: t`Only people with the role or group ${group} may use an emergency override.`,
          who_can: [t`people with the role or group ${group}`],
        }}
        quiet
        onAct={() => onAct("break-glass")}
      >
        {t`Emergency override…`}
      </ActionButton>
    </div>
  );
}
