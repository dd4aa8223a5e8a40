import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { wideRefusal } from "../../../api/bounds";
import { read, rehearsedChange, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { choiceOf, instantOf, textOf } from "../../../parts/forms/draft";
import { EditDialog, type Editing } from "../../../parts/forms/EditDialog";
import { Card } from "../../../parts/Page";
import { Empty, ProblemPanel } from "../../../parts/states";
import type { Word } from "../../../parts/status";
import { Status } from "../../../parts/Status";
import type { Column } from "../../../parts/tables/columns";
import { LoadedTable } from "../../../parts/tables/DataTable";
import { Time } from "../../../time/Time";
import type { components } from "../../../wire/schema";
import { MAY_NOT_CHANGE } from "./usedPlace";
import { t } from "../../../words/text";

export type KeyStrategy = components["schemas"]["KeyStrategy"];

export const keyStrategyWords: Record<KeyStrategy["state"], Word> = {
  "in-force": { tone: "ok", word: t`in force` },
  expired: { tone: "unknown", word: t`expired` },
  ended: { tone: "unknown", word: t`ended` },
};
export const strategyWords: Record<KeyStrategy["strategy"], string> = {
  filter: t`filter: ignore it`,
  pass: t`pass: keep it unchecked`,
  strict: t`strict: refuse the request`,
};
const strategies = Object.entries(strategyWords).map(([value, label]) => ({ value, label }));

function keyForm(service: string, version: string): Editing {
  return {
    title: t`Strategy for one unknown field of ${version}`,
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
    change: (draft) =>
      rehearsedChange.post(
        "/services/{name}/usage/key-strategies",
        {
          path: { name: service },
          body: {
            version,
            place: textOf(draft, "place"),
            strategy: choiceOf(draft, "strategy", ["filter", "pass", "strict"]),
            reason: textOf(draft, "reason"),
            until: instantOf(draft, "until"),
          },
        },
        (answer) => (
          <p>
            {answer.is_known
              ? t`The definition has ${answer.place} now: this applies once the field is removed.`
              : t`It applies in every region of the service. After its end, the strategy of the service applies
                again.`}
          </p>
        ),
      ),
  };
}

function End({ of, refusal }: { of: KeyStrategy; refusal: string }) {
  const cache = useQueryClient();
  const end = useMutation({
    mutationFn: () => write.post("/key-strategies/{id}/end", { path: { id: of.id } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["key-strategies", of.service] }),
  });
  return (
    <>
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
    </>
  );
}

const columnsOf = (refusal: string): readonly Column<KeyStrategy>[] => [
  {
    header: t`Field`,
    isRowHeader: true,
    className: "place",
    cell: (row) => (
      <>
        <span className="mono break">{row.place}</span>
        <div className="small muted">
          {row.version}
          {row.is_known ? t`, known by the definition: not applied` : ""}
        </div>
      </>
    ),
  },
  { header: t`Strategy`, cell: (row) => strategyWords[row.strategy] },
  { header: t`Until`, className: "nowrap", cell: (row) => <Time at={row.until} /> },
  {
    header: t`State`,
    cell: (row) => (
      <>
        <Status of={keyStrategyWords[row.state]} />
        <div className="small muted">
          {row.set_by}: {row.reason}
        </div>
      </>
    ),
  },
  { header: t`Actions`, isHeaderUnseen: true, cell: (row) => <End of={row} refusal={refusal} /> },
];

/** What is done with single fields that a version does not know, and until when. */
export function KeyStrategies({ service, version }: { service: string; version: string }) {
  const [open, setOpen] = useState(false);
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const result = useQuery({
    queryKey: ["key-strategies", service],
    queryFn: ({ signal }) => read("/services/{name}/usage/key-strategies", { path: { name: service }, signal }),
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
      <LoadedTable
        of={result}
        lines={2}
        rowsOf={({ items }) => items}
        label={t`Unknown fields`}
        rowKey={(row) => row.id}
        columns={columnsOf(refusal)}
        empty={
          <Empty title={t`No field has a strategy of its own.`}>
            {t`Fields that a version does not know are treated as the service says.`}
          </Empty>
        }
      />
      {open ? <EditDialog of={keyForm(service, version)} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
