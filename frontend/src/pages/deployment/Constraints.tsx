import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { read } from "../../api/client";
import { Copy } from "../../parts/Copy";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { lagText, shortService, type Word } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import type { Constraints, CopySource, Moving, Subscription, Tally } from "../../wire/constraints";
import { EvictionCard } from "./Eviction";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

type Followed = Subscription["state"] | CopySource["state"];

export const followedWords: Record<Followed, Word> = {
  following: { tone: "ok", word: t`following` },
  comparing: { tone: "wait", word: t`comparing` },
  unknown: { tone: "unknown", word: t`unknown` },
  quarantined: { tone: "bad", word: t`quarantined` },
};

function since(count: number, seconds: number): string {
  return count === 0 ? "0" : t`${count}, the oldest pending for ${lagText(seconds)}`;
}

function Counts({ of }: { of: Tally }) {
  return (
    <dl className="facts">
      <dt>{t`Pending confirmations`}</dt>
      <dd>{since(of.owed, of.oldest_owed_seconds)}</dd>
      <dt>{t`Blockades`}</dt>
      <dd>{since(of.blockades, of.oldest_blockade_seconds)}</dd>
      <dt>{t`Unresolved attempts`}</dt>
      <dd>{of.overdue_blockades}</dd>
      <dt>{t`Deletion requested`}</dt>
      <dd>{of.pending_deletes}</dd>
      <dt>{t`Being deleted`}</dt>
      <dd>{since(of.deleting, of.oldest_deleting_seconds)}</dd>
    </dl>
  );
}

function WaitsFor({ of }: { of: Moving }) {
  if (of.blockers.length)
    return (
      <>
        {of.blockers.map((each) => (
          <div key={`${each.name}#${each.path}`}>
            {each.name} <span className="muted">{rich`by ${each.path}`}</span>
          </div>
        ))}
      </>
    );
  if (of.sources.length)
    return (
      <>
        {of.sources.map((each) => (
          <div key={each}>{rich`confirmation from ${each.replace(/^services\/(.*)\/deployments\//, "$1 @ ")}`}</div>
        ))}
      </>
    );
  return <>{t`a worker`}</>;
}

function MovingTable({ of }: { of: Constraints }) {
  if (of.moving.length === 0) return <Empty title={t`No deletions in progress.`} />;
  return (
    <DataTable
      label={t`Being deleted`}
      rows={of.moving}
      rowKey={(each) => `${each.type} ${each.name}`}
      columns={[
        {
          header: t`Resource`,
          isRowHeader: true,
          className: "break",
          cell: (each) => (
            <>
              <Link to={`/refs/deletion?name=${encodeURIComponent(`//${of.service}/${of.region}/${each.name}`)}`}>
                {each.name}
              </Link>{" "}
              <span className="small muted">{each.type}</span>
            </>
          ),
        },
        { header: t`State`, cell: (each) => (each.state === "DELETING" ? t`being deleted` : t`deletion requested`) },
        { header: t`Age`, align: "end", cell: (each) => lagText(each.age_seconds) },
        { header: t`Waiting for`, className: "break", cell: (each) => <WaitsFor of={each} /> },
      ]}
    />
  );
}

type Lagging = Subscription | CopySource;

function LagTable<R extends Lagging>({
  label,
  rows,
  rowKey,
  source,
}: {
  label: string;
  rows: readonly R[];
  rowKey: (row: R) => string;
  source: (row: R) => ReactNode;
}) {
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={rowKey}
      columns={[
        { header: t`Source`, isRowHeader: true, cell: source },
        {
          header: t`State`,
          cell: (row) => (
            <>
              <Status of={followedWords[row.state]} />
              {row.problem ? <div className="small muted break">{worded(row.problem, row.problem_phrases)}</div> : null}
            </>
          ),
        },
        { header: t`Behind`, align: "end", cell: (row) => lagText(row.behind_seconds) },
        { header: t`Waiting`, align: "end", cell: (row) => row.waiting },
        {
          header: t`Position`,
          className: "small muted nowrap",
          cell: (row) => (row.position ? <Copy value={row.position} what={t`position`} /> : "–"),
        },
      ]}
    />
  );
}

function Subscriptions({ of }: { of: Constraints }) {
  if (of.subscriptions.length === 0) return <Empty title={t`No subscriptions to other deployments.`} />;
  return (
    <LagTable
      label={t`Deletion subscriptions`}
      rows={of.subscriptions}
      rowKey={(row) => `${row.service} ${row.region}`}
      source={(row) => `${shortService(row.service)} @ ${row.region}`}
    />
  );
}

function Copies({ of }: { of: Constraints }) {
  if (of.state !== "known") return <Empty title={t`Unknown: no answer.`} />;
  if (of.read_copies.length === 0) return <Empty title={t`No read copies.`} />;
  return (
    <LagTable
      label={t`Read copies`}
      rows={of.read_copies}
      rowKey={(row) => `${row.region} ${row.version}`}
      source={(row) => (
        <>
          {row.region} <span className="small muted">{rich`in ${row.version}`}</span>
        </>
      )}
    />
  );
}

function Waits({ of }: { of: Constraints }) {
  return (
    <>
      {of.waits.map((each) => (
        <div key={each.work} className={each.quarantined ? "notice soft-bad" : "notice soft-unknown"} role="status">
          <Shape tone={each.quarantined ? "bad" : "unknown"} />
          <span>
            <b>
              {each.work === "pending" ? t`Confirmations` : t`Deletions`}{" "}
              {each.quarantined ? t`are quarantined` : t`are waiting`}
            </b>{" "}
            {rich`since ${lagText(each.seconds)}: ${worded(each.waits_for, each.waits_for_phrases)}`}
          </span>
        </div>
      ))}
    </>
  );
}

/** What a deployment has under way with others: what it owes, what blocks, what is being deleted and why it waits. */
export function ConstraintsPanel({ service, region }: { service: string; region: string }) {
  const result = useQuery({
    queryKey: ["constraints", service, region],
    queryFn: ({ signal }) => read("/constraints/{service}/{region}", { path: { service, region }, signal }),
    refetchInterval: 10_000,
  });
  return (
    <div className="stack">
      <Loaded of={result} lines={5}>
        {(data) => (
          <>
            {data.state === "known" ? null : (
              <div className="notice soft-unknown" role="status">
                <Shape tone="unknown" />
                <span>
                  <b>{data.state === "evicted" ? t`Evicted.` : t`Unknown.`}</b> {worded(data.reason, data.phrases)}
                </span>
              </div>
            )}
            <Waits of={data} />
            <Card title={t`Other deployments`}>
              {data.tally ? <Counts of={data.tally} /> : <Empty title={t`Unknown: no answer.`} />}
            </Card>
            <Card title={t`Deletion subscriptions`}>
              <Subscriptions of={data} />
            </Card>
            <Card title={t`Read copies`}>
              <Copies of={data} />
            </Card>
            <Card title={t`Being deleted`}>
              {data.state === "known" ? <MovingTable of={data} /> : <Empty title={t`Unknown: no answer.`} />}
            </Card>
          </>
        )}
      </Loaded>
      <EvictionCard service={service} region={region} />
    </div>
  );
}
