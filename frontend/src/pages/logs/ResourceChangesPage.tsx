import { Button } from "@mantine/core";
import { Fragment, useState } from "react";
import { Link } from "react-router";
import { useFilters } from "../../parts/search";
import { Version } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { ResourceChange } from "../../wire/logs";
import { FieldTable } from "./FieldTable";
import { imageChanges, logAddress } from "./fields";
import { LogEntries, type LogForm } from "./LogEntries";
import { LogPage } from "./LogPage";
import { rich, t } from "../../words/text";

const FORM: LogForm = {
  key: "changes",
  path: "resource-changes",
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
    options: ["create", "update", "delete"].map((value) => ({ value, label: value })),
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

function Rows({ of, service, region }: { of: ResourceChange[]; service: string; region: string }) {
  const [open, setOpen] = useState("");
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t`Time`}</th>
          <th scope="col">{t`Who`}</th>
          <th scope="col">{t`Operation`}</th>
          <th scope="col">{t`Resource`}</th>
          <th scope="col">{t`Stored in`}</th>
          <th scope="col" className="num">
            {t`Revision`}
          </th>
          <th scope="col">
            <span className="unseen">{t`Details`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map((change) => {
          const key = `${change.id} ${change.at}`;
          return (
            <Fragment key={key}>
              <tr>
                <td className="top">
                  <Time at={change.at} />
                </td>
                <td>{change.caller || <span className="muted">{t`unknown`}</span>}</td>
                <td>{change.operation}</td>
                <th scope="row" className="break">
                  {change.type} {change.name}
                  {change.changed.length ? <div className="muted small">{change.changed.join(", ")}</div> : null}
                </th>
                <td>
                  <Version of={change.version} />
                </td>
                <td className="num">{change.revision}</td>
                <td className="top">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-expanded={open === key}
                    aria-label={t`${open === key ? t`Close details` : t`Details`} of revision ${change.revision} of ${change.name}`}
                    onClick={() => setOpen(open === key ? "" : key)}
                  >
                    {open === key ? t`Close` : t`Details`}
                  </Button>
                </td>
              </tr>
              {open === key ? (
                <tr>
                  <td colSpan={7}>
                    <Details of={change} service={service} region={region} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

export function ResourceChangesPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="changes" service={filters.service} region={filters.region}>
      <LogEntries<ResourceChange>
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
