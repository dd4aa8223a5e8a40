import { rehearsedChange } from "../../api/client";
import { useState } from "react";
import { Link } from "react-router";
import { wideRefusal } from "../../api/bounds";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { textOf } from "../../parts/forms/draft";
import { EditDialog, type Editing } from "../../parts/forms/EditDialog";
import { Card } from "../../parts/Page";
import type { Tone } from "../../parts/Shape";
import { Status, Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { dateText, serverNow } from "../../time/clock";
import { Time } from "../../time/Time";
import type { Retirement, ServicePage } from "../../wire/model";
import { useUsage } from "./consumer";
import { plural, t } from "../../words/text";

/** What a version's name, its use and its last day say of it. */
export function lifecycleOf(
  version: string,
  served: number,
  calls: number,
  retiresOn: string | null = null,
  today = "",
): { tone: Tone; word: string } {
  if (retiresOn && retiresOn <= today)
    return served ? { tone: "bad", word: t`retired, but served` } : { tone: "plain", word: t`retired` };
  if (retiresOn) return { tone: "wait", word: t`deprecated` };
  if (served === 0)
    return calls ? { tone: "wait", word: t`only translated` } : { tone: "unknown", word: t`not in use` };
  if (version.includes("alpha")) return { tone: "plain", word: t`alpha` };
  if (version.includes("beta")) return { tone: "plain", word: t`beta` };
  return version.includes("preview") ? { tone: "plain", word: t`preview` } : { tone: "ok", word: t`current` };
}

/** Who imports a version, one by one. */
export function importersOf(service: ServicePage, version: string): string[] {
  return service.imported_by
    .filter((each) => each.version === version)
    .map((each) => `${each.service} ${each.for_version}`);
}

export const NO_DAY: Retirement = { rev: 0, retires_on: null, note: "", set_by: "", set_at: null };

function retiring(of: ServicePage, version: string, known: Retirement): Editing {
  const served = of.deployments.filter((each) => each.current_version === version).map((each) => each.region);
  const importers = importersOf(of, version);
  return {
    title: t`Retirement of ${version}`,
    seen: known.rev,
    start: { retires_on: known.retires_on ?? "", note: known.note },
    refresh: [["services"]],
    fields: [
      {
        name: "retires_on",
        label: t`Retirement date`,
        kind: "day",
        description: t`Empty: cancel the retirement.`,
      },
      { name: "note", label: t`Note for users`, kind: "area" },
    ],
    change: (draft, ifMatch) =>
      rehearsedChange.put(
        "/services/{name}/versions/{version}/retirement",
        {
          path: { name: of.name, version },
          body: { retires_on: textOf(draft, "retires_on") || null, note: textOf(draft, "note") },
          ifMatch,
        },
        () => (
          <ul className="plain-list">
            <li>
              {served.length
                ? t`${plural(served.length, "# deployment serves", "# deployments serve")} it now: ${served.join(", ")}.`
                : t`No deployment serves it now.`}
            </li>
            <li>{importers.length ? t`Imported by ${importers.join(", ")}.` : t`No importers.`}</li>
            <li>{t`The date is shown with the version. Nothing is switched off.`}</li>
          </ul>
        ),
      ),
  };
}

/** Why a version, of those from the oldest on, cannot be retired yet; empty where it can. `served` may name one often. */
export function retireRefusal(versions: readonly string[], version: string, served: readonly string[]): string {
  if (version === versions.at(-1))
    return t`${version} is the newest version of this service. Apply a newer version before this one retires.`;
  return served.length && served.every((each) => each === version)
    ? t`${version} is the only version that is served. Upgrade a deployment to a newer version before this one retires.`
    : "";
}

function Importers({ of, version }: { of: ServicePage; version: string }) {
  const importers = of.imported_by.filter((importer) => importer.version === version);
  if (importers.length === 0) return <span className="muted">{t`none`}</span>;
  return importers.map(({ service, for_version: own }) => (
    <div key={`${service} ${own}`} className="small">
      <Link to={`/versions/${service}`}>{service}</Link> {own}
    </div>
  ));
}

/** The last day of a version, and the button that sets it. */
function RetirementDay({
  of,
  reason,
  isRefused,
  onEdit,
}: {
  of: Retirement;
  reason: string;
  isRefused: boolean;
  onEdit: () => void;
}) {
  const { retires_on: day, note, set_by: by } = of;
  return (
    <>
      {day ? (
        <div>
          <time dateTime={day}>{day}</time>
          {note ? <div className="small">{note}</div> : null}
          <div className="small muted">{by}</div>
        </div>
      ) : null}
      <ActionButton
        of={{ action: "retire", allowed: !reason, reason, who_can: isRefused ? ["operator", "admin"] : [] }}
        small
        onAct={onEdit}
      >
        {day ? t`Change…` : t`Retire…`}
      </ActionButton>
    </>
  );
}

/** Each version with who runs, imports and calls it, and its last day: what is to know before it is taken away. */
export function Lifecycle({ of, versions }: { of: ServicePage; versions: readonly string[] }) {
  const usage = useUsage(of.name).data;
  const refusal = wideRefusal(useAccount(), "registry.write", of.name, t`This requires permission to change services.`);
  const [editing, edit] = useState<string | null>(null);
  const [today] = useState(() => dateText(serverNow(), "utc"));
  const served = of.deployments.map((each) => each.current_version);
  const retirement = (version: string): Retirement => of.retirements[version] ?? NO_DAY;
  return (
    <Card title={t`Versions, oldest first`} aside={usage ? t`calls of ${usage.days} days` : null}>
      <DataTable
        label={t`Versions`}
        rows={versions.map((version) => ({
          version,
          served: of.deployments.filter((deployment) => deployment.current_version === version).length,
          used: usage?.versions.find((one) => one.version === version),
          retirement: retirement(version),
        }))}
        rowKey={(row) => row.version}
        columns={[
          { header: t`Version`, isRowHeader: true, cell: (row) => <Version of={row.version} /> },
          {
            header: t`State`,
            cell: ({ version, served, used, retirement: { retires_on: day } }) => (
              <Status of={lifecycleOf(version, served, used?.messages ?? 0, day, today)} />
            ),
          },
          { header: t`Deployments`, align: "end", cell: (row) => row.served },
          { header: t`Imported by`, cell: (row) => <Importers of={of} version={row.version} /> },
          { header: t`Calls`, align: "end", cell: (row) => row.used?.messages ?? 0 },
          { header: t`Last call`, className: "top", cell: (row) => <Time at={row.used?.last_seen ?? null} /> },
          {
            header: t`Retires`,
            cell: (row) => (
              <RetirementDay
                of={row.retirement}
                reason={refusal || (row.retirement.retires_on ? "" : retireRefusal(versions, row.version, served))}
                isRefused={refusal !== ""}
                onEdit={() => edit(row.version)}
              />
            ),
          },
        ]}
      />
      {editing ? <EditDialog of={retiring(of, editing, retirement(editing))} onClose={() => edit(null)} /> : null}
    </Card>
  );
}
