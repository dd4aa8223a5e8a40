import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { Card } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Shape } from "../../../parts/Shape";
import { Empty, Loaded } from "../../../parts/states";
import { beyond, type Finding, rangeOf, type Report, ruleText, weights, whereWords } from "./report";
import { t } from "../../../words/text";

function Places({ title, of }: { title: string; of: readonly Finding[] }) {
  return (
    <div>
      <h3>
        {title}: {of.length}
      </h3>
      {of.length ? (
        <ul className="plain-list small">
          {of.map((each) => (
            <li key={`${each.path} ${each.where} ${each.rule}`}>
              <Shape tone={each.handled ? "ok" : weights[each.weight].tone} size={13} />{" "}
              <span className="mono break">{each.path}</span>{" "}
              <span className="muted">
                {whereWords[each.where] ?? each.where} · {ruleText(each.rule)}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="small muted">{t`None.`}</p>
      )}
    </div>
  );
}

/** This report beside another one of the service: what only one of them finds. */
export function Comparison({ of, versions }: { of: Report; versions: readonly string[] }) {
  const { filters, set } = useFilters(["with"]);
  const here = `${of.before}..${of.after}`;
  const pairs = versions
    .flatMap((before) => versions.filter((after) => after !== before).map((after) => `${before}..${after}`))
    .filter((pair) => pair !== here);
  const { before, after } = rangeOf(filters.with);
  const query = { before, after, client: of.client, server: of.server, policy: of.policy };
  const other = useQuery({
    queryKey: ["compatibility", of.service, query],
    queryFn: ({ signal }) => read("/services/{name}/compatibility", { path: { name: of.service }, query, signal }),
    enabled: filters.with !== "" && filters.with !== here,
  });
  if (pairs.length === 0) return null;
  return (
    <Card
      title={t`Compare with another report`}
      aside={
        <Select
          size="xs"
          w={220}
          aria-label={t`Compare with`}
          placeholder={t`choose one`}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t`No comparison` }}
          data={pairs}
          value={filters.with || null}
          onChange={(value) => set("with", value ?? "")}
        />
      }
    >
      {filters.with === "" ? (
        <p className="small muted">{t`Choose two other versions to see the differences between the reports.`}</p>
      ) : (
        <Loaded of={other} lines={2}>
          {(data) => {
            const [mine, theirs] = [beyond(of, data), beyond(data, of)];
            return mine.length + theirs.length === 0 ? (
              <Empty title={t`Both reports have the same findings.`} />
            ) : (
              <div className="halves">
                <Places title={t`Only ${here}`} of={mine} />
                <Places title={t`Only ${filters.with}`} of={theirs} />
              </div>
            );
          }}
        </Loaded>
      )}
    </Card>
  );
}
