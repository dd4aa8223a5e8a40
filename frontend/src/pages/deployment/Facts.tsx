import { Button } from "@mantine/core";
import { Link } from "react-router";
import { findAction } from "../../parts/ActionButton";
import { Copy } from "../../parts/Copy";
import { Shape } from "../../parts/Shape";
import { Empty } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import { countText } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { Deployment } from "../../wire/model";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export function Facts({ of }: { of: Deployment }) {
  return (
    <dl className="facts">
      <dt>{t`Serves`}</dt>
      <dd>
        <Version of={of.current_version} />
      </dd>
      {of.target_version && of.target_version !== of.current_version ? (
        <>
          <dt>{t`Target`}</dt>
          <dd>
            <Version of={of.target_version} as="new" />
          </dd>
        </>
      ) : null}
      <dt>{t`Newest`}</dt>
      <dd>
        <Version of={of.newest_version} {...(of.newest_version === of.current_version ? {} : { as: "new" as const })} />
      </dd>
      {of.db_data_version ? (
        <>
          <dt>{t`Data version`}</dt>
          <dd>{of.db_data_version}</dd>
        </>
      ) : null}
      {of.db_location_tag ? (
        <>
          <dt>{t`Database location`}</dt>
          <dd>{of.db_location_tag}</dd>
        </>
      ) : null}
      {of.shard_count === null ? null : (
        <>
          <dt>{t`Shards`}</dt>
          <dd>{of.shard_count}</dd>
        </>
      )}
      {of.public_domain ? (
        <>
          <dt>{t`Public domain`}</dt>
          <dd className="mono">{of.public_domain}</dd>
        </>
      ) : null}
      <dt>{t`Switch`}</dt>
      <dd>
        {of.automatic ? t`automatic` : t`manual`}
        {of.switch_mode_set ? (
          <div className="small muted">
            {rich`set by ${of.switch_mode_set.who}, ${(<Time at={of.switch_mode_set.at} />)}`}
          </div>
        ) : null}
      </dd>
    </dl>
  );
}

export function Reachable({ of }: { of: Deployment }) {
  const others = of.reachable_versions.filter((each) => each.version !== of.current_version);
  if (others.length === 0) return <Empty title={t`No other version.`} />;
  const plan = findAction(of.actions, "plan");
  return (
    <ul className="plain-list">
      {others.map((each) => (
        <li key={each.version} className="row between">
          <span className="row">
            <Shape tone={each.reachable ? "ok" : "blocked"} />
            <Version of={each.version} />
            {each.reachable ? null : <span className="muted small">{worded(each.reason, each.phrases)}</span>}
          </span>
          {each.reachable && (plan === null || plan.allowed) ? (
            <Button
              size="xs"
              component={Link}
              to={`/upgrades/new?deployment=${encodeURIComponent(of.name)}&target=${encodeURIComponent(each.version)}`}
              aria-label={t`Plan an upgrade to ${each.version}`}
            >
              {t`Plan`}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

export function Imports({ of }: { of: Deployment }) {
  if (of.imported_versions.length === 0) return <Empty title={t`No imports.`} />;
  return (
    <DataTable
      label={t`Imported versions`}
      rows={of.imported_versions}
      rowKey={(each) => `${each.service} ${each.version}`}
      columns={[
        { header: t`Service`, isRowHeader: true, cell: (each) => each.service },
        { header: t`Imported`, cell: (each) => <Version of={each.version} /> },
        { header: t`Served version`, cell: (each) => <Version of={each.current_version} /> },
        {
          header: t`Match`,
          cell: (each) => (
            <Status of={each.mismatch ? { tone: "wait", word: t`differs` } : { tone: "ok", word: t`same` }} />
          ),
        },
      ]}
    />
  );
}

export function Namespaces({ of }: { of: Deployment }) {
  if (of.databases.length === 0) return <Empty title={t`No namespaces yet.`} />;
  return (
    <DataTable
      label={t`Namespaces`}
      rows={of.databases}
      rowKey={(each) => each.namespace}
      columns={[
        {
          header: t`Namespace`,
          isRowHeader: true,
          className: "mono small",
          cell: (each) => (
            <span className="row tight nowrap">
              <span className="clip namespace" title={each.namespace}>
                {each.namespace}
              </span>
              <Copy value={each.namespace} what={t`the namespace`} />
            </span>
          ),
        },
        { header: t`Version`, cell: (each) => <Version of={each.version} /> },
        { header: t`Resources, last copy`, align: "end", cell: (each) => countText(each.resources) },
        {
          header: t`Role`,
          cell: (each) =>
            each.disabled
              ? t`disabled`
              : each.version === of.current_version
                ? t`active`
                : each.version === of.target_version
                  ? t`syncing`
                  : t`kept`,
        },
      ]}
    />
  );
}
