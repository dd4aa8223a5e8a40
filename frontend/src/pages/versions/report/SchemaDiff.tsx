import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { read } from "../../../api/client";
import { Card } from "../../../parts/Page";
import { Empty, Loaded } from "../../../parts/states";
import { DataTable } from "../../../parts/tables/DataTable";
import { type Compared, compareSchemas, type Doc, near, type Row } from "./schemas";
import { plural, rich, t } from "../../../words/text";

const MOST = 12;

function useSchema(service: string, version: string) {
  return useQuery({
    queryKey: ["schema", service, version],
    queryFn: ({ signal }) => read("/services/{name}/schemas/{version}", { path: { name: service, version }, signal }),
    // A JSON schema may hold anything.
    select: ({ schema }) => ({ schema: schema as Doc }),
    staleTime: 60_000,
  });
}

/** A line of one side; where the sides differ, which side it is stands before it for screen readers. */
function Side({ text, isSame, side }: { text: string | null; isSame: boolean; side: string }) {
  if (text === null) return null;
  return (
    <>
      {isSame ? null : <span className="unseen">{side} </span>}
      {text}
    </>
  );
}

type Shown = { row: Row; at: number; folded: number };

/** Runs of equal lines are folded into one row that says how many they are. */
function folded(rows: readonly Row[], whole: boolean): Shown[] {
  const shown = near(rows);
  return rows.flatMap((row, at) => {
    if (whole || shown[at]) return [{ row, at, folded: 0 }];
    if (at > 0 && !shown[at - 1]) return [];
    const end = shown.indexOf(true, at);
    return [{ row, at, folded: (end < 0 ? rows.length : end) - at }];
  });
}

function Lines({ of, whole, before, after }: { of: Compared; whole: boolean; before: string; after: string }) {
  return (
    <DataTable
      label={t`${of.title} in both versions`}
      isLines
      rows={folded(of.rows, whole)}
      rowKey={(line) => line.at}
      rowClass={(line) => (line.folded ? "folded" : line.row.same ? "" : "differs")}
      columns={[
        {
          header: before,
          className: ({ row }) => (!row.same && row.before !== null ? "gone" : ""),
          cell: ({ row }) => <Side text={row.before} isSame={row.same} side={t`before:`} />,
        },
        {
          header: after,
          className: ({ row }) => (!row.same && row.after !== null ? "came" : ""),
          cell: ({ row }) => <Side text={row.after} isSame={row.same} side={t`after:`} />,
        },
      ]}
      spanning={({ folded: count }) => (count ? rich`${count} equal ${plural(count, "line", "lines")}` : null)}
    />
  );
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
      <Lines of={of} whole={whole} before={before} after={after} />
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
