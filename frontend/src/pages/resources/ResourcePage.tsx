import { Checkbox, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Copy } from "../../parts/Copy";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { BagEntry, ResourceInAll, VersionView } from "../../wire/resources";
import { logAddress } from "../logs/fields";
import { bagWord, howWord, notes, opWord, visibleSteps } from "./steps";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** One version's document, field by field; what the conversion did to a field stands beneath it. */
function View({ of, old }: { of: VersionView; old: boolean }) {
  const noted = notes(of.steps);
  return (
    <section className="card version-view" aria-label={t`In ${of.version}`}>
      <div className="row between wrap card-head">
        <span className="row tight">
          <Version of={of.version} as={old ? "old" : "new"} />
          <Status of={howWord(of.how)} />
        </span>
        {of.document ? (
          <Copy value={JSON.stringify(of.document, null, 2)} what={t`the document in ${of.version}`} />
        ) : null}
      </div>
      {of.name ? (
        <p className="mono small break name">
          {of.type} {of.name}
        </p>
      ) : null}
      {of.document === null || of.document === undefined ? (
        <Empty title={t`Not visible in ${of.version}.`}>{worded(of.reason, of.reason_phrases)}</Empty>
      ) : (
        <dl className="fields">
          {Object.entries(of.document).map(([key, value]) => (
            <div key={key} className={noted.has(key) ? "changed" : ""}>
              <dt className="mono">
                {key}
                {noted.has(key) ? <span className="note"> {noted.get(key)}</span> : null}
              </dt>
              <dd className="mono break">{valueText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Bag({ bags, version }: { bags: BagEntry[]; version: string }) {
  return (
    <Card
      title={t`Complement (hidden values) of ${version}: ${bags.length === 0 ? t`empty` : bags.length}`}
      aside={t`Values without a field in this version. Clients never see them.`}
    >
      {bags.length === 0 ? (
        <Empty title={t`No hidden values: every value has a field in ${version}.`} />
      ) : (
        <DataTable
          label={t`Hidden values`}
          rows={bags}
          rowKey={(each) => `${each.path} ${each.key}`}
          columns={[
            { header: t`Field`, isRowHeader: true, className: "mono break", cell: (each) => each.field },
            { header: t`In`, className: "mono small", cell: (each) => each.path || t`the resource` },
            {
              header: t`Stored value`,
              className: "mono small break",
              cell: (each) => each.value || <span className="muted">{t`absent`}</span>,
            },
            { header: t`Reason`, cell: (each) => worded(each.sentence, each.phrases) },
          ]}
        />
      )}
    </Card>
  );
}

/** What was done to each value on the way from the stored version to another one. */
function Steps({ of }: { of: ResourceInAll }) {
  const { filters, set } = useFilters(["to", "all"]);
  const others = of.views.filter((view) => view.version !== of.stored_version && view.steps.length > 0);
  const chosen = others.find((view) => view.version === filters.to) ?? others.at(-1);
  if (!chosen)
    return (
      <Card title={t`Conversion steps`}>
        <Empty title={t`No other version of this resource.`} />
      </Card>
    );
  const steps = filters.all ? chosen.steps : visibleSteps(chosen.steps);
  return (
    <Card
      title={<>{rich`From ${of.stored_version} to ${chosen.version}, step by step`}</>}
      aside={
        <>
          <Checkbox
            size="xs"
            label={t`Include unchanged fields`}
            checked={filters.all === "yes"}
            onChange={(event) => set("all", event.currentTarget.checked ? "yes" : "")}
          />
          {others.length > 1 ? (
            <SegmentedControl
              size="xs"
              aria-label={t`To version`}
              value={chosen.version}
              onChange={(value) => set("to", value)}
              data={others.map((view) => view.version)}
            />
          ) : null}
        </>
      }
    >
      {steps.length === 0 ? (
        <Empty title={t`No field changes.`} />
      ) : (
        <DataTable
          label={t`Steps`}
          rows={steps}
          rowKey={(step, at) => `${step.op} ${step.source} ${step.target} ${at}`}
          columns={[
            { header: t`Operation`, isRowHeader: true, cell: (step) => opWord(step.op) },
            { header: t`From`, className: "mono small break", cell: (step) => step.source || "–" },
            { header: t`To`, className: "mono small break", cell: (step) => step.target || "–" },
            {
              header: t`Before`,
              className: "mono small break",
              cell: (step) => step.before || <span className="muted">{t`absent`}</span>,
            },
            {
              header: t`After`,
              className: "mono small break",
              cell: (step) => step.after || <span className="muted">{t`absent`}</span>,
            },
            {
              header: t`Hidden value`,
              className: "small",
              cell: (step) => bagWord(step.bag),
            },
          ]}
        />
      )}
    </Card>
  );
}

interface Metadata {
  createTime?: string;
  updateTime?: string;
  uuid?: string;
  lifecycle?: { state?: string; blockDeletion?: boolean };
  services?: { owningService?: string };
}

function lifecycleOf({ lifecycle }: Metadata) {
  const state = lifecycle?.state === "DELETING" ? t`Being deleted` : t`Active`;
  return lifecycle?.blockDeletion ? t`${state}; deletion is blocked` : state;
}

function Body({ of }: { of: ResourceInAll }) {
  const at = of.views.findIndex((view) => view.version === of.stored_version);
  const metadata = of.metadata as Metadata;
  const permissions = useAccount()?.permissions ?? [];
  return (
    <>
      <section className="card">
        <p className="sentence">
          {rich`${of.service} @ ${of.region} stores it in ${of.stored_version}, at revision ${of.revision}.`}
        </p>
        <dl className="facts small">
          <dt>{t`Created`}</dt>
          <dd>
            <Time at={metadata.createTime} />
          </dd>
          <dt>{t`Changed`}</dt>
          <dd>
            <Time at={metadata.updateTime} />
          </dd>
          <dt>{t`Identity`}</dt>
          <dd className="mono">{metadata.uuid}</dd>
          <dt>{t`Lifecycle`}</dt>
          <dd>{lifecycleOf(metadata)}</dd>
          <dt>{t`Owning service`}</dt>
          <dd className="mono">{metadata.services?.owningService}</dd>
        </dl>
        <p className="row wrap small">
          <Link to={`/refs?name=${encodeURIComponent(of.id)}`}>{t`References`}</Link>
          <Link to={`/refs/deletion?name=${encodeURIComponent(of.id)}`}>{t`Deletion check`}</Link>
          <Link to={logAddress("changes", of.service, of.region, { uid: metadata.uuid ?? "" })}>{t`Changes`}</Link>
          {permissions.includes("activity.read") ? (
            <Link to={logAddress("activity", of.service, of.region, { name: of.name })}>{t`Activity`}</Link>
          ) : null}
          {permissions.includes("activity.observe") ? (
            <Link
              to={logAddress("conversions", of.service, of.region, { resource: of.name })}
            >{t`Record conversions`}</Link>
          ) : null}
          <Link to={`/d/${of.service}/${of.region}`}>{t`Deployment`}</Link>
        </p>
      </section>
      <div className="side-by-side">
        {of.views.map((view, index) => (
          <View key={view.version} of={view} old={index < at || (index === at && at < of.views.length - 1)} />
        ))}
      </div>
      <Bag bags={of.bags} version={of.stored_version} />
      <Steps of={of} />
      <Card
        title={t`Stored form`}
        aside={<Copy value={JSON.stringify(of.stored, null, 2)} what={t`the stored document`} />}
      >
        <pre className="json" tabIndex={0} role="region" aria-label={t`Stored document`}>
          {JSON.stringify(of.stored, null, 2)}
        </pre>
        <p className="small muted">
          <Shape tone="plain" size={13} />{" "}
          {rich`${(<code>$sy</code>)} holds the hidden values. Write-only fields are omitted.`}
        </p>
      </Card>
    </>
  );
}

export function ResourcePage() {
  const { filters } = useFilters(["service", "region", "name", "version"]);
  const { service, region, name, version } = filters;
  const result = useQuery({
    queryKey: ["resource", service, region, name, version],
    queryFn: ({ signal }) =>
      read("/deployments/{service}/{region}/resource", { path: { service, region }, query: { name, version }, signal }),
    enabled: service !== "" && region !== "" && name !== "",
  });
  const query = {
    service,
    region,
    ...(version ? { version } : {}),
    ...(result.data ? { type: result.data.type } : {}),
  };
  const list = `/resources?${new URLSearchParams(query).toString()}`;
  return (
    <Page
      title={name.split("/").at(-1) ?? name}
      heading={<span className="mono">{name}</span>}
      under={[{ title: t`Resources`, to: service ? list : "/resources" }]}
    >
      {service && region && name ? (
        <Loaded of={result} lines={8}>
          {(data) => <Body of={data} />}
        </Loaded>
      ) : (
        <Card>
          <Empty title={t`No resource is named in this address.`}>
            <Link to="/resources">{t`Choose a resource`}</Link>
          </Empty>
        </Card>
      )}
    </Page>
  );
}
