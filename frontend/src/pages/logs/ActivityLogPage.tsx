import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { send } from "../../api/client";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { Time } from "../../time/Time";
import type { ActivityEntry, Logs } from "../../wire/logs";
import { logAddress } from "./fields";
import { LogEntries, type LogForm } from "./LogEntries";
import { LogPage } from "./LogPage";
import { rich, t } from "../../words/text";

const FORM: LogForm = {
  key: "calls",
  path: "activity",
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
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t`Time`}</th>
          <th scope="col">{t`Who`}</th>
          <th scope="col">{t`Method`}</th>
          <th scope="col">{t`Resource`}</th>
          <th scope="col">{t`Version`}</th>
          <th scope="col">{t`Answer`}</th>
          <th scope="col" className="num">
            {t`Milliseconds`}
          </th>
          <th scope="col">{t`Request`}</th>
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
              {entry.via ? <div className="muted small break">{rich`by ${entry.via}`}</div> : null}
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
                <div className="muted small">{rich`one of about ${Math.round(entry.weight)} reads`}</div>
              ) : null}
            </td>
            <td className="num">{entry.milliseconds.toFixed(1)}</td>
            <td className="small">
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
      <LogEntries<ActivityEntry>
        form={FORM}
        service={filters.service}
        region={filters.region}
        rows={(entries) => <Rows of={entries} service={filters.service} region={filters.region} />}
      />
    </LogPage>
  );
}
