import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { read, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { Card } from "../../parts/Page";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { shortService } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { Emergency } from "../../wire/model";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

/** What the votes were missing for, and where. */
const deedOf = (of: Emergency): string =>
  t`${of.purpose === "revert" ? t`the rollback` : t`the switch`} of ${shortService(of.service)} @ ${of.region}`;

function Review({ of, onClose }: { of: Emergency; onClose: () => void }) {
  const cache = useQueryClient();
  const [result, setFound] = useState("");
  const review = useMutation({
    mutationFn: () => write.post("/emergencies/{id}/review", { path: { id: of.id }, body: { comment: result.trim() } }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ["emergencies"] });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t`Review what ${of.who} did`}>
      <div className="stack dialog">
        <p>
          {rich`${(<b>{of.who}</b>)} used an emergency override for`}{" "}
          <Link to={`/upgrades/${of.upgrade_id}`} target="_blank">
            {deedOf(of)}
          </Link>
          , <Time at={of.at} />.
        </p>
        <blockquote>
          {of.reason} <span className="mono">{of.ticket}</span>
        </blockquote>
        <Textarea
          data-autofocus
          label={t`Findings`}
          required
          autosize
          minRows={3}
          value={result}
          onChange={(event) => setFound(event.currentTarget.value)}
        />
        {review.isError ? <ProblemPanel error={review.error} /> : null}
        <div className="row end">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="filled" disabled={!result.trim()} loading={review.isPending} onClick={() => review.mutate()}>
            {t`Complete the review`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Every glass that was broken, and the review each of them owes; until then its maker breaks no other. */
export function Overrides() {
  const account = useAccount();
  const match = useQuery({
    queryKey: ["emergencies"],
    queryFn: ({ signal }) => read("/emergencies", { signal }),
  });
  const [reviewing, review] = useState<Emergency | null>(null);
  return (
    <>
      <Loaded of={match}>
        {(data) =>
          data.items.length === 0 ? (
            <Card>
              <Empty title={t`No emergency override was used.`}>
                {t`An emergency override lets a switch continue without its votes. It is recorded in the
                activity, and another person reviews it afterwards.`}
              </Empty>
            </Card>
          ) : (
            <Card className="flush">
              <DataTable
                label={t`Emergency overrides`}
                rows={data.items}
                rowKey={(row) => row.id}
                columns={[
                  { header: t`When`, className: "top", cell: (row) => <Time at={row.at} /> },
                  { header: t`Who`, isRowHeader: true, cell: (row) => row.who },
                  { header: t`Action`, cell: (row) => <Link to={`/upgrades/${row.upgrade_id}`}>{deedOf(row)}</Link> },
                  {
                    header: t`Reason`,
                    cell: (row) => (
                      <>
                        {row.reason}
                        <div className="small mono">{row.ticket}</div>
                      </>
                    ),
                  },
                  {
                    header: t`State`,
                    className: "top",
                    cell: (row) => (
                      <Status of={row.used_at ? { tone: "bad", word: t`used` } : { tone: "wait", word: t`not used` }} />
                    ),
                  },
                  {
                    header: t`Review`,
                    cell: (row) =>
                      row.reviewed_at ? (
                        <>
                          {row.review}
                          <div className="small muted">
                            {row.reviewed_by}, <Time at={row.reviewed_at} />
                          </div>
                        </>
                      ) : (
                        <ActionButton
                          of={{
                            action: "review",
                            allowed:
                              row.who !== account?.name && (account?.permissions.includes("approval.vote") ?? false),
                            reason:
                              row.who === account?.name
                                ? t`The person who used the override cannot review it.`
                                : t`Only accounts that may vote can review it.`,
                            who_can: ["approver", "admin"],
                          }}
                          onAct={() => review(row)}
                        >
                          {t`Review…`}
                        </ActionButton>
                      ),
                  },
                ]}
              />
            </Card>
          )
        }
      </Loaded>
      {reviewing ? <Review of={reviewing} onClose={() => review(null)} /> : null}
    </>
  );
}
