import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { Card } from "../../parts/Page";
import { ProblemPanel } from "../../parts/states";
import { countText } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import type { Upgrade } from "../../wire/model";
import type { components } from "../../wire/schema";
import { exportWord } from "../deployment/KeptTypes";
import { findingWaiverForm, WaiverControl } from "../versions/Waivers";
import { worded } from "../../words/server";
import { t } from "../../words/text";

export type Removal = components["schemas"]["Removal"];

const STARTS_WITH_LETTER = /^./;

/** What becomes of stored data and of callers once the new version serves. */
function consequence({ rule, kept }: Removal, { from_version: old, to_version: next }: Upgrade): string {
  switch (rule) {
    case "resource-removed":
      return kept ? t`Kept; ${old} continues to serve it until ${old} retires.` : t`Kept as stored.`;
    case "method-removed":
      return t`${next} answers such calls with an error.`;
    case "symbol-removed":
      return t`Stored values pass unchanged.`;
    case "pattern-removed":
      return t`Resources with such names cannot be copied; each is quarantined.`;
  }
}

function storedText({ rule, stored, is_estimate }: Removal): string {
  if (rule === "method-removed") return "–";
  if (stored === null) return t`unknown`;
  return is_estimate ? t`about ${countText(stored)}` : countText(stored);
}

/** Calls are counted by method and by type, not by symbol or name. */
function callersText({ rule, callers }: Removal): string {
  if (rule === "symbol-removed" || rule === "pattern-removed") return t`not counted`;
  return callers.length ? callers.join(", ") : t`none seen`;
}

function Consequence({ of, upgrade }: { of: Removal; upgrade: Upgrade }) {
  return (
    <>
      {consequence(of, upgrade)}
      {of.kept ? (
        <div className="small">
          <div className="muted">{exportWord(of.kept)}</div>
          <Link to={`/d/${upgrade.service}/${upgrade.region}`}>{t`Kept types`}</Link>
        </div>
      ) : null}
    </>
  );
}

function Acceptance({ of, upgrade }: { of: Removal; upgrade: Upgrade }) {
  const { service, from_version: before, to_version: after } = upgrade;
  return (
    <WaiverControl
      service={service}
      waiver={of.waiver}
      form={findingWaiverForm(
        service,
        worded(of.sentence, of.phrases),
        { before, after, rule: of.rule, path: of.path },
        t`It counts after another person approves it. The switch waits for that.`,
      )}
    />
  );
}

/** Types, methods, symbols and name patterns that the new version does not have, each accepted by two persons. */
export function Removals({ upgrade }: { upgrade: Upgrade }) {
  // The server judges acceptance with the other checks, so a new verdict means new rows.
  const verdict = upgrade.readiness.checks.find((each) => each.check === "removals")?.sentence ?? "";
  const removals = useQuery({
    queryKey: ["removals", upgrade.id, verdict],
    queryFn: ({ signal }) => read("/upgrades/{id}/removals", { path: { id: upgrade.id }, signal }),
    enabled: upgrade.kind === "version" && upgrade.finished_at === null,
    placeholderData: (before) => before,
    // Another person accepts elsewhere.
    refetchInterval: (query) => (query.state.data?.items.every((each) => each.accepted) === false ? 30_000 : false),
  });
  if (removals.isError) {
    return (
      <Card title={t`Missing in ${upgrade.to_version}`}>
        <ProblemPanel error={removals.error} retry={() => void removals.refetch()} />
      </Card>
    );
  }
  const rows = removals.data?.items ?? [];
  if (rows.length === 0) return null;
  const open = rows.filter((each) => !each.accepted).length;
  return (
    <Card
      title={t`Missing in ${upgrade.to_version}`}
      aside={
        <>
          {open ? t`${open} of ${rows.length} to be accepted before the switch` : t`All accepted`}
          <Link to={`/compat/${upgrade.service}/${upgrade.from_version}..${upgrade.to_version}`}>{t`Report`}</Link>
        </>
      }
    >
      <DataTable
        label={t`Missing in ${upgrade.to_version}`}
        rows={rows}
        rowKey={(row) => `${row.rule} ${row.path} ${row.what}`}
        columns={[
          {
            header: t`Missing`,
            isRowHeader: true,
            className: "break",
            cell: (row) =>
              worded(row.sentence, row.phrases).replace(STARTS_WITH_LETTER, (letter) => letter.toUpperCase()),
          },
          { header: t`Stored resources`, align: "end", cell: storedText },
          { header: t`Called by`, cell: callersText },
          { header: t`Consequence`, cell: (row) => <Consequence of={row} upgrade={upgrade} /> },
          { header: t`Acceptance`, cell: (row) => <Acceptance of={row} upgrade={upgrade} /> },
        ]}
      />
    </Card>
  );
}
