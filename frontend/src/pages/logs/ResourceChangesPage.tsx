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

const FORM: LogForm = {
  key: "changes",
  path: "resource-changes",
  label: "Resource changes",
  noMatch: "No change matches.",
  none: "No changes yet.",
  filters: {
    name: "Resource name",
    uid: "Identity (uid)",
    type: "Resource type",
    caller: "Who",
    version: "Stored version",
  },
  choice: {
    name: "operation",
    label: "Operation",
    placeholder: "Any operation",
    options: ["create", "update", "delete"].map((value) => ({ value, label: value })),
  },
};

function Details({ of, service, region }: { of: ResourceChange; service: string; region: string }) {
  return (
    <div className="stack">
      <p className="row wrap small">
        <Link to={logAddress("changes", service, region, { uid: of.uid })}>All changes of this resource</Link>
        {of.request_id ? (
          <>
            <Link to={logAddress("changes", service, region, { request_id: of.request_id })}>
              All changes of this request
            </Link>
            <Link to={logAddress("activity", service, region, { request_id: of.request_id })}>The request</Link>
          </>
        ) : null}
      </p>
      {of.before === null && of.after === null ? (
        <p className="muted small">Unknown: this change is older than the log.</p>
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
          <th scope="col">Time</th>
          <th scope="col">Who</th>
          <th scope="col">Operation</th>
          <th scope="col">Resource</th>
          <th scope="col">Stored in</th>
          <th scope="col" className="num">
            Revision
          </th>
          <th scope="col">
            <span className="unseen">Details</span>
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
                <td>{change.caller || <span className="muted">unknown</span>}</td>
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
                    aria-label={`${open === key ? "Close details" : "Details"} of revision ${change.revision} of ${change.name}`}
                    onClick={() => setOpen(open === key ? "" : key)}
                  >
                    {open === key ? "Close" : "Details"}
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
        Documents are shown as the version stored them, without hidden values. Sensitive and write-only fields are not
        kept: <code>[redacted]</code> stands in their place.
      </p>
    </LogPage>
  );
}
