import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { useStore } from "../../state/store";
import { Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { clockText, dateText, serverNow, type Zone, zone, zoneName } from "../../time/clock";
import { Time } from "../../time/Time";
import type { ServicePage } from "../../wire/model";
import { type VersionSeries, seriesText, lanesOf, marksOf, needsHours, pathOf, reach, type Served } from "./timeline";
import { locale } from "../../words/language";
import { rich, t } from "../../words/text";

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetOf(at: number, which: Zone): number {
  return Date.parse(`${dateText(at, which)}T${clockText(at, which)}Z`) - Math.floor(at / 1000) * 1000;
}

function weekday(date: string): string {
  return new Date(`${date}T12:00:00Z`).toLocaleDateString(locale, { weekday: "short", timeZone: "UTC" });
}

function Field({ seriesList: columns, spans }: { seriesList: VersionSeries[]; spans: readonly Served[] }) {
  const which = useStore(zone);
  const [now] = useState(() => serverNow());
  const whole = reach(columns, now);
  const most = Math.max(1, ...columns.flatMap((column) => column.steps.map((step) => step.count)));
  const place = (at: number): string => `${(100 * (at - whole.start)) / (whole.end - whole.start)}%`;
  const hours = needsHours(whole);
  const day = (at: number): string => dateText(at, which) + (hours ? ` ${clockText(at, which).slice(0, 5)}` : "");
  const ticks = marksOf(whole, offsetOf(now, which));
  return (
    <>
      <div
        className="life"
        role="img"
        aria-label={t`Served versions over time: ${columns.map((series) => seriesText(series, day)).join("; ")}.`}
      >
        {columns.map((track) => (
          <div key={track.version} className="life-lane" title={seriesText(track, day)}>
            <span>
              <Version of={track.version} />
            </span>
            <div className="life-field">
              <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
                <path d={pathOf(track, whole, now, most)} />
              </svg>
              <i className="today" style={{ left: place(now) }} />
              {track.retires ? (
                <i className="ends" style={{ left: place(track.retires) }} title={t`retires ${day(track.retires)}`} />
              ) : null}
            </div>
            <span className="small muted num">{track.now}</span>
          </div>
        ))}
        <div className="life-lane">
          <span />
          <div className="life-days">
            {ticks.map((at) => (
              <span key={at} style={{ left: place(at) }}>
                <time dateTime={new Date(at).toISOString()}>
                  {weekday(dateText(at, which))} {hours ? day(at).slice(5) : day(at)}
                </time>
              </span>
            ))}
          </div>
          <span />
        </div>
      </div>
      <p className="small muted row wrap">
        <span className="row tight">{rich`${(<i className="swatch served" />)} regions serving it, ${most} at most`}</span>
        <span className="row tight">{rich`${(<i className="swatch now" />)} now`}</span>
        {columns.some((series) => series.retires) ? (
          <span className="row tight">{rich`${(<i className="swatch last" />)} its last day`}</span>
        ) : null}
      </p>
      <details className="small">
        <summary>{t`Show data`}</summary>
        <DataTable
          label={t`Served versions by region`}
          rows={spans}
          rowKey={(span) => `${span.region} ${span.version} ${span.since ?? ""} ${span.until ?? ""}`}
          columns={[
            { header: t`Version`, isRowHeader: true, cell: (span) => span.version },
            { header: t`Region`, cell: (span) => span.region },
            {
              header: t`Since`,
              cell: (span) =>
                span.since ? <Time at={span.since} age={false} /> : <span className="muted">{t`unknown`}</span>,
            },
            { header: t`Until`, cell: (span) => (span.until ? <Time at={span.until} age={false} /> : t`served now`) },
          ]}
        />
      </details>
    </>
  );
}

/** When each version came, where it is served, and when it goes: a lane for each, as high as it has regions. */
export function Timeline({ of, versions }: { of: ServicePage; versions: readonly string[] }) {
  const which = useStore(zone);
  const result = useQuery({
    queryKey: ["services", of.name, "timeline"],
    queryFn: ({ signal }) => read("/services/{name}/timeline", { path: { name: of.name }, signal }),
    staleTime: 30_000,
  });
  return (
    <Card title={t`Timeline`} aside={zoneName(which)}>
      <Loaded of={result} lines={3}>
        {({ items }) =>
          items.length ? (
            <Field
              seriesList={lanesOf(versions, items, (version) => of.retirements[version]?.retires_on ?? null)}
              spans={items}
            />
          ) : (
            <Empty title={t`Not served yet.`} />
          )
        }
      </Loaded>
    </Card>
  );
}
