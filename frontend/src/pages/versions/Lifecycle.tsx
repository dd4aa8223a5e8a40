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

/** What a version's name, its use and its last day say of it. */
export function lifecycleOf(
  version: string,
  served: number,
  calls: number,
  retiresOn: string | null = null,
  today = "",
): { tone: Tone; word: string } {
  if (retiresOn && retiresOn <= today)
    return served ? { tone: "bad", word: "retired, but served" } : { tone: "plain", word: "retired" };
  if (retiresOn) return { tone: "wait", word: "deprecated" };
  if (served === 0) return calls ? { tone: "wait", word: "only translated" } : { tone: "unknown", word: "not in use" };
  return /alpha|beta/.test(version)
    ? { tone: "plain", word: version.includes("alpha") ? "alpha" : "beta" }
    : { tone: "ok", word: "current" };
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
    title: `Retirement of ${version}`,
    path: `/services/${of.name}/versions/${version}/retirement`,
    method: "PUT",
    seen: known.rev,
    start: { retires_on: known.retires_on ?? "", note: known.note },
    refresh: [["services"]],
    fields: [
      {
        name: "retires_on",
        label: "Retirement date",
        kind: "day",
        description: "Empty: cancel the retirement.",
      },
      { name: "note", label: "Note for users", kind: "area" },
    ],
    body: (draft) => ({ retires_on: draft["retires_on"] || null, note: draft["note"] ?? "" }),
    tell: () => (
      <ul className="plain-list">
        <li>
          {served.length
            ? `${served.length} ${served.length === 1 ? "deployment serves" : "deployments serve"} it now: ${served.join(", ")}.`
            : "No deployment serves it now."}
        </li>
        <li>{importers.length ? `Imported by ${importers.join(", ")}.` : "No importers."}</li>
        <li>The date is shown with the version. Nothing is switched off.</li>
      </ul>
    ),
  };
}

/** Each version with who runs, imports and calls it, and its last day: what is to know before it is taken away. */
export function Lifecycle({ of, versions }: { of: ServicePage; versions: readonly string[] }) {
  const usage = useUsage(of.name).data;
  const refusal = wideRefusal(useAccount(), "registry.write", of.name, "This requires permission to change services.");
  const [editing, edit] = useState<string | null>(null);
  const [today] = useState(() => dateText(serverNow(), "utc"));
  const retirement = (version: string): Retirement => of.retirements[version] ?? NO_DAY;
  return (
    <Card title="Versions, oldest first" aside={usage ? `calls of ${usage.days} days` : null}>
      <Scroll label="Versions">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                Deployments
              </th>
              <th scope="col">Imported by</th>
              <th scope="col" className="num">
                Calls
              </th>
              <th scope="col">Last call</th>
              <th scope="col">Retires</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => {
              const served = of.deployments.filter((each) => each.current_version === version).length;
              const used = usage?.versions.find((each) => each.version === version);
              const { retires_on: day, note, set_by: by } = retirement(version);
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
                    {importersOf(of, version).length ? null : <span className="muted">none</span>}
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
                      of={{ action: "retire", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
                      small
                      onAct={() => edit(version)}
                    >
                      {day ? "Change…" : "Retire…"}
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
