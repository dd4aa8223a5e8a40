import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { wideRefusal } from "../../../api/bounds";
import { read, rehearsedChange, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { instantOf, textOf } from "../../../parts/forms/draft";
import { EditDialog, type Editing } from "../../../parts/forms/EditDialog";
import { Card } from "../../../parts/Page";
import { Empty, ProblemPanel } from "../../../parts/states";
import type { Word } from "../../../parts/status";
import { Status } from "../../../parts/Status";
import type { Column } from "../../../parts/tables/columns";
import { LoadedTable } from "../../../parts/tables/DataTable";
import { Time } from "../../../time/Time";
import type { components } from "../../../wire/schema";
import { MAY_NOT_CHANGE, type UsedPlace } from "./usedPlace";
import { rich, t } from "../../../words/text";

export type BrownOut = components["schemas"]["BrownOut"];

export const brownOutWords: Record<BrownOut["state"], Word> = {
  requested: { tone: "wait", word: t`waits for approval` },
  announced: { tone: "plain", word: t`announced` },
  running: { tone: "run", word: t`refusing requests` },
  over: { tone: "ok", word: t`over` },
  stopped: { tone: "unknown", word: t`stopped` },
  lapsed: { tone: "unknown", word: t`not approved in time` },
};

/** What the dry run says of it. */
function Effect({ of, service }: { of: BrownOut; service: string }) {
  return (
    <p>
      {rich`${String(of.percent)} % of the requests that use ${of.place} are refused in every region
        of ${service}.`}
      {of.kind === "field" ? t` Of the answers that return it to other clients, as many are without it.` : ""}
      {of.replaced_by
        ? t`Refusals name its removal on ${of.sunset} and ${of.replaced_by} as the
            replacement. `
        : t`Refusals name its removal on ${of.sunset}. `}
      {t`Channels that receive “usage.brown-out” are notified.`}
      {of.approvals_asked ? t` It starts only after approval by ${of.approvals_asked}.` : ""}
    </p>
  );
}

export function brownOutForm(service: string, version: string, of: UsedPlace): Editing {
  return {
    title: t`Brown-out of ${of.place}`,
    button: t`Announce`,
    start: { percent: 5, begins_at: "", ends_at: "", note: "" },
    refresh: [["brown-outs", service]],
    fields: [
      {
        name: "percent",
        label: t`Percent of requests to refuse`,
        kind: "number",
        required: true,
        description: t`Of the requests that still use it. The same share of answers to clients that only read a field
            is without it.`,
      },
      { name: "begins_at", label: t`From (UTC)`, kind: "moment", description: t`Empty: now.` },
      { name: "ends_at", label: t`Until (UTC)`, kind: "moment", required: true },
      { name: "note", label: t`What clients must do`, kind: "area" },
    ],
    change: (draft) => {
      const begins = instantOf(draft, "begins_at");
      return rehearsedChange.post(
        "/services/{name}/usage/brown-outs",
        {
          path: { name: service },
          body: {
            version,
            place: of.place,
            percent: Number(draft["percent"]),
            ends_at: instantOf(draft, "ends_at"),
            note: textOf(draft, "note"),
            ...(begins ? { begins_at: begins } : {}),
          },
        },
        (answer) => <Effect of={answer} service={service} />,
      );
    },
  };
}

function RefusedClients({ of }: { of: BrownOut }) {
  if (of.refused === 0) return <span className="muted">{t`none`}</span>;
  return (
    <details>
      <summary>{of.refused}</summary>
      <ul className="plain-list small">
        {of.refused_clients.map((each) => (
          <li key={`${each.client} ${each.release} ${each.method}`}>
            {each.client} {each.release ? <span className="muted">({each.release})</span> : null}: {each.requests}{" "}
            <span className="mono">{each.method}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function State({ of }: { of: BrownOut }) {
  return (
    <>
      <Status of={brownOutWords[of.state]} />
      <div className="small muted">
        {of.state === "stopped"
          ? `${of.stopped_by}. ${of.stop_reason}`
          : `${of.requested_by}${of.approved_by.length ? t`, approved by ${of.approved_by.join(", ")}` : ""}`}
      </div>
    </>
  );
}

function Actions({ of, mayStop }: { of: BrownOut; mayStop: string }) {
  const cache = useQueryClient();
  const account = useAccount();
  const act = useMutation({
    mutationFn: (what: "approve" | "stop") =>
      what === "stop"
        ? write.post("/brown-outs/{id}/stop", { path: { id: of.id }, body: {} })
        : write.post("/brown-outs/{id}/approve", { path: { id: of.id } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["brown-outs", of.service] }),
  });
  const own = of.requested_by === account?.name;
  const votes = account?.permissions.includes("approval.vote") ?? false;
  const open = ["requested", "announced", "running"].includes(of.state);
  return (
    <>
      {act.isError ? <ProblemPanel error={act.error} /> : null}
      <div className="row tight wrap">
        {of.state === "requested" ? (
          <ActionButton
            of={{
              action: "approve",
              allowed: votes && !own,
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
        {open ? (
          <ActionButton
            of={{ action: "stop", allowed: !mayStop, reason: mayStop, who_can: ["operator", "admin"] }}
            small
            busy={act.isPending && act.variables === "stop"}
            onAct={() => act.mutate("stop")}
          >
            {t`Stop`}
          </ActionButton>
        ) : null}
      </div>
    </>
  );
}

const columnsOf = (mayStop: string): readonly Column<BrownOut>[] => [
  {
    header: t`Place`,
    isRowHeader: true,
    className: "place",
    cell: (row) => (
      <>
        <span className="mono break">{row.place}</span>
        <div className="small muted">
          {rich`${row.version}, removed on ${row.sunset}${row.note ? `. ${row.note}` : ""}`}
        </div>
      </>
    ),
  },
  { header: t`Share`, cell: (row) => `${row.percent} %` },
  {
    header: t`From, until`,
    className: "nowrap",
    cell: (row) => (
      <>
        <Time at={row.begins_at} />
        <br />
        <Time at={row.ends_at} />
      </>
    ),
  },
  { header: t`State`, cell: (row) => <State of={row} /> },
  { header: t`Refused or without it`, cell: (row) => <RefusedClients of={row} /> },
  { header: t`Actions`, isHeaderUnseen: true, cell: (row) => <Actions of={row} mayStop={mayStop} /> },
];

/** The brown-outs of a service: when which share is refused, whose requests were, and how to stop it. */
export function BrownOuts({ service }: { service: string }) {
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const result = useQuery({
    queryKey: ["brown-outs", service],
    queryFn: ({ signal }) => read("/services/{name}/usage/brown-outs", { path: { name: service }, signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some((each) => ["announced", "running"].includes(each.state)) ? 5000 : false,
  });
  return (
    <Card title={t`Brown-outs`}>
      <LoadedTable
        of={result}
        lines={2}
        rowsOf={({ items }) => items}
        label={t`Brown-outs`}
        rowKey={(row) => row.id}
        columns={columnsOf(refusal)}
        empty={
          <Empty title={t`No brown-outs.`}>
            {t`A brown-out refuses a share of the requests that still use something deprecated, for a while
              before it is removed.`}
          </Empty>
        }
      />
    </Card>
  );
}

/** The button that opens the form, on the row of a deprecated field, or of the version, which must be deprecated. */
export function BrownOutButton({
  service,
  version,
  of,
  retiresOn,
}: {
  service: string;
  version: string;
  of: UsedPlace;
  /** The day on which the version retires, if one is set: then it is deprecated. */
  retiresOn: string | null;
}) {
  const [open, setOpen] = useState(false);
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const early =
    of.kind === "version" && !retiresOn ? t`${version} is not deprecated. Set its retirement day first.` : "";
  const reason = refusal || early;
  return (
    <>
      <ActionButton
        of={{ action: "brown-out", allowed: !reason, reason, who_can: refusal ? ["operator", "admin"] : [] }}
        small
        onAct={() => setOpen(true)}
      >
        {t`Brown-out…`}
      </ActionButton>
      {open ? <EditDialog of={brownOutForm(service, version, of)} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
