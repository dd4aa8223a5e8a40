import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { read } from "../../api/client";
import { unchecked } from "../../api/operations";
import { useFilters } from "../../parts/search";
import { Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { ResourceChange } from "../../wire/logs";
import { FieldTable } from "./FieldTable";
import { imageChanges, logAddress } from "./fields";
import { LogEntries, type LogForm } from "./LogEntries";
import { LogPage } from "./LogPage";
import { rich, t } from "../../words/text";

export const changeWords: Record<ResourceChange["operation"], string> = {
  create: t`create`,
  update: t`update`,
  delete: t`delete`,
};

const FORM: LogForm<ResourceChange> = {
  key: "changes",
  readPage: (path, { operation = "", ...filters }, page) =>
    read("/deployments/{service}/{region}/resource-changes", {
      path,
      query: { ...filters, operation: unchecked(operation), cursor: page.cursor },
      signal: page.signal,
    }),
  label: t`Resource changes`,
  noMatch: t`No change matches.`,
  none: t`No changes yet.`,
  filters: {
    name: t`Resource name`,
    uid: t`Identity (uid)`,
    type: t`Resource type`,
    caller: t`Who`,
    version: t`Stored version`,
  },
  choice: {
    name: "operation",
    label: t`Operation`,
    placeholder: t`Any operation`,
    options: Object.entries(changeWords).map(([value, label]) => ({ value, label })),
  },
};

function Details({ of, service, region }: { of: ResourceChange; service: string; region: string }) {
  return (
    <div className="stack">
      <p className="row wrap small">
        <Link to={logAddress("changes", service, region, { uid: of.uid })}>{t`All changes of this resource`}</Link>
        {of.request_id ? (
          <>
            <Link to={logAddress("changes", service, region, { request_id: of.request_id })}>
              {t`All changes of this request`}
            </Link>
            <Link to={logAddress("activity", service, region, { request_id: of.request_id })}>{t`The request`}</Link>
          </>
        ) : null}
      </p>
      {of.before === null && of.after === null ? (
        <p className="muted small">{t`Unknown: this change is older than the log.`}</p>
      ) : (
        <FieldTable of={imageChanges(of.before, of.after)} />
      )}
    </div>
  );
}

const keyOf = (change: ResourceChange): string => `${change.id} ${change.at}`;

function Rows({ of, service, region }: { of: ResourceChange[]; service: string; region: string }) {
  const [open, setOpen] = useState("");
  return (
    <DataTable
      label={FORM.label}
      rows={of}
      rowKey={(change) => keyOf(change)}
      columns={[
        { header: t`Time`, className: "top", cell: (change) => <Time at={change.at} /> },
        { header: t`Who`, cell: (change) => change.caller || <span className="muted">{t`unknown`}</span> },
        { header: t`Operation`, cell: (change) => changeWords[change.operation] },
        {
          header: t`Resource`,
          isRowHeader: true,
          className: "break",
          cell: (change) => (
            <>
              {change.type} {change.name}
              {change.changed.length ? <div className="muted small">{change.changed.join(", ")}</div> : null}
            </>
          ),
        },
        { header: t`Stored in`, cell: (change) => <Version of={change.version} /> },
        { header: t`Revision`, align: "end", cell: (change) => change.revision },
        {
          header: t`Details`,
          isHeaderUnseen: true,
          className: "top",
          cell: (change) => (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-expanded={open === keyOf(change)}
              aria-label={t`${open === keyOf(change) ? t`Close details` : t`Details`} of revision ${change.revision} of ${change.name}`}
              onClick={() => setOpen(open === keyOf(change) ? "" : keyOf(change))}
            >
              {open === keyOf(change) ? t`Close` : t`Details`}
            </Button>
          ),
        },
      ]}
      detail={(change) => (open === keyOf(change) ? <Details of={change} service={service} region={region} /> : null)}
    />
  );
}

export function ResourceChangesPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="changes" service={filters.service} region={filters.region}>
      <LogEntries
        form={FORM}
        service={filters.service}
        region={filters.region}
        rows={(changes) => <Rows of={changes} service={filters.service} region={filters.region} />}
      />
      <p className="small muted">
        {rich`Documents are shown as the version stored them, without hidden values. Sensitive and write-only
        fields are not kept: ${(<code>[redacted]</code>)} stands in their place.`}
      </p>
    </LogPage>
  );
}
