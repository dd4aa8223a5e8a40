import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../api/client";
import { wideRefusal } from "../../api/bounds";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { EditDialog, type Editing } from "../../parts/EditDialog";
import { ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import type { Report } from "./report";

export type Waiver = components["schemas"]["Waiver"];

const OLD = [["compatibility"]] as const;

export interface Place {
  rule: string;
  path: string;
  where: string;
}

function asking(of: Report, place: Place): Editing {
  return {
    title: `Accept ${place.path}`,
    path: `/services/${of.service}/waivers`,
    method: "POST",
    button: "Ask for approval",
    start: { reason: "", until: "" },
    refresh: OLD,
    fields: [
      { name: "reason", label: "Reason", kind: "area", required: true },
      {
        name: "until",
        label: "Until (UTC)",
        kind: "moment",
        required: true,
        description: "At most one year. After that it must be accepted again.",
      },
    ],
    body: (draft) => ({
      before: of.before,
      after: of.after,
      client: of.client,
      server: of.server,
      policy: of.policy,
      rule: place.rule,
      path: place.path,
      where: place.where,
      reason: draft["reason"],
      until: draft["until"] ? `${String(draft["until"])}Z` : "",
    }),
    tell: () => <p>It applies after another person approves it, and is shown in every report of these two versions.</p>,
  };
}

/** What became of a place that somebody has to accept, and the buttons to accept, approve or end it. */
export function Acceptance({ of, place, waiver }: { of: Report; place: Place; waiver: Waiver | null }) {
  const cache = useQueryClient();
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const act = useMutation({
    mutationFn: (what: "approve" | "end") =>
      send<Waiver>(`/waivers/${waiver?.id ?? ""}/${what}`, { method: "POST", body: {} }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["compatibility"] }),
  });
  const may = (permission: string): boolean => account?.permissions.includes(permission) ?? false;
  if (!waiver) {
    const refusal = wideRefusal(
      account,
      "registry.write",
      of.service,
      "Only operators and admins may request acceptance.",
    );
    return (
      <>
        <ActionButton
          of={{ action: "waive", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
          onAct={() => setOpen(true)}
        >
          Accept…
        </ActionButton>
        {open ? <EditDialog of={asking(of, place)} onClose={() => setOpen(false)} /> : null}
      </>
    );
  }
  const own = waiver.asked_by === account?.name;
  const approvable = may("approval.vote") && !own;
  return (
    <div className="stack tight">
      <Status
        of={
          waiver.state === "in-force" ? { tone: "ok", word: "accepted" } : { tone: "wait", word: "waits for approval" }
        }
      />
      <div className="small">
        {waiver.reason}{" "}
        <span className="muted">
          {waiver.asked_by}
          {waiver.approved_by ? `, approved by ${waiver.approved_by}` : ""}, until <Time at={waiver.until} />
        </span>
      </div>
      {act.isError ? <ProblemPanel error={act.error} /> : null}
      <div className="row tight wrap">
        {waiver.state === "asked" ? (
          <ActionButton
            of={{
              action: "approve",
              allowed: approvable,
              reason: own ? "You requested this; another person must decide." : "Only approvers may approve it.",
              who_can: ["approver"],
            }}
            busy={act.isPending && act.variables === "approve"}
            onAct={() => act.mutate("approve")}
          >
            Approve
          </ActionButton>
        ) : null}
        {own || approvable ? (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={act.isPending && act.variables === "end"}
            onClick={() => act.mutate("end")}
          >
            {waiver.state === "asked" ? "Reject" : "End it"}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
