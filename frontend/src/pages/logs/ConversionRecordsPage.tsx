import { read } from "../../api/client";
import { items, More, usePages } from "../../parts/tables/More";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { ConversionRecord } from "../../wire/logs";
import { FieldTable } from "./FieldTable";
import { fieldChanges, logAddress } from "./fields";
import { rich, t } from "../../words/text";

function Document({ of, what }: { of: Record<string, unknown> | null; what: string }) {
  return (
    <section className="grow" aria-label={what}>
      <h3 className="small">{what}</h3>
      {of === null ? (
        <p className="muted small">{t`None.`}</p>
      ) : (
        <pre className="json" tabIndex={0} role="region" aria-label={t`${what}, as JSON`}>
          {JSON.stringify(of, null, 2)}
        </pre>
      )}
    </section>
  );
}

function Conversion({ of }: { of: ConversionRecord }) {
  const done = of.outcome === "converted";
  return (
    <Card
      title={
        <>
          {rich`${of.direction === "read" ? t`Read` : t`Write`} of ${of.type}: ${of.source_version} to ${of.target_version}`}
        </>
      }
      aside={<Time at={of.at} />}
    >
      <p className="row wrap small">
        <Status of={done ? { tone: "ok", word: t`converted` } : { tone: "bad", word: t`failed: ${of.outcome}` }} />
        <span>
          {rich`by ${of.caller}, request ${(<span className="mono break">{of.request_id}</span>)}, ${of.milliseconds.toFixed(2)}
          ms`}
        </span>
      </p>
      <p className="mono small break">
        {of.name}
        {of.output_name && of.output_name !== of.name ? t` becomes ${of.output_name}` : ""}
      </p>
      <div className="side-by-side">
        <Document of={of.document} what={t`Input in ${of.source_version}`} />
        <Document of={of.output} what={t`Output in ${of.target_version}`} />
      </div>
      {of.before && of.output ? (
        <>
          <h3 className="small">{t`What the write changes of what was stored`}</h3>
          <FieldTable of={fieldChanges(of.before, of.output)} />
        </>
      ) : null}
    </Card>
  );
}

export function ConversionRecordsPage() {
  const { filters } = useFilters(["service", "region", "session"]);
  const { service, region, session } = filters;
  const records = usePages(["conversions", service, region, session], ({ cursor, signal }) =>
    read("/deployments/{service}/{region}/conversion-sessions/{id}/records", {
      path: { service, region, id: session },
      query: { cursor },
      signal,
    }),
  );
  return (
    <Page
      title={t`Recorded conversions`}
      heading={<>{rich`Recorded conversions of session ${session}`}</>}
      under={[{ title: t`Sessions`, to: logAddress("conversions", service, region) }]}
    >
      <Loaded of={records}>
        {(data) => {
          const all = items(data);
          return (
            <>
              {all.length === 0 ? (
                <Card>
                  <Empty title={t`Nothing was converted yet.`}>
                    {t`Requests in the version that is stored are not converted.`}
                  </Empty>
                </Card>
              ) : (
                all.map((record) => <Conversion key={record.id} of={record} />)
              )}
              <More of={records} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
