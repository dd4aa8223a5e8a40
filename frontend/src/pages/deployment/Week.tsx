import { useQuery } from "@tanstack/react-query";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { Page } from "../../wire/model";
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
    queryFn: ({ signal }) => send<Page<Span>>("/windows/ahead", { query: { deployment }, signal }),
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
              <Scroll label={t`The next seven days`}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t`From`}</th>
                      <th scope="col">{t`Until`}</th>
                      <th scope="col">{t`Switch`}</th>
                      <th scope="col">{t`Effective rule`}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((span) => (
                      <tr key={span.opens}>
                        <td>
                          <Time at={span.opens} age={false} />
                        </td>
                        <td>
                          <Time at={span.closes} age={false} />
                        </td>
                        <td>
                          <Status
                            of={
                              span.allowed
                                ? { tone: "ok", word: t`permitted` }
                                : { tone: "blocked", word: t`not permitted` }
                            }
                          />
                        </td>
                        <td>
                          {span.winner || (
                            <span className="muted">{span.allowed ? t`no rule applies` : t`no window is open`}</span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
