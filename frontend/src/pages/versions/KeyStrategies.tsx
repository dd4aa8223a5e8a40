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
import { MAY_NOT_CHANGE } from "./usedPlace";
import { t } from "../../words/text";

export type KeyStrategy = components["schemas"]["KeyStrategy"];

const stateWords: Record<KeyStrategy["state"], Word> = {
  "in-force": { tone: "ok", word: t`in force` },
  expired: { tone: "unknown", word: t`expired` },
  ended: { tone: "unknown", word: t`ended` },
};
const strategies = [
  { value: "filter", label: t`filter: ignore it` },
  { value: "pass", label: t`pass: keep it unchecked` },
  { value: "strict", label: t`strict: refuse the request` },
];

function keyForm(service: string, version: string): Editing {
  return {
    title: t`Strategy for one unknown field of ${version}`,
    path: `/services/${service}/usage/key-strategies`,
    method: "POST",
    button: t`Set`,
    start: { place: "", strategy: "filter", reason: "", until: "" },
    refresh: [["key-strategies", service]],
    fields: [
      {
        name: "place",
        label: t`Field`,
        kind: "text",
        required: true,
        placeholder: t`Box.parts[].note`,
        description: t`Type and path; [] for the items of a list, {} for the values of a map.`,
      },
      { name: "strategy", label: t`When clients send it`, kind: "select", data: strategies },
      { name: "until", label: t`Until (UTC)`, kind: "moment", required: true },
      { name: "reason", label: t`Reason`, kind: "area", required: true },
    ],
    body: (draft) => ({
      version,
      place: draft["place"],
      strategy: draft["strategy"],
      reason: draft["reason"],
      until: draft["until"] ? `${String(draft["until"])}Z` : "",
    }),
    tell: (answer) => (
      <p>
        {answer["is_known"]
          ? t`The definition has ${String(answer["place"])} now: this applies once the field is removed.`
          : t`It applies in every region of the service. After its end, the strategy of the service applies
            again.`}
      </p>
    ),
  };
}

function Row({ of, refusal }: { of: KeyStrategy; refusal: string }) {
  const cache = useQueryClient();
  const end = useMutation({
    mutationFn: () => send<KeyStrategy>(`/key-strategies/${of.id}/end`, { method: "POST", body: {} }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["key-strategies", of.service] }),
  });
  return (
    <tr>
      <th scope="row" className="place">
        <span className="mono break">{of.place}</span>
        <div className="small muted">
          {of.version}
          {of.is_known ? t`, known by the definition: not applied` : ""}
        </div>
      </th>
      <td>{of.strategy}</td>
      <td className="nowrap">
        <Time at={of.until} />
      </td>
      <td>
        <Status of={stateWords[of.state]} />
        <div className="small muted">
          {of.set_by}: {of.reason}
        </div>
      </td>
      <td>
        {end.isError ? <ProblemPanel error={end.error} /> : null}
        {of.state === "in-force" ? (
          <ActionButton
            of={{ action: "end", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
            small
            busy={end.isPending}
            onAct={() => end.mutate()}
          >
            {t`End`}
          </ActionButton>
        ) : null}
      </td>
    </tr>
  );
}

/** What is done with single fields that a version does not know, and until when. */
export function KeyStrategies({ service, version }: { service: string; version: string }) {
  const [open, setOpen] = useState(false);
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const result = useQuery({
    queryKey: ["key-strategies", service],
    queryFn: ({ signal }) => send<{ items: KeyStrategy[] }>(`/services/${service}/usage/key-strategies`, { signal }),
  });
  return (
    <Card
      title={t`Unknown fields`}
      aside={
        <ActionButton
          of={{ action: "set", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
          small
          onAct={() => setOpen(true)}
        >
          {t`Set a strategy…`}
        </ActionButton>
      }
    >
      <Loaded of={result} lines={2}>
        {({ items }) =>
          items.length ? (
            <Scroll label={t`Unknown fields`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t`Field`}</th>
                    <th scope="col">{t`Strategy`}</th>
                    <th scope="col">{t`Until`}</th>
                    <th scope="col">{t`State`}</th>
                    <th scope="col">
                      <span className="unseen">{t`Actions`}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((each) => (
                    <Row key={each.id} of={each} refusal={refusal} />
                  ))}
                </tbody>
              </table>
            </Scroll>
          ) : (
            <Empty title={t`No field has a strategy of its own.`}>
              {t`Fields that a version does not know are treated as the service says.`}
            </Empty>
          )
        }
      </Loaded>
      {open ? <EditDialog of={keyForm(service, version)} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
