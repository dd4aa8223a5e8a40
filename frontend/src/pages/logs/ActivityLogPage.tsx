import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { FilterInput } from "../../parts/FilterInput";
import { momentOf } from "../../parts/moments";
import { items, More, usePages } from "../../parts/More";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { Time } from "../../time/Time";
import type { ActivityEntry, Logs } from "../../wire/logs";
import { logAddress } from "./fields";
import { LogPage } from "./LogPage";

const NAMES = [
  "caller",
  "method",
  "type",
  "name",
  "version",
  "status",
  "kind",
  "request_id",
  "since",
  "until",
] as const;

interface Place {
  service: string;
  region: string;
}

/** How an answer is shown: its status, and for a refusal its code. */
function processes(count: number): string {
  return count === 1 ? "1 process" : `${count} processes`;
}

export function statusWord(entry: Pick<ActivityEntry, "status" | "error">): Word {
  const word = entry.error ? `${entry.status} ${entry.error}` : String(entry.status);
  if (entry.status < 400) return { tone: "ok", word };
  return { tone: entry.status < 500 ? "blocked" : "bad", word };
}

function Rows({ of, service, region }: Place & { of: ActivityEntry[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Who</th>
          <th scope="col">Method</th>
          <th scope="col">Resource</th>
          <th scope="col">Version</th>
          <th scope="col">Answer</th>
          <th scope="col" className="num">
            Milliseconds
          </th>
          <th scope="col">Request</th>
        </tr>
      </thead>
      <tbody>
        {of.map((entry) => (
          <tr key={`${entry.id} ${entry.at}`}>
            <td className="top">
              <Time at={entry.at} />
            </td>
            <td>
              {entry.caller}
              {entry.client ? <div className="muted small break">{entry.client}</div> : null}
              {entry.via ? <div className="muted small break">by {entry.via}</div> : null}
            </td>
            <td>{entry.method}</td>
            <td className="break">
              {entry.type} {entry.name}
            </td>
            <td>
              {entry.version}
              {entry.served && entry.served !== "native" ? <div className="muted small">{entry.served}</div> : null}
            </td>
            <td>
              <Status of={statusWord(entry)} />
              {entry.weight > 1 ? (
                <div className="muted small">one of about {Math.round(entry.weight)} reads</div>
              ) : null}
            </td>
            <td className="num">{entry.milliseconds.toFixed(1)}</td>
            <td className="small">
              <span className="mono break">{entry.request_id}</span>
              {entry.kind === "write" && entry.status < 300 ? (
                <div>
                  <Link
                    to={logAddress("changes", service, region, { request_id: entry.request_id })}
                    aria-label={`Changes of request ${entry.request_id}`}
                  >
                    Changes
                  </Link>
                </div>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the log keeps, and what is known to be missing in it. */
function Kept({ service, region }: Place) {
  const logs = useQuery({
    queryKey: ["logs", service, region],
    queryFn: ({ signal }) => send<Logs>(`/deployments/${service}/${region}/logs`, { signal }),
  });
  return (
    <Loaded of={logs} lines={1}>
      {(data) => (
        <>
          <p className="small muted">
            All writes and {+(data.read_sampling * 100).toFixed(2)} % of the reads are logged, without their bodies and
            parameters. Requests are kept for {data.activity_days} days.
          </p>
          {data.dropped || data.unfinished.length ? (
            <div className="notice soft-wait" role="status">
              <Shape tone="wait" />{" "}
              {data.dropped ? `${data.dropped} requests were dropped: too many waited to be written. ` : ""}
              {data.unfinished.length
                ? `The last requests of ${processes(data.unfinished.length)} may be missing: no report of their end was written.`
                : ""}
            </div>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

function List({ service, region }: Place) {
  const { filters, set, clear, any } = useFilters(NAMES);
  const entries = usePages<ActivityEntry>("calls", `/deployments/${service}/${region}/activity`, filters);
  return (
    <>
      <Kept service={service} region={region} />
      <div className="row wrap">
        <FilterInput first label="Who" value={filters.caller} onCommit={(value) => set("caller", value)} />
        <FilterInput label="Method" value={filters.method} onCommit={(value) => set("method", value)} />
        <FilterInput label="Resource type" value={filters.type} onCommit={(value) => set("type", value)} />
        <FilterInput label="Resource name" value={filters.name} onCommit={(value) => set("name", value)} />
        <FilterInput label="Version" value={filters.version} onCommit={(value) => set("version", value)} />
        <FilterInput
          label="Status, such as 4xx or 409"
          value={filters.status}
          onCommit={(value) => set("status", value)}
        />
        <FilterInput label="Request id" value={filters.request_id} onCommit={(value) => set("request_id", value)} />
        <FilterInput
          label="From, such as 2026-03-01"
          value={filters.since}
          onCommit={(value) => set("since", momentOf(value))}
        />
        <FilterInput label="Before" value={filters.until} onCommit={(value) => set("until", momentOf(value))} />
        <Select
          aria-label="Kind"
          placeholder="Reads and writes"
          clearable
          clearButtonProps={{ "aria-label": "Clear kind" }}
          data={[
            { value: "read", label: "Reads" },
            { value: "write", label: "Writes" },
          ]}
          value={filters.kind || null}
          onChange={(value) => set("kind", value ?? "")}
        />
      </div>
      <Loaded of={entries}>
        {(data) => {
          const all = items(data);
          return all.length === 0 ? (
            <Card>
              {any ? (
                <Empty title="No request matches.">
                  <Button onClick={clear}>Clear filters</Button>
                </Empty>
              ) : (
                <Empty title="No requests yet." />
              )}
            </Card>
          ) : (
            <Card className="flush">
              <Scroll label="Requests">
                <Rows of={all} service={service} region={region} />
              </Scroll>
              <More of={entries} />
            </Card>
          );
        }}
      </Loaded>
    </>
  );
}

export function ActivityLogPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="activity" service={filters.service} region={filters.region}>
      <List service={filters.service} region={filters.region} />
    </LogPage>
  );
}
