import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { Card } from "../../parts/Page";
import { Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { t } from "../../words/text";

export type Span = components["schemas"]["WindowSpan"];

/** What part of the whole each span takes, in percent; even a short one can be seen. */
export function shares(spans: readonly Span[]): number[] {
  const lengths = spans.map((span) => Date.parse(span.closes) - Date.parse(span.opens));
  const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
  return lengths.map((length) => Math.max(0.5, (100 * length) / whole));
}

/** The next seven days of a deployment, parted by the rule that wins. */
export function WeekAhead({ deployment }: { deployment: string }) {
  const week = useQuery({
    queryKey: ["windows", "ahead", deployment],
    queryFn: ({ signal }) => read("/windows/ahead", { query: { deployment }, signal }),
  });
  return (
    <Card title={t`The next seven days`}>
      <Loaded of={week} lines={3}>
        {({ items }) => {
          const widths = shares(items);
          return (
            <>
              <div className="ahead" aria-hidden="true">
                {items.map((span, at) => (
                  <span
                    key={span.opens}
                    className={span.allowed ? "allow" : span.winner ? "deny" : "shut"}
                    style={{ flexGrow: widths[at] }}
                  />
                ))}
              </div>
              <DataTable
                label={t`The next seven days`}
                rows={items}
                rowKey={(span) => span.opens}
                columns={[
                  { header: t`From`, cell: (span) => <Time at={span.opens} age={false} /> },
                  { header: t`Until`, cell: (span) => <Time at={span.closes} age={false} /> },
                  {
                    header: t`Switch`,
                    cell: (span) => (
                      <Status
                        of={
                          span.allowed
                            ? { tone: "ok", word: t`permitted` }
                            : { tone: "blocked", word: t`not permitted` }
                        }
                      />
                    ),
                  },
                  {
                    header: t`Effective rule`,
                    cell: (span) =>
                      span.winner || (
                        <span className="muted">{span.allowed ? t`no rule applies` : t`no window is open`}</span>
                      ),
                  },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
