import { Button } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { read } from "../api/client";
import { useFleet } from "../api/queries";
import { items, More, usePages } from "../parts/tables/More";
import { Card, Page } from "../parts/Page";
import { Empty, Loaded } from "../parts/states";
import { Version } from "../parts/Status";
import { byAge } from "../parts/versions";
import { useIsCompact } from "../parts/tables/choices";
import { DataTable } from "../parts/tables/DataTable";
import { TableChoices } from "../parts/tables/TableChoices";
import { Age } from "../time/Time";
import type { Cell, ServicePage, ServiceRow } from "../wire/model";
import type { components } from "../wire/schema";
import { Lifecycle } from "./versions/Lifecycle";
import { VersionMatrix } from "./versions/Matrix";
import { Timeline } from "./versions/Timeline";
import { TypesByVersion } from "./versions/TypesByVersion";
import { plural, rich, t } from "../words/text";

type FleetCallers = components["schemas"]["FleetCallers"];

/** How many deployments run each version of a service. */
export function perVersion(
  service: string,
  versions: readonly string[],
  cells: readonly Cell[],
): { version: string; count: number }[] {
  return [...versions].sort(byAge).map((version) => ({
    version,
    count: cells.filter((cell) => cell.service === service && cell.current_version === version).length,
  }));
}

/** Since when a version is served, as far as that was noted. */
function Served({ since }: { since: string | null | undefined }) {
  if (since === undefined) return t`never served`;
  return since === null ? t`first served at an unknown time` : rich`first served ${(<Age at={since} />)}`;
}

/** The clients of versions before the newest, region by region. */
function Callers({ of, service }: { of: UseQueryResult<FleetCallers>; service: string }) {
  if (of.data === undefined) return <span className="muted">{of.isError ? t`unknown` : "–"}</span>;
  const regions = Object.entries(of.data.callers[service] ?? {});
  if (regions.length === 0) return <span className="muted">{t`none seen`}</span>;
  return (
    <Link to={`/versions/${service}/usage`}>
      {regions.map(([region, count]) => (
        <div key={region} className="nowrap">{t`${count} in ${region}`}</div>
      ))}
    </Link>
  );
}

function Services({ services }: { services: ServiceRow[] }) {
  const isCompact = useIsCompact();
  const cells = useFleet().data?.cells ?? [];
  const callers = useQuery({
    queryKey: ["fleet-callers"],
    queryFn: ({ signal }) => read("/fleet/callers", { signal }),
    staleTime: 60_000,
  });
  const ages = useQuery({
    queryKey: ["fleet-versions"],
    queryFn: ({ signal }) => read("/fleet/versions", { signal }),
    staleTime: 60_000,
  });
  return (
    <DataTable
      label={t`Services`}
      boxClass={isCompact ? "compact" : ""}
      hasRowLinks
      rows={services}
      rowKey={(service) => service.name}
      columns={[
        {
          header: t`Service`,
          isRowHeader: true,
          cell: (service) => (
            <>
              <Link data-row to={`/versions/${service.name}`}>
                {service.name}
              </Link>
              <div className="small muted">{service.display_name}</div>
            </>
          ),
        },
        {
          header: t`Versions, oldest first, with their deployments`,
          cell: (service) =>
            perVersion(service.name, service.versions, cells).map((each) => (
              <div key={each.version} className="row tight nowrap version-row">
                <Version of={each.version} />
                <span className="small muted">
                  {plural(each.count, "# deployment", "# deployments")}
                  {ages.data ? (
                    <>
                      {" · "}
                      <Served since={ages.data.since[service.name]?.[each.version]} />
                    </>
                  ) : null}
                </span>
              </div>
            )),
        },
        {
          header: t`Callers of old versions`,
          headerContent: (
            <>
              {t`Callers of old versions`}
              {callers.data ? <div className="small muted">{t`last ${callers.data.days} days`}</div> : null}
            </>
          ),
          className: "small",
          cell: (service) => <Callers of={callers} service={service.name} />,
        },
        {
          header: t`Imports`,
          cell: (service) =>
            [...new Set(service.imports.map((each) => each.service))].join(", ") || (
              <span className="muted">{t`none`}</span>
            ),
        },
        {
          header: t`Regions`,
          cell: (service) => (
            <span className="regions">
              {service.regions.map((region) => (
                <span key={region} className="nowrap">
                  {region}
                </span>
              ))}
            </span>
          ),
        },
      ]}
    />
  );
}

export function VersionsPage() {
  const services = usePages(["services"], ({ cursor, signal }) => read("/services", { query: { cursor }, signal }));
  return (
    <Page title={t`Versions`} actions={<TableChoices />}>
      <Loaded of={services}>
        {(data) => {
          const all = items(data);
          if (all.length === 0)
            return (
              <Card>
                <Empty title={t`No services are registered.`} command="swy service apply examples/secrets">
                  {t`A service defines resource types, versions and the conversions between them.`}
                </Empty>
              </Card>
            );
          return (
            <Card className="flush">
              <Services services={all} />
              <More of={services} />
            </Card>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Body({ of }: { of: ServicePage }) {
  const versions = [...of.versions].sort(byAge);
  return (
    <>
      <Timeline of={of} versions={versions} />
      <Lifecycle of={of} versions={versions} />
      <TypesByVersion of={of} versions={versions} />
      <VersionMatrix service={of.name} versions={versions} importedBy={of.imported_by} />
      <div className="halves">
        <Card title={t`Deployments`}>
          {of.deployments.length ? (
            <ul className="plain-list">
              {of.deployments.map((each) => (
                <li key={each.region} className="row between">
                  <Link to={`/d/${of.name}/${each.region}`}>{each.region}</Link>
                  <Version of={each.current_version} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={t`No deployment runs it yet.`} />
          )}
        </Card>
        <Card title={t`Importers and imports`}>
          <dl className="facts">
            <dt>{t`Imported by`}</dt>
            <dd>{of.importers.join(", ") || t`none`}</dd>
            <dt>{t`Uses`}</dt>
            <dd>{of.uses.join(", ") || t`nothing`}</dd>
            {of.imports.map((each) => [
              <dt key={`${each.for_version} ${each.service}`}>{rich`${each.for_version} imports`}</dt>,
              <dd key={`${each.for_version} ${each.service} in`}>
                {each.service} <Version of={each.version} />
              </dd>,
            ])}
            {of.fingerprint ? (
              <>
                <dt>{t`Definition`}</dt>
                <dd className="mono">{of.fingerprint.slice(0, 16)}</dd>
              </>
            ) : null}
          </dl>
        </Card>
      </div>
    </>
  );
}

export function ServicePageView() {
  const { service = "" } = useParams();
  const result = useQuery({
    queryKey: ["services", service],
    queryFn: ({ signal }) => read("/services/{name}", { path: { name: service }, signal }),
  });
  return (
    <Page
      title={service}
      under={[{ title: t`Versions`, to: "/versions" }]}
      actions={
        <>
          <Button component={Link} to={`/versions/${service}/usage`}>
            {t`Who still uses what`}
          </Button>
          <Button component={Link} to={`/versions/${service}/changes`}>
            {t`Definition changes`}
          </Button>
        </>
      }
    >
      <Loaded of={result} lines={6}>
        {(data) => <Body of={data} />}
      </Loaded>
    </Page>
  );
}
