import { useState } from "react";
import { Link } from "react-router";
import { wideRefusal } from "../../api/bounds";
import { useAccount } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { EditDialog, type Editing } from "../../parts/EditDialog";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import type { Tone } from "../../parts/Shape";
import { Status, Version } from "../../parts/Status";
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
  return /alpha|beta/.test(version)
    ? { tone: "plain", word: version.includes("alpha") ? t`alpha` : t`beta` }
    : { tone: "ok", word: t`current` };
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
    path: `/services/${of.name}/versions/${version}/retirement`,
    method: "PUT",
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
    body: (draft) => ({ retires_on: draft["retires_on"] || null, note: draft["note"] ?? "" }),
    tell: () => (
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
  };
}

/** Why a version cannot be retired yet; empty where it can. */
export function retireRefusal(versions: readonly string[], version: string): string {
  return versions.length > 1
    ? ""
    : t`${version} is the only version of this service. Apply a newer version before this one retires.`;
}

/** Each version with who runs, imports and calls it, and its last day: what is to know before it is taken away. */
export function Lifecycle({ of, versions }: { of: ServicePage; versions: readonly string[] }) {
  const usage = useUsage(of.name).data;
  const refusal = wideRefusal(useAccount(), "registry.write", of.name, t`This requires permission to change services.`);
  const [editing, edit] = useState<string | null>(null);
  const [today] = useState(() => dateText(serverNow(), "utc"));
  const retirement = (version: string): Retirement => of.retirements[version] ?? NO_DAY;
  return (
    <Card title={t`Versions, oldest first`} aside={usage ? t`calls of ${usage.days} days` : null}>
      <Scroll label={t`Versions`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Version`}</th>
              <th scope="col">{t`State`}</th>
              <th scope="col" className="num">
                {t`Deployments`}
              </th>
              <th scope="col">{t`Imported by`}</th>
              <th scope="col" className="num">
                {t`Calls`}
              </th>
              <th scope="col">{t`Last call`}</th>
              <th scope="col">{t`Retires`}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => {
              const served = of.deployments.filter((each) => each.current_version === version).length;
              const used = usage?.versions.find((each) => each.version === version);
              const { retires_on: day, note, set_by: by } = retirement(version);
              const reason = refusal || (day ? "" : retireRefusal(versions, version));
              return (
                <tr key={version}>
                  <th scope="row">
                    <Version of={version} />
                  </th>
                  <td>
                    <Status of={lifecycleOf(version, served, used?.messages ?? 0, day, today)} />
                  </td>
                  <td className="num">{served}</td>
                  <td>
                    {of.imported_by
                      .filter((each) => each.version === version)
                      .map((each) => (
                        <div key={`${each.service} ${each.for_version}`} className="small">
                          <Link to={`/versions/${each.service}`}>{each.service}</Link> {each.for_version}
                        </div>
                      ))}
                    {importersOf(of, version).length ? null : <span className="muted">{t`none`}</span>}
                  </td>
                  <td className="num">{used?.messages ?? 0}</td>
                  <td className="top">
                    <Time at={used?.last_seen ?? null} />
                  </td>
                  <td>
                    {day ? (
                      <div>
                        <time dateTime={day}>{day}</time>
                        {note ? <div className="small">{note}</div> : null}
                        <div className="small muted">{by}</div>
                      </div>
                    ) : null}
                    <ActionButton
                      of={{
                        action: "retire",
                        allowed: !reason,
                        reason,
                        who_can: refusal ? ["operator", "admin"] : [],
                      }}
                      small
                      onAct={() => edit(version)}
                    >
                      {day ? t`Change…` : t`Retire…`}
                    </ActionButton>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {editing ? <EditDialog of={retiring(of, editing, retirement(editing))} onClose={() => edit(null)} /> : null}
    </Card>
  );
}
