import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { address, read } from "../api/client";
import { type Call, unchecked } from "../api/operations";
import { useAccount } from "../api/queries";
import { useTopic } from "../live/stream";
import { Filters } from "../parts/tables/Filters";
import { FilterInput } from "../parts/tables/FilterInput";
import { isMoment, momentOf } from "../parts/moments";
import { NewRows, useNewRows } from "../parts/tables/NewRows";
import { items, More, usePages } from "../parts/tables/More";
import { Card, Page } from "../parts/Page";
import { SavedViews } from "../parts/tables/SavedViews";
import { useFilters } from "../parts/search";
import { Empty, Loaded } from "../parts/states";
import { Pill, Status } from "../parts/Status";
import type { Word } from "../parts/status";
import { DataTable } from "../parts/tables/DataTable";
import { Time } from "../time/Time";
import { Noise } from "./activity/Noise";
import { isQuiet } from "../parts/commands/quiet";
import { outcomes } from "./activity/outcomes";
import { kindOf, TargetName } from "./activity/Target";
import type { AuditEntry } from "../wire/model";
import type { components } from "../wire/schema";
import { worded } from "../words/server";
import { rich, t } from "../words/text";

type OperationPage = components["schemas"]["OperationPage"];

export const operationWords: Record<OperationPage["items"][number]["state"], Word> = {
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
    queryFn: () => read("/audit/chain"),
    staleTime: 60_000,
  });
  if (!chain.data) return null;
  const { intact, length, unsealed, broken_at: broken, reason, reason_phrases: phrases } = chain.data;
  if (broken !== null) return <Pill tone="bad">{rich`chain broken at ${broken}: ${worded(reason, phrases)}`}</Pill>;
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
            <dd>{worded(entry.reason, entry.reason_phrases)}</dd>
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
        <DataTable
          label={t`Changed fields`}
          isBoxed={false}
          isDense
          rows={changed}
          rowKey={(change) => change.field}
          columns={[
            { header: t`Field`, isRowHeader: true, cell: (change) => change.field },
            { header: t`Before`, className: "mono break", cell: (change) => change.before || "–" },
            { header: t`After`, className: "mono break", cell: (change) => change.after || "–" },
          ]}
        />
      ) : null}
    </div>
  );
}

function Rows({ entries }: { entries: AuditEntry[] }) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <DataTable
      label={t`Activity`}
      rows={entries}
      rowKey={(entry) => entry.id}
      columns={[
        { header: t`Time`, className: "top", cell: (entry) => <Time at={entry.at} /> },
        {
          header: t`Who`,
          cell: (entry) => (
            <>
              {entry.actor || t`none`}
              {entry.actor_kind !== "user" ? (
                <span className="muted small"> {kindOf(entry.actor_kind, entry.actor_kind_title)}</span>
              ) : null}
            </>
          ),
        },
        {
          header: t`Action`,
          cell: (entry) => (
            <>
              {worded(entry.action_title ?? "")} <div className="mono small muted">{entry.action}</div>
            </>
          ),
        },
        {
          header: t`Target`,
          className: "break",
          cell: (entry) => (
            <>
              <TargetName of={entry} />
              {entry.reason ? <div className="small muted">{worded(entry.reason, entry.reason_phrases)}</div> : null}
            </>
          ),
        },
        { header: t`Outcome`, className: "top", cell: (entry) => <Status of={outcomes[entry.outcome]} /> },
        {
          header: t`Details`,
          isHeaderUnseen: true,
          className: "top",
          cell: (entry) => (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-expanded={open === entry.id}
              onClick={() => setOpen(open === entry.id ? null : entry.id)}
            >
              {open === entry.id ? t`Close` : t`Details`}
            </Button>
          ),
        },
      ]}
      detail={(entry) => (open === entry.id ? <Details entry={entry} /> : null)}
    />
  );
}

/** What a request began that went on after its answer. */
function Operations({ request }: { request: string }) {
  const result = useQuery({
    queryKey: ["operations", request],
    queryFn: ({ signal }) => read("/operations", { query: { request_id: request }, signal }),
  });
  if (!result.data?.items.length) return null;
  return (
    <Card title={t`Operations of this request`}>
      <DataTable
        label={t`Operations of this request`}
        isDense
        rows={result.data.items}
        rowKey={(row) => row.id}
        columns={[
          {
            header: t`Operation`,
            isRowHeader: true,
            cell: (row) => (
              <>
                {worded(row.kind_title ?? row.kind)}
                <div className="mono muted">{row.id}</div>
              </>
            ),
          },
          {
            header: t`On`,
            className: "break",
            cell: (row) => (
              <>
                {worded(row.target_kind_title ?? row.target_kind)} {row.target}
              </>
            ),
          },
          { header: t`State`, cell: (row) => <Status of={operationWords[row.state]} /> },
          { header: t`Started`, className: "top", cell: (row) => <Time at={row.created_at} /> },
          {
            header: t`Ended`,
            className: "top",
            cell: (row) => (row.finished_at ? <Time at={row.finished_at} /> : <span className="muted">–</span>),
          },
        ]}
      />
    </Card>
  );
}

function List({ all, of }: { all: AuditEntry[]; of: Parameters<typeof More>[0]["of"] }) {
  const { fresh, shown, show } = useNewRows(all);
  return (
    <>
      <NewRows count={fresh.length} what={[t`entry`, t`entries`]} onShow={show} />
      <Card className="flush">
        <Rows entries={shown} />
        <More of={of} />
      </Card>
    </>
  );
}

type AuditQuery = NonNullable<Call<"get", "/audit/export">["query"]>;

const FILTERS = [
  "actor",
  "action",
  "target",
  "service",
  "region",
  "outcome",
  "quiet",
  "address",
  "request_id",
  "since",
  "until",
] as const;

type ActivityFilters = Record<(typeof FILTERS)[number], string>;

function queryOf({ outcome, quiet, ...filters }: ActivityFilters): AuditQuery {
  return { ...filters, outcome: unchecked(outcome), quiet: isQuiet({ ...filters, outcome, quiet }) ? true : "" };
}

/** The address that gives what the filters leave, as a file; taking it away is noted in the activity. */
export function exportOf(filters: AuditQuery, form: "jsonl" | "csv"): string {
  return address("/audit/export", { query: { ...filters, as: form } });
}

export function ActivityPage() {
  useTopic("audit");
  const { filters, set, clear, any } = useFilters(FILTERS);
  const entries = usePages(["audit", filters], ({ cursor, signal }) =>
    read("/audit", { query: { ...queryOf(filters), cursor }, signal }),
  );
  const mayExport = useAccount()?.permissions.includes("audit.export") ?? false;
  return (
    <Page
      title={t`Activity`}
      actions={
        <>
          <ChainBadge />
          {mayExport ? (
            <>
              <Button component="a" href={exportOf(queryOf(filters), "jsonl")} download>
                {t`JSONL`}
              </Button>
              <Button component="a" href={exportOf(queryOf(filters), "csv")} download>
                {t`CSV`}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <Filters of={entries} active={FILTERS.filter((name) => name !== "quiet" && filters[name]).length}>
        <FilterInput first label={t`Who`} value={filters.actor} onCommit={(value) => set("actor", value)} />
        <FilterInput
          label={t`Action, such as upgrade.*`}
          value={filters.action}
          onCommit={(value) => set("action", value)}
        />
        <FilterInput label={t`Target`} value={filters.target} onCommit={(value) => set("target", value)} />
        <FilterInput label={t`Service`} value={filters.service} onCommit={(value) => set("service", value)} />
        <FilterInput label={t`Region`} value={filters.region} onCommit={(value) => set("region", value)} />
        <FilterInput label={t`From address`} value={filters.address} onCommit={(value) => set("address", value)} />
        <FilterInput label={t`Request id`} value={filters.request_id} onCommit={(value) => set("request_id", value)} />
        <FilterInput
          label={t`From, such as 2026-03-01`}
          value={filters.since}
          isWhole={isMoment}
          onCommit={(value) => set("since", momentOf(value))}
        />
        <FilterInput
          label={t`Before`}
          value={filters.until}
          isWhole={isMoment}
          onCommit={(value) => set("until", momentOf(value))}
        />
        <Select
          aria-label={t`Outcome`}
          placeholder={t`Any outcome`}
          clearable
          clearButtonProps={{ "aria-label": t`Clear outcome` }}
          data={Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word }))}
          value={filters.outcome || null}
          onChange={(value) => set("outcome", value ?? "")}
        />
        <span className="grow" />
        <SavedViews page="activity" />
      </Filters>
      {filters.request_id ? <Operations request={filters.request_id} /> : null}
      <Loaded of={entries}>
        {(data) => {
          const all = items(data);
          const noise = <Noise isHidden={isQuiet(filters)} onChange={(quiet) => set("quiet", quiet)} />;
          if (all.length === 0)
            return (
              <>
                {noise}
                <Card>
                  {any ? (
                    <Empty title={t`Nothing matches.`}>
                      <Button onClick={clear}>{t`Clear filters`}</Button>
                    </Empty>
                  ) : (
                    <Empty title={isQuiet(filters) ? t`No other activity yet.` : t`No activity yet.`} />
                  )}
                </Card>
              </>
            );
          return (
            <>
              {noise}
              <List key={JSON.stringify(filters)} all={all} of={entries} />
            </>
          );
        }}
      </Loaded>
      <p className="small muted">
        {rich`Entries are kept permanently: the database refuses changes and deletions. A webhook subscribed
        to ${(<code>audit.entry</code>)} keeps a copy in another system.`}
      </p>
    </Page>
  );
}
