import { Link } from "react-router";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Empty } from "../../parts/states";
import type { Column } from "../../parts/tables/columns";
import { DataTable } from "../../parts/tables/DataTable";
import type { ServicePage } from "../../wire/model";
import type { components } from "../../wire/schema";
import { mergeText, splitText } from "./report/changeRows";
import { t } from "../../words/text";

type TypeChange = components["schemas"]["TypeChange"];

/** The changes of types; null where a server process of an earlier release answers, which does not send them. */
function changesOf(of: { type_changes?: readonly TypeChange[] }): readonly TypeChange[] | null {
  return of.type_changes ?? null;
}

/** What a type becomes in a version that does not have it, or what it was before it; empty where it is just not there. */
export function otherTypes(changes: readonly TypeChange[], type: string, version: string): string {
  const next = changes.find((each) => each.after === version && each.types_before.includes(type));
  if (next?.kind === "split") return t`split into ${next.types_after.join(", ")}`;
  if (next) return t`merged into ${next.types_after.join(", ")}`;
  const last = changes.find((each) => each.before === version && each.types_after.includes(type));
  if (last?.kind === "split") return t`part of ${last.types_before.join(", ")}`;
  return last ? t`as ${last.types_before.join(", ")}` : "";
}

/** `Target split by kind into HttpTarget, QueueTarget`. */
function changeTitle({ kind, types_before: old, types_after: types, by }: TypeChange): string {
  return kind === "split"
    ? splitText(old.join(", "), by, types.join(", "))
    : mergeText(old.join(", "), types.join(", "), by);
}

function InVersion({ of, type, version }: { of: ServicePage; type: Type; version: string }) {
  if (type.versions.includes(version))
    return (
      <>
        <Shape tone="ok" />
        <span className="unseen">{t`in ${version}`}</span>
      </>
    );
  return <span className="muted">{otherTypes(changesOf(of) ?? [], type.type, version) || t`not included`}</span>;
}

type Type = ServicePage["resource_types"][number];

/** Which version has which resource types, and which of them become several, or one, in the next version. */
export function TypesByVersion({ of, versions }: { of: ServicePage; versions: readonly string[] }) {
  const changes = changesOf(of);
  return (
    <Card title={t`Resource types by version`}>
      <div className="stack">
        {of.resource_types.length ? (
          <DataTable
            label={t`Resource types`}
            onPhone="scroll"
            rows={of.resource_types}
            rowKey={(type) => type.type}
            columns={[
              {
                header: t`Resource type`,
                isRowHeader: true,
                cell: (type) => (
                  <>
                    {type.type}
                    <div className="small muted">{type.plural}</div>
                  </>
                ),
              },
              ...versions.map((version): Column<Type> => ({
                header: version,
                cell: (type) => <InVersion of={of} type={type} version={version} />,
              })),
            ]}
          />
        ) : (
          <Empty title={t`This version declares no resource types.`} />
        )}
        {changes ? null : <p className="small muted">{t`Split and merged resource types: unknown.`}</p>}
        {changes?.length ? (
          <ul className="plain-list" aria-label={t`Split and merged resource types`}>
            {changes.map((each) => (
              <li key={`${each.before} ${each.types_before.join()}`}>
                {changeTitle(each)}{" "}
                <Link className="nowrap" to={`/compat/${of.name}/${each.before}..${each.after}`}>
                  {t`${each.before} to ${each.after}`}
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Card>
  );
}
