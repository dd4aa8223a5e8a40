import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { unchecked } from "../../api/operations";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { ActivityEntry } from "../../wire/logs";
import { logAddress } from "./fields";
import { LogEntries, type LogForm } from "./LogEntries";
import { LogPage } from "./LogPage";
import { rich, t } from "../../words/text";

const FORM: LogForm<ActivityEntry> = {
  key: "calls",
  readPage: (path, { kind = "", ...filters }, page) =>
    read("/deployments/{service}/{region}/activity", {
      path,
      query: { ...filters, kind: unchecked<"read" | "write">(kind), cursor: page.cursor },
      signal: page.signal,
    }),
  label: t`Requests`,
  noMatch: t`No request matches.`,
  none: t`No requests yet.`,
  filters: {
    caller: t`Who`,
    method: t`Method`,
    type: t`Resource type`,
    name: t`Resource name`,
    version: t`Version`,
    status: t`Status, such as 4xx or 409`,
  },
  choice: {
    name: "kind",
    label: t`Kind`,
    placeholder: t`Reads and writes`,
    options: [
      { value: "read", label: t`Reads` },
      { value: "write", label: t`Writes` },
    ],
  },
};

interface Place {
  service: string;
  region: string;
}

function processes(count: number): string {
  return count === 1 ? t`1 process` : t`${count} processes`;
}

/** How an answer is shown: its status, and for a refusal its code. */
export function statusWord(entry: Pick<ActivityEntry, "status" | "error">): Word {
  const word = entry.error ? `${entry.status} ${entry.error}` : String(entry.status);
  if (entry.status < 400) return { tone: "ok", word };
  return { tone: entry.status < 500 ? "blocked" : "bad", word };
}

function Rows({ of, service, region }: Place & { of: ActivityEntry[] }) {
  return (
    <DataTable
      label={FORM.label}
      rows={of}
      rowKey={(entry) => `${entry.id} ${entry.at}`}
      columns={[
        { header: t`Time`, className: "top", cell: (entry) => <Time at={entry.at} /> },
        {
          header: t`Who`,
          cell: (entry) => (
            <>
              {entry.caller}
              {entry.client ? <div className="muted small break">{entry.client}</div> : null}
              {entry.via ? <div className="muted small break">{rich`by ${entry.via}`}</div> : null}
            </>
          ),
        },
        { header: t`Method`, cell: (entry) => entry.method },
        {
          header: t`Resource`,
          className: "break",
          cell: (entry) => (
            <>
              {entry.type} {entry.name}
            </>
          ),
        },
        {
          header: t`Version`,
          cell: (entry) => (
            <>
              {entry.version}
              {entry.served && entry.served !== "native" ? <div className="muted small">{entry.served}</div> : null}
            </>
          ),
        },
        {
          header: t`Answer`,
          cell: (entry) => (
            <>
              <Status of={statusWord(entry)} />
              {entry.weight > 1 ? (
                <div className="muted small">{rich`one of about ${Math.round(entry.weight)} reads`}</div>
              ) : null}
            </>
          ),
        },
        { header: t`Milliseconds`, align: "end", cell: (entry) => entry.milliseconds.toFixed(1) },
        {
          header: t`Request`,
          className: "small",
          cell: (entry) => (
            <>
              <span className="mono break">{entry.request_id}</span>
              {entry.kind === "write" && entry.status < 300 ? (
                <div>
                  <Link
                    to={logAddress("changes", service, region, { request_id: entry.request_id })}
                    aria-label={t`Changes of request ${entry.request_id}`}
                  >
                    {t`Changes`}
                  </Link>
                </div>
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

/** What the log keeps, and what is known to be missing in it. */
function Kept({ service, region }: Place) {
  const logs = useQuery({
    queryKey: ["logs", service, region],
    queryFn: ({ signal }) => read("/deployments/{service}/{region}/logs", { path: { service, region }, signal }),
  });
  return (
    <Loaded of={logs} lines={1}>
      {(data) => (
        <>
          <p className="small muted">
            {rich`All writes and ${+(data.read_sampling * 100).toFixed(2)} % of the reads are logged, without
            their bodies and parameters. Requests are kept for ${data.activity_days} days.`}
          </p>
          {data.dropped || data.unfinished.length ? (
            <div className="notice soft-wait" role="status">
              <Shape tone="wait" />{" "}
              {data.dropped ? t`${data.dropped} requests were dropped: too many waited to be written. ` : ""}
              {data.unfinished.length
                ? t`The last requests of ${processes(data.unfinished.length)} may be missing: no report of their end was written.`
                : ""}
            </div>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

export function ActivityLogPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="activity" service={filters.service} region={filters.region}>
      <Kept service={filters.service} region={filters.region} />
      <LogEntries
        form={FORM}
        service={filters.service}
        region={filters.region}
        rows={(entries) => <Rows of={entries} service={filters.service} region={filters.region} />}
      />
    </LogPage>
  );
}
