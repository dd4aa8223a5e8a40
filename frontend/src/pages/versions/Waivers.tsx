import { Button } from "@mantine/core";
import type { Change } from "../../api/operations";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { wideRefusal } from "../../api/bounds";
import { rehearsedChange, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { instantOf, textOf } from "../../parts/forms/draft";
import { EditDialog, type Editing } from "../../parts/forms/EditDialog";
import { ProblemPanel } from "../../parts/states";
import type { Word } from "../../parts/status";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import type { Report } from "./report/report";
import { rich, t } from "../../words/text";

export type Waiver = components["schemas"]["Waiver"];

/** What is read again after a waiver changed. */
const OLD = [
  ["compatibility"],
  ["waivers"],
  ["definition-check"],
  ["removals"],
  ["upgrade"],
  ["approvals"],
  ["overview"],
] as const;

/** What a page shows of a waiver, whatever it is of. */
export type ShownWaiver = Pick<Waiver, "id" | "state" | "reason" | "until" | "asked_by" | "approved_by"> &
  Partial<Pick<Waiver, "ended_by" | "ended_at">>;

export const waiverWords: Record<Waiver["state"], Word> = {
  asked: { tone: "wait", word: t`waits for approval` },
  "in-force": { tone: "ok", word: t`accepted` },
  expired: { tone: "plain", word: t`expired` },
  used: { tone: "plain", word: t`used` },
  ended: { tone: "plain", word: t`ended` },
};

type Schemas = components["schemas"];

export type Place = Required<Pick<Schemas["NewWaiverRequest"], "rule" | "path" | "where">>;

/** Why a place is accepted, and until when. */
type Acceptable = Pick<Schemas["NewWaiverRequest"], "reason" | "until">;

/** The form that requests the waiver of a place. */
function waiverForm(place: string, change: (of: Acceptable) => Change): Editing {
  return {
    title: t`Accept ${place}`,
    button: t`Ask for approval`,
    start: { reason: "", until: "" },
    refresh: OLD,
    fields: [
      { name: "reason", label: t`Reason`, kind: "area", required: true },
      {
        name: "until",
        label: t`Until (UTC)`,
        kind: "moment",
        required: true,
        description: t`At most one year. After that it must be accepted again.`,
      },
    ],
    change: (draft) => change({ reason: textOf(draft, "reason"), until: instantOf(draft, "until") }),
  };
}

/** The form that requests the waiver of a finding of two versions; `effect` says what it does. */
export function findingWaiverForm(
  service: string,
  place: string,
  finding: Omit<Schemas["NewWaiverRequest"], keyof Acceptable>,
  effect: string,
): Editing {
  return waiverForm(place, (acceptance) =>
    rehearsedChange.post(
      "/services/{name}/waivers",
      { path: { name: service }, body: { ...finding, ...acceptance } },
      () => <p>{effect}</p>,
    ),
  );
}

/** The form that requests the waiver of a change of the served definition. */
export function changeWaiverForm(
  service: string,
  of: Omit<Schemas["NewChangeWaiverRequest"], keyof Acceptable>,
): Editing {
  const effect = t`It applies after another person approves it, and to one apply of this change.`;
  return waiverForm(of.path, (acceptance) =>
    rehearsedChange.post(
      "/services/{name}/changeWaivers",
      { path: { name: service }, body: { ...of, ...acceptance } },
      () => <p>{effect}</p>,
    ),
  );
}

/** The acceptance of a finding of a report. */
export function Acceptance({ of, place, waiver }: { of: Report; place: Place; waiver: Waiver | null }) {
  const { before, after, client, server, policy } = of;
  const { rule, path, where } = place;
  return (
    <WaiverControl
      service={of.service}
      waiver={waiver}
      form={findingWaiverForm(
        of.service,
        path,
        { before, after, client, server, policy, rule, path, where },
        t`It applies after another person approves it, and is shown in every report of these two versions.`,
      )}
    />
  );
}

/** What became of a place that a person has to accept, and the buttons to accept, approve or end it. */
export function WaiverControl({
  service,
  waiver,
  form,
}: {
  service: string;
  waiver: ShownWaiver | null;
  /** Nothing where it cannot be requested from what is shown. */
  form: Editing | null;
}) {
  const cache = useQueryClient();
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const act = useMutation({
    mutationFn: (what: "approve" | "end") => write.post(`/waivers/{id}/${what}`, { path: { id: waiver?.id ?? "" } }),
    onSettled: () => OLD.forEach((queryKey) => void cache.invalidateQueries({ queryKey })),
  });
  const may = (permission: string): boolean => account?.permissions.includes(permission) ?? false;
  if (!waiver) {
    if (!form) return null;
    const refusal = wideRefusal(
      account,
      "registry.write",
      service,
      t`Only operators and admins may request acceptance.`,
    );
    return (
      <>
        <ActionButton
          of={{ action: "waive", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
          small
          onAct={() => setOpen(true)}
        >
          {t`Accept…`}
        </ActionButton>
        {open ? <EditDialog of={form} onClose={() => setOpen(false)} /> : null}
      </>
    );
  }
  const own = waiver.asked_by === account?.name;
  const approvable = may("approval.vote") && !own;
  return (
    <div className="stack tight">
      <Status of={waiverWords[waiver.state]} />
      <div className="small">
        {waiver.reason}{" "}
        <span className="muted">
          {rich`requested by ${waiver.asked_by}${waiver.approved_by ? t`, approved by ${waiver.approved_by}` : ""}`}
          {waiver.state === "ended" || waiver.state === "used"
            ? waiver.ended_by
              ? rich`, ended by ${waiver.ended_by} ${(<Time at={waiver.ended_at} />)}`
              : null
            : rich`, until ${(<Time at={waiver.until} />)}`}
        </span>
      </div>
      {act.isError ? <ProblemPanel error={act.error} /> : null}
      <div className="row tight wrap">
        {waiver.state === "asked" ? (
          <ActionButton
            of={{
              action: "approve",
              allowed: approvable,
              reason: own ? t`You requested this; another person must decide.` : t`Only approvers may approve it.`,
              who_can: ["approver"],
            }}
            small
            busy={act.isPending && act.variables === "approve"}
            onAct={() => act.mutate("approve")}
          >
            {t`Approve`}
          </ActionButton>
        ) : null}
        {(own || approvable) && (waiver.state === "asked" || waiver.state === "in-force") ? (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={act.isPending && act.variables === "end"}
            onClick={() => act.mutate("end")}
          >
            {waiver.state === "asked" ? (own ? t`Withdraw` : t`Reject`) : t`End it`}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
