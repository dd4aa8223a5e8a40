import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { lagText, shortService, type Word } from "../../parts/status";
import type { Constraints, CopySource, Moving, Subscription, Tally } from "../../wire/constraints";
import { EvictionCard } from "./Eviction";
import { rich, t } from "../../words/text";

type Followed = Subscription["state"] | CopySource["state"];

const following: Record<Followed, Word> = {
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
  return <>{t`its turn`}</>;
}

function MovingTable({ of }: { of: Constraints }) {
  if (of.moving.length === 0) return <Empty title={t`No deletions in progress.`} />;
  return (
    <Scroll label={t`Being deleted`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Resource`}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col" className="num">
              {t`Age`}
            </th>
            <th scope="col">{t`Waiting for`}</th>
          </tr>
        </thead>
        <tbody>
          {of.moving.map((each) => (
            <tr key={`${each.type} ${each.name}`}>
              <th scope="row" className="break">
                <Link to={`/refs/deletion?name=${encodeURIComponent(`//${of.service}/${of.region}/${each.name}`)}`}>
                  {each.name}
                </Link>{" "}
                <span className="small muted">{each.type}</span>
              </th>
              <td>{each.state === "DELETING" ? t`being deleted` : t`asked to be`}</td>
              <td className="num">{lagText(each.age_seconds)}</td>
              <td className="break">
                <WaitsFor of={each} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Lag({ of }: { of: Subscription | CopySource }) {
  return (
    <>
      <td>
        <Status of={following[of.state]} />
        {of.problem ? <div className="small muted break">{of.problem}</div> : null}
      </td>
      <td className="num">{lagText(of.behind_seconds)}</td>
      <td className="num">{of.waiting}</td>
      <td className="small muted break">{of.position || "–"}</td>
    </>
  );
}

function LagTable({ label, first, children }: { label: string; first: string; children: ReactNode }) {
  return (
    <Scroll label={label}>
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col" className="num">
              {t`Behind`}
            </th>
            <th scope="col" className="num">
              {t`Waiting`}
            </th>
            <th scope="col">{t`Position`}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}

function Subscriptions({ of }: { of: Constraints }) {
  if (of.subscriptions.length === 0) return <Empty title={t`No subscriptions to other deployments.`} />;
  return (
    <LagTable label={t`Deletion subscriptions`} first={t`Source`}>
      {of.subscriptions.map((each) => (
        <tr key={`${each.service} ${each.region}`}>
          <th scope="row">
            {shortService(each.service)} @ {each.region}
          </th>
          <Lag of={each} />
        </tr>
      ))}
    </LagTable>
  );
}

function Copies({ of }: { of: Constraints }) {
  if (of.state !== "known") return <Empty title={t`Unknown: no answer.`} />;
  if (of.read_copies.length === 0) return <Empty title={t`No read copies.`} />;
  return (
    <LagTable label={t`Read copies`} first={t`Source`}>
      {of.read_copies.map((each) => (
        <tr key={`${each.region} ${each.version}`}>
          <th scope="row">
            {each.region} <span className="small muted">{rich`in ${each.version}`}</span>
          </th>
          <Lag of={each} />
        </tr>
      ))}
    </LagTable>
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
            {rich`since ${lagText(each.seconds)}: ${each.waits_for}`}
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
    queryFn: ({ signal }) => send<Constraints>(`/constraints/${service}/${region}`, { signal }),
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
                  <b>{data.state === "evicted" ? t`Evicted.` : t`Unknown.`}</b> {data.reason}
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
