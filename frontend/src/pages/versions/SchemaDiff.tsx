import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { type Compared, compareSchemas, type Doc, near, type Row } from "./schemas";
import { plural, rich, t } from "../../words/text";

const MOST = 12;

function useSchema(service: string, version: string) {
  return useQuery({
    queryKey: ["schema", service, version],
    queryFn: ({ signal }) => send<{ schema: Doc }>(`/services/${service}/schemas/${version}`, { signal }),
    staleTime: 60_000,
  });
}

function Line({ row }: { row: Row }) {
  return (
    <tr className={row.same ? "" : "differs"}>
      <td className={!row.same && row.before !== null ? "gone" : ""}>
        {row.before !== null ? (
          <>
            {row.same ? null : <span className="unseen">{t`before:`} </span>}
            {row.before}
          </>
        ) : null}
      </td>
      <td className={!row.same && row.after !== null ? "came" : ""}>
        {row.after !== null ? (
          <>
            {row.same ? null : <span className="unseen">{t`after:`} </span>}
            {row.after}
          </>
        ) : null}
      </td>
    </tr>
  );
}

/** Runs of equal lines are folded into one row that says how many they are. */
function Rows({ rows, whole }: { rows: readonly Row[]; whole: boolean }) {
  const shown = near(rows);
  return rows.map((row, at) => {
    if (whole || shown[at]) return <Line key={at} row={row} />;
    if (at > 0 && !shown[at - 1]) return null;
    const end = shown.indexOf(true, at);
    const count = (end < 0 ? rows.length : end) - at;
    return (
      <tr key={at} className="folded">
        <td colSpan={2}>{rich`${count} equal ${plural(count, "line", "lines")}`}</td>
      </tr>
    );
  });
}

function Part({ of, before, after }: { of: Compared; before: string; after: string }) {
  const [whole, unfold] = useState(false);
  return (
    <section className="schema-part">
      <div className="row between">
        <h3 className="mono">{of.title}</h3>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={whole}
          aria-label={`${whole ? t`Fold` : t`Unfold`} ${of.title}`}
          onClick={() => unfold(!whole)}
        >
          {whole ? t`Fold` : t`Unfold`}
        </Button>
      </div>
      <div className="scroll" role="region" aria-label={t`${of.title} in both versions`} tabIndex={0}>
        <table className="schema-lines">
          <thead className="unseen">
            <tr>
              <th scope="col">{before}</th>
              <th scope="col">{after}</th>
            </tr>
          </thead>
          <tbody>
            <Rows rows={of.rows} whole={whole} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Both schemas side by side, type by type; what is equal is folded. */
export function SchemaDiff({ service, before, after }: { service: string; before: string; after: string }) {
  const [one, other] = [useSchema(service, before), useSchema(service, after)];
  const [all, showAll] = useState(false);
  const parts = useMemo(
    () => (one.data && other.data ? compareSchemas(one.data, other.data) : []),
    [one.data, other.data],
  );
  const changed = parts.filter((part) => part.changed);
  return (
    <Card
      title={t`Schemas side by side: ${changed.length} of ${parts.length} parts differ`}
      aside={
        <>
          <span className="version old">{before}</span>
          <span className="version new">{after}</span>
        </>
      }
    >
      <Loaded of={one}>
        {() => (
          <Loaded of={other}>
            {() =>
              changed.length === 0 ? (
                <Empty title={t`Both versions are identical.`} />
              ) : (
                <>
                  {(all ? changed : changed.slice(0, MOST)).map((part) => (
                    <Part key={part.title} of={part} before={before} after={after} />
                  ))}
                  {changed.length > MOST && !all ? (
                    <div className="more">
                      <Button onClick={() => showAll(true)}>{rich`Show ${changed.length - MOST} more`}</Button>
                    </div>
                  ) : null}
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Card>
  );
}
