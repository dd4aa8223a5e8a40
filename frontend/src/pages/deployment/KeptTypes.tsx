import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send, url } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton, permitted } from "../../parts/ActionButton";
import { downloadLink } from "../../parts/download";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { ProblemPanel } from "../../parts/states";
import { countText } from "../../parts/status";
import { Version } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { Deployment, Page } from "../../wire/model";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";

export type KeptType = components["schemas"]["KeptType"];

/** The server notes an export when its last line was sent; until then the rows are read again. */
const POLL_MILLISECONDS = 2000;

/** Whether all that is stored of a type was exported as it is. */
export function exportWord({ exported, export: newest, stored }: KeptType): string {
  if (exported === null) return t`Unknown whether exported: the data cannot be read now`;
  if (newest === null) return stored === 0 ? t`Nothing to export` : t`Not exported`;
  return exported ? t`Exported` : t`Written since the export`;
}

function Row({ of, waiting, onExport }: { of: KeptType; waiting: boolean; onExport: () => void }) {
  const permissions = useAccount()?.permissions ?? [];
  return (
    <tr>
      <th scope="row">{of.type}</th>
      <td>
        <Version of={of.version} />
      </td>
      <td>
        <Version of={of.without} />
      </td>
      <td className="num">{of.stored === null ? t`unknown` : countText(of.stored)}</td>
      <td>
        <span role="status">
          {waiting ? t`Export started; it is noted here once all of it was sent.` : exportWord(of)}
        </span>
        {of.export && !waiting ? (
          <div className="small muted">
            {rich`${countText(of.export.resources)} by ${of.export.by}, ${(<Time at={of.export.at} />)}`}
          </div>
        ) : null}
      </td>
      <td>
        <ActionButton
          of={permitted(permissions, "resource.write", t`Exporting requires permission to write resources.`)}
          small
          onAct={onExport}
        >
          {rich`Export ${of.type}`}
        </ActionButton>
      </td>
    </tr>
  );
}

const keyOf = (of: KeptType): string => `${of.type}@${of.version}`;
const exportedAt = (of: KeptType): string => of.export?.at ?? "";

/** Types that only an earlier version serves: how many resources there are, and their export before it retires. */
export function KeptTypes({ of }: { of: Deployment }) {
  const address = `/deployments/${of.service}/${of.region}/kept-types`;
  const mayRead = useAccount()?.permissions.includes("resource.read") ?? false;
  // By type, when the export before the one that was started here was noted.
  const [started, setStarted] = useState<Record<string, string>>({});
  const isWaiting = (row: KeptType): boolean => started[keyOf(row)] === exportedAt(row);
  const kept = useQuery({
    queryKey: ["kept-types", of.name],
    queryFn: ({ signal }) => send<Page<KeptType>>(address, { signal }),
    enabled: mayRead,
    refetchInterval: (query) => (query.state.data?.items.some(isWaiting) ? POLL_MILLISECONDS : false),
  });
  const rows = kept.data?.items ?? [];
  if (rows.length === 0 && !kept.isError) return null;
  return (
    <Card title={t`Kept types`} aside={t`A version retires after its kept types were exported.`}>
      {kept.isError ? <ProblemPanel error={kept.error} retry={() => void kept.refetch()} /> : null}
      {rows.length ? (
        <Scroll label={t`Kept types`}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t`Type`}</th>
                <th scope="col">{t`Served by`}</th>
                <th scope="col">{t`Missing in`}</th>
                <th scope="col" className="num">
                  {t`Stored resources`}
                </th>
                <th scope="col">{t`Export`}</th>
                <th scope="col">
                  <span className="unseen">{t`Action`}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each) => (
                <Row
                  key={keyOf(each)}
                  of={each}
                  waiting={isWaiting(each)}
                  onExport={() => {
                    setStarted({ ...started, [keyOf(each)]: exportedAt(each) });
                    downloadLink(`${keyOf(each)}.jsonl`, url(`${address}/${each.type}/${each.version}/export`));
                  }}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : null}
    </Card>
  );
}
