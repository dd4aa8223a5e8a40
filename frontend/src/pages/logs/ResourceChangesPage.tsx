import { Button, Select } from "@mantine/core";
import { Fragment, useState } from "react";
import { Link } from "react-router";
import { FilterInput } from "../../parts/FilterInput";
import { momentOf } from "../../parts/moments";
import { items, More, usePages } from "../../parts/More";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Version } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { ResourceChange } from "../../wire/logs";
import { FieldTable } from "./FieldTable";
import { imageChanges, logAddress } from "./fields";
import { LogPage } from "./LogPage";

const NAMES = ["uid", "name", "operation", "caller", "version", "request_id", "since", "until"] as const;

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

function List({ service, region }: { service: string; region: string }) {
  const { filters, set, clear, any } = useFilters(NAMES);
  const changes = usePages<ResourceChange>("changes", `/deployments/${service}/${region}/resource-changes`, filters);
  return (
    <>
      <div className="row wrap">
        <FilterInput first label="Resource name" value={filters.name} onCommit={(value) => set("name", value)} />
        <FilterInput label="Identity (uid)" value={filters.uid} onCommit={(value) => set("uid", value)} />
        <FilterInput label="Who" value={filters.caller} onCommit={(value) => set("caller", value)} />
        <FilterInput label="Stored version" value={filters.version} onCommit={(value) => set("version", value)} />
        <FilterInput label="Request id" value={filters.request_id} onCommit={(value) => set("request_id", value)} />
        <FilterInput
          label="From, such as 2026-03-01"
          value={filters.since}
          onCommit={(value) => set("since", momentOf(value))}
        />
        <FilterInput label="Before" value={filters.until} onCommit={(value) => set("until", momentOf(value))} />
        <Select
          aria-label="Operation"
          placeholder="Any operation"
          clearable
          clearButtonProps={{ "aria-label": "Clear operation" }}
          data={["create", "update", "delete"]}
          value={filters.operation || null}
          onChange={(value) => set("operation", value ?? "")}
        />
      </div>
      <Loaded of={changes}>
        {(data) => {
          const all = items(data);
          return all.length === 0 ? (
            <Card>
              {any ? (
                <Empty title="No change matches.">
                  <Button onClick={clear}>Clear filters</Button>
                </Empty>
              ) : (
                <Empty title="No changes yet." />
              )}
            </Card>
          ) : (
            <Card className="flush">
              <Scroll label="Resource changes">
                <Rows of={all} service={service} region={region} />
              </Scroll>
              <More of={changes} />
            </Card>
          );
        }}
      </Loaded>
      <p className="small muted">
        Documents are shown as the version stored them, without hidden values. Sensitive and write-only fields are not
        kept: <code>[redacted]</code> stands in their place.
      </p>
    </>
  );
}

export function ResourceChangesPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="changes" service={filters.service} region={filters.region}>
      <List service={filters.service} region={filters.region} />
    </LogPage>
  );
}
