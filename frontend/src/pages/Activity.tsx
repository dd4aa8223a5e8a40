import { Button, Checkbox, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link } from "react-router";
import { send } from "../api/client";
import { problemFrom } from "../api/problem";
import { useAccount } from "../api/queries";
import { useTopic } from "../live/stream";
import { FilterInput } from "../parts/FilterInput";
import { momentOf } from "../parts/moments";
import { NewRows, useNewRows } from "../parts/NewRows";
import { items, More, usePages } from "../parts/More";
import { Card, Page } from "../parts/Page";
import { SavedViews } from "../parts/SavedViews";
import { Scroll } from "../parts/Scroll";
import { useFilters } from "../parts/search";
import { Empty, Loaded } from "../parts/states";
import { Pill, Status } from "../parts/Status";
import type { Word } from "../parts/status";
import { Time } from "../time/Time";
import { TargetName } from "./activity/Target";
import type { AuditEntry, Chain } from "../wire/model";
import type { components } from "../wire/schema";
import { rich, t } from "../words/text";

const outcomes: Record<AuditEntry["outcome"], Word> = {
  done: { tone: "ok", word: t`done` },
  denied: { tone: "blocked", word: t`denied` },
  failed: { tone: "bad", word: t`failed` },
  dry_run: { tone: "plain", word: t`dry run` },
};

type OperationPage = components["schemas"]["OperationPage"];

const states: Record<OperationPage["items"][number]["state"], Word> = {
  running: { tone: "run", word: t`running` },
  done: { tone: "ok", word: t`done` },
  failed: { tone: "bad", word: t`failed` },
};

export interface Change {
  field: string;
  before: string;
  after: string;
}

/** What an entry changed, field by field; what stayed the same is left out. */
export function changes(entry: Pick<AuditEntry, "before" | "after">): Change[] {
  const before = entry.before ?? {};
  const after = entry.after ?? {};
  const text = (value: unknown): string =>
    value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: text(before[field]), after: text(after[field]) }))
    .filter((change) => change.before !== change.after);
}

function ChainBadge() {
  const chain = useQuery({
    queryKey: ["audit", "chain"],
    queryFn: () => send<Chain>("/audit/chain"),
    staleTime: 60_000,
  });
  if (!chain.data) return null;
  const { intact, length, unsealed, broken_at: broken, reason } = chain.data;
  if (broken !== null) return <Pill tone="bad">{rich`chain broken at ${broken}: ${reason}`}</Pill>;
  return intact ? (
    <Pill tone="ok">{rich`chain of ${length} entries verified`}</Pill>
  ) : (
    <Pill tone="wait">{rich`${length} verified, ${unsealed} not sealed yet`}</Pill>
  );
}

/** The address of all entries that share this word with one. */
export function traceOf(name: "request_id" | "target", value: string): string {
  return `/activity?${new URLSearchParams({ [name]: value }).toString()}`;
}

function Details({ entry }: { entry: AuditEntry }) {
  const changed = changes(entry);
  return (
    <div className="stack">
      <dl className="facts small">
        {entry.reason ? (
          <>
            <dt>{t`Reason`}</dt>
            <dd>{entry.reason}</dd>
          </>
        ) : null}
        {entry.request_id ? (
          <>
            <dt>{t`Request`}</dt>
            <dd>
              <span className="mono">{entry.request_id}</span> ·{" "}
              <Link to={traceOf("request_id", entry.request_id)}>{t`all its requests`}</Link>
            </dd>
          </>
        ) : null}
        {entry.target ? (
          <>
            <dt>{t`Target`}</dt>
            <dd>
              <span className="mono break">{entry.target}</span> ·{" "}
              <Link to={traceOf("target", entry.target)}>{t`all its entries`}</Link>
            </dd>
          </>
        ) : null}
        {entry.address ? (
          <>
            <dt>{t`From`}</dt>
            <dd className="mono">{entry.address}</dd>
          </>
        ) : null}
        {entry.token ? (
          <>
            <dt>{t`Token`}</dt>
            <dd className="mono">{entry.token}</dd>
          </>
        ) : null}
        {entry.digest ? (
          <>
            <dt>{t`Seal`}</dt>
            <dd className="mono">
              {entry.seq} · {entry.digest.slice(0, 16)}
            </dd>
          </>
        ) : null}
      </dl>
      {changed.length ? (
        <table className="table small">
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((change) => (
              <tr key={change.field}>
                <th scope="row">{change.field}</th>
                <td className="mono break">{change.before || "–"}</td>
                <td className="mono break">{change.after || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  );
}

function Rows({ entries }: { entries: AuditEntry[] }) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t`Time`}</th>
          <th scope="col">{t`Who`}</th>
          <th scope="col">{t`Action`}</th>
          <th scope="col">{t`Target`}</th>
          <th scope="col">{t`Outcome`}</th>
          <th scope="col">
            <span className="unseen">{t`Details`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Fragment key={entry.id}>
            <tr>
              <td className="top">
                <Time at={entry.at} />
              </td>
              <td>
                {entry.actor || t`none`}
                {entry.actor_kind !== "user" ? <span className="muted small"> {entry.actor_kind}</span> : null}
              </td>
              <td className="mono">{entry.action}</td>
              <td className="break">
                <TargetName of={entry} />
                {entry.reason ? <div className="small muted">{entry.reason}</div> : null}
              </td>
              <td className="top">
                <Status of={outcomes[entry.outcome]} />
              </td>
              <td className="top">
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-expanded={open === entry.id}
                  onClick={() => setOpen(open === entry.id ? null : entry.id)}
                >
                  {open === entry.id ? t`Close` : t`Details`}
                </Button>
              </td>
            </tr>
            {open === entry.id ? (
              <tr>
                <td colSpan={6}>
                  <Details entry={entry} />
                </td>
              </tr>
            ) : null}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** What a request began that went on after its answer. */
function Operations({ request }: { request: string }) {
  const result = useQuery({
    queryKey: ["operations", request],
    queryFn: ({ signal }) => send<OperationPage>("/operations", { query: { request_id: request }, signal }),
  });
  if (!result.data?.items.length) return null;
  return (
    <Card title={t`Operations of this request`}>
      <table className="table small">
        <thead>
          <tr>
            <th scope="col">{t`Operation`}</th>
            <th scope="col">{t`On`}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col">{t`Started`}</th>
            <th scope="col">{t`Ended`}</th>
          </tr>
        </thead>
        <tbody>
          {result.data.items.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.kind}
                <div className="mono muted">{row.id}</div>
              </th>
              <td className="break">
                {row.target_kind} {row.target}
              </td>
              <td>
                <Status of={states[row.state]} />
              </td>
              <td className="top">
                <Time at={row.created_at} />
              </td>
              <td className="top">
                {row.finished_at ? <Time at={row.finished_at} /> : <span className="muted">–</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function List({ all, of }: { all: AuditEntry[]; of: Parameters<typeof More>[0]["of"] }) {
  const { fresh, shown, show } = useNewRows(all);
  return (
    <>
      <NewRows count={fresh.length} what={[t`entry`, t`entries`]} onShow={show} />
      <Card className="flush">
        <Scroll label={t`Activity`}>
          <Rows entries={shown} />
        </Scroll>
        <More of={of} />
      </Card>
    </>
  );
}

/** The address that gives what the filters leave, as a file; taking it away is noted in the activity. */
export function exportOf(filters: Record<string, string>, form: "jsonl" | "csv"): string {
  return `/api/v1/audit/export?${new URLSearchParams([...Object.entries(filters).filter(([, value]) => value), ["as", form]]).toString()}`;
}

export function ActivityPage() {
  useTopic("audit");
  const { filters, set, clear, any } = useFilters([
    "actor",
    "action",
    "target",
    "outcome",
    "quiet",
    "address",
    "request_id",
    "since",
    "until",
  ]);
  const entries = usePages<AuditEntry>("audit", "/audit", filters);
  const isForbidden = entries.isError && problemFrom(entries.error).status === 403;
  const mayExport = useAccount()?.permissions.includes("audit.export") ?? false;
  return (
    <Page
      title={t`Activity`}
      actions={
        <>
          <ChainBadge />
          {mayExport ? (
            <>
              <Button component="a" href={exportOf(filters, "jsonl")} download>
                {t`JSONL`}
              </Button>
              <Button component="a" href={exportOf(filters, "csv")} download>
                {t`CSV`}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      {isForbidden ? null : (
        <div className="row wrap">
          <FilterInput first label={t`Who`} value={filters.actor} onCommit={(value) => set("actor", value)} />
          <FilterInput
            label={t`Action, such as upgrade.*`}
            value={filters.action}
            onCommit={(value) => set("action", value)}
          />
          <FilterInput label={t`Target`} value={filters.target} onCommit={(value) => set("target", value)} />
          <FilterInput label={t`From address`} value={filters.address} onCommit={(value) => set("address", value)} />
          <FilterInput
            label={t`Request id`}
            value={filters.request_id}
            onCommit={(value) => set("request_id", value)}
          />
          <FilterInput
            label={t`From, such as 2026-03-01`}
            value={filters.since}
            onCommit={(value) => set("since", momentOf(value))}
          />
          <FilterInput label={t`Before`} value={filters.until} onCommit={(value) => set("until", momentOf(value))} />
          <Select
            aria-label={t`Outcome`}
            placeholder={t`Any outcome`}
            clearable
            clearButtonProps={{ "aria-label": t`Clear outcome` }}
            data={Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word }))}
            value={filters.outcome || null}
            onChange={(value) => set("outcome", value ?? "")}
          />
          <Checkbox
            label={t`Without dry runs and sign-ins`}
            checked={filters.quiet === "true"}
            onChange={(event) => set("quiet", event.currentTarget.checked ? "true" : "")}
          />
          <span className="grow" />
          <SavedViews page="activity" />
        </div>
      )}
      {filters.request_id ? <Operations request={filters.request_id} /> : null}
      <Loaded of={entries}>
        {(data) => {
          const all = items(data);
          if (all.length === 0)
            return (
              <Card>
                {any ? (
                  <Empty title={t`Nothing matches.`}>
                    <Button onClick={clear}>{t`Clear filters`}</Button>
                  </Empty>
                ) : (
                  <Empty title={t`No activity yet.`} />
                )}
              </Card>
            );
          return <List key={JSON.stringify(filters)} all={all} of={entries} />;
        }}
      </Loaded>
      <p className="small muted">
        {rich`Entries are kept permanently: the database refuses changes and deletions. A webhook subscribed
        to ${(<code>audit.entry</code>)} keeps a copy in another system.`}
      </p>
    </Page>
  );
}
