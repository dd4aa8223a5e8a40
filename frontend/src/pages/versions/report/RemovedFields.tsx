import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { Card } from "../../../parts/Page";
import { Empty, Loaded } from "../../../parts/states";
import { DataTable } from "../../../parts/tables/DataTable";
import type { components } from "../../../wire/schema";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";

/** The first of what speaks for a candidate and against it. */
function reasonsOf({ reasons, reason_phrases }: components["schemas"]["FieldCandidate"]): string {
  return reasons
    .slice(0, 3)
    .map((each, at) => worded(each, reason_phrases?.[at]))
    .join("; ");
}

/** Fields that the older version alone has, each with the likeliest new ones that it may have become, and why. */
export function RemovedFields({ service, before, after }: { service: string; before: string; after: string }) {
  const result = useQuery({
    queryKey: ["removed fields", service, before, after],
    queryFn: ({ signal }) =>
      read("/services/{name}/compatibility/removedFields", {
        path: { name: service },
        query: { before, after },
        signal,
      }),
    staleTime: 60_000,
  });
  const fields = result.data?.items ?? [];
  return (
    <Card
      title={
        result.data ? t`Removed fields and their candidates: ${fields.length}` : t`Removed fields and their candidates`
      }
    >
      <p className="small muted">
        {t`At most three new fields that each may have become. To keep its values, rename it in the edge file.`}
      </p>
      <Loaded of={result} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t`Every field of the older version has a counterpart.`} />
          ) : (
            <DataTable
              label={t`Removed fields and their candidates`}
              rows={items}
              rowKey={(each) => `${each.source} ${each.target} ${each.type} ${each.path}`}
              columns={[
                {
                  header: t`Removed field`,
                  isRowHeader: true,
                  className: "place",
                  cell: (each) => (
                    <>
                      <span className="mono break">{`${each.type}.${each.path}`}</span>
                      <div className="small muted">
                        {`${each.source} → ${each.target}`}
                        {each.written ? "" : `, ${t`not in the edge file yet`}`}
                      </div>
                    </>
                  ),
                },
                {
                  header: t`Candidates, the likeliest first`,
                  cell: (each) =>
                    each.candidates.length === 0 ? (
                      <span className="muted">{t`No new field is like it.`}</span>
                    ) : (
                      <ol className="plain-list">
                        {each.candidates.map((one) => (
                          <li key={one.path}>
                            <span className="mono break">{one.path}</span>{" "}
                            <span className="muted">{rich`${Math.round(one.confidence * 100)} % sure`}</span>
                            {one.reasons.length ? <div className="small muted">{reasonsOf(one)}</div> : null}
                          </li>
                        ))}
                      </ol>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {fields.length ? (
        <p className="small muted">
          {plural(
            fields.filter((each) => each.candidates.length > 0).length,
            "# of them has a candidate.",
            "# of them have candidates.",
          )}
        </p>
      ) : null}
    </Card>
  );
}
