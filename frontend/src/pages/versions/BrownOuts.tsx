import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { wideRefusal } from "../../api/bounds";
import { send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { EditDialog, type Editing } from "../../parts/EditDialog";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import type { Word } from "../../parts/status";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { MAY_NOT_CHANGE, type UsedPlace } from "./usedPlace";
import { rich, t } from "../../words/text";

export type BrownOut = components["schemas"]["BrownOut"];

const brownOutWords: Record<BrownOut["state"], Word> = {
  requested: { tone: "wait", word: t`waits for approval` },
  announced: { tone: "plain", word: t`announced` },
  running: { tone: "run", word: t`refusing requests` },
  over: { tone: "ok", word: t`over` },
  stopped: { tone: "unknown", word: t`stopped` },
  lapsed: { tone: "unknown", word: t`not approved in time` },
};

/** The moment that a draft says in UTC; nothing where it is left empty. */
function instant(value: unknown): string | undefined {
  return value ? `${String(value)}Z` : undefined;
}

export function brownOutForm(service: string, version: string, of: UsedPlace): Editing {
  return {
    title: t`Brown-out of ${of.place}`,
    path: `/services/${service}/usage/brown-outs`,
    method: "POST",
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
      { name: "note", label: t`What clients are to do`, kind: "area" },
    ],
    body: (draft) => ({
      version,
      place: of.place,
      percent: Number(draft["percent"]),
      ends_at: instant(draft["ends_at"]) ?? "",
      note: draft["note"] ?? "",
      ...(draft["begins_at"] ? { begins_at: instant(draft["begins_at"]) } : {}),
    }),
    tell: (answer) => (
      <p>
        {rich`${String(answer["percent"])} % of the requests that use ${of.place} are refused in every region
          of ${service}.`}
        {answer["kind"] === "field" ? t` Of the answers that return it to other clients, as many are without it.` : ""}
        {answer["replaced_by"]
          ? t`Refusals name its removal on ${String(answer["sunset"])} and ${String(answer["replaced_by"])} as the
              replacement. `
          : t`Refusals name its removal on ${String(answer["sunset"])}. `}
        {t`Channels that receive “usage.brown-out” are notified.`}
        {answer["approvals_asked"] ? t` It starts only after approval by ${String(answer["approvals_asked"])}.` : ""}
      </p>
    ),
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

function Row({ of, mayStop }: { of: BrownOut; mayStop: string }) {
  const cache = useQueryClient();
  const account = useAccount();
  const act = useMutation({
    mutationFn: (what: "approve" | "stop") =>
      send<BrownOut>(`/brown-outs/${of.id}/${what}`, { method: "POST", body: {} }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["brown-outs", of.service] }),
  });
  const own = of.requested_by === account?.name;
  const votes = account?.permissions.includes("approval.vote") ?? false;
  const open = ["requested", "announced", "running"].includes(of.state);
  return (
    <tr>
      <th scope="row" className="place">
        <span className="mono break">{of.place}</span>
        <div className="small muted">
          {rich`${of.version}, removed on ${of.sunset}${of.note ? `. ${of.note}` : ""}`}
        </div>
      </th>
      <td>{of.percent} %</td>
      <td className="nowrap">
        <Time at={of.begins_at} />
        <br />
        <Time at={of.ends_at} />
      </td>
      <td>
        <Status of={brownOutWords[of.state]} />
        <div className="small muted">
          {of.state === "stopped"
            ? `${of.stopped_by}. ${of.stop_reason}`
            : `${of.requested_by}${of.approved_by.length ? t`, approved by ${of.approved_by.join(", ")}` : ""}`}
        </div>
      </td>
      <td>
        <RefusedClients of={of} />
      </td>
      <td>
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
      </td>
    </tr>
  );
}

/** The brown-outs of a service: when which share is refused, whose requests were, and how to stop it. */
export function BrownOuts({ service }: { service: string }) {
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const result = useQuery({
    queryKey: ["brown-outs", service],
    queryFn: ({ signal }) => send<{ items: BrownOut[] }>(`/services/${service}/usage/brown-outs`, { signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some((each) => ["announced", "running"].includes(each.state)) ? 5000 : false,
  });
  return (
    <Card title={t`Brown-outs`}>
      <Loaded of={result} lines={2}>
        {({ items }) =>
          items.length ? (
            <Scroll label={t`Brown-outs`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t`Place`}</th>
                    <th scope="col">{t`Share`}</th>
                    <th scope="col">{t`From, until`}</th>
                    <th scope="col">{t`State`}</th>
                    <th scope="col">{t`Refused or without it`}</th>
                    <th scope="col">
                      <span className="unseen">{t`Actions`}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((each) => (
                    <Row key={each.id} of={each} mayStop={refusal} />
                  ))}
                </tbody>
              </table>
            </Scroll>
          ) : (
            <Empty title={t`No brown-outs.`}>
              {t`A brown-out refuses a share of the requests that still use something deprecated, for a while
              before it is removed.`}
            </Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

/** The button that opens the form, on the row of something deprecated. */
export function BrownOutButton({ service, version, of }: { service: string; version: string; of: UsedPlace }) {
  const [open, setOpen] = useState(false);
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  return (
    <>
      <ActionButton
        of={{ action: "brown-out", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
        small
        onAct={() => setOpen(true)}
      >
        {t`Brown-out…`}
      </ActionButton>
      {open ? <EditDialog of={brownOutForm(service, version, of)} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
