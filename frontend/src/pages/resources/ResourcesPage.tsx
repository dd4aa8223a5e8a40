import { Button, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useFleet } from "../../api/queries";
import { generate } from "../../parts/commands/commands";
import { FilterInput } from "../../parts/tables/FilterInput";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { Fleet } from "../../wire/model";
import type { ResourceLine, ResourceList } from "../../wire/resources";
import { Finder } from "../refs/Finder";
import { addressOf } from "./address";
import { summaryOf, howWord } from "./steps";
import { rich, t } from "../../words/text";

const NAMES = ["service", "region", "version", "type", "filter"] as const;

function useResources(filters: Record<(typeof NAMES)[number], string>) {
  const { service, region, version, type, filter } = filters;
  return useInfiniteQuery({
    queryKey: ["resources", service, region, version, type, filter],
    queryFn: ({ pageParam, signal }) =>
      read("/deployments/{service}/{region}/resources", {
        path: { service, region },
        query: { version, type, filter, page_token: pageParam },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    enabled: service !== "" && region !== "",
    retry: false,
  });
}

function Rows({ list, lines }: { list: ResourceList; lines: ResourceLine[] }) {
  return (
    <DataTable
      label={t`Resources`}
      hasRowLinks
      rows={lines}
      rowKey={(line) => line.name}
      columns={[
        {
          header: t`Name`,
          isRowHeader: true,
          className: "break",
          cell: (line) => (
            <Link data-row to={addressOf(list.service, list.region, line.name, list.version)}>
              {line.name}
            </Link>
          ),
        },
        {
          header: t`Content`,
          className: "small break",
          cell: (line) => <span translate="no">{summaryOf(line.fields)}</span>,
        },
        { header: t`Revision`, align: "end", cell: (line) => line.revision },
        { header: t`Changed`, className: "top", cell: (line) => <Time at={line.updated_at} /> },
      ]}
    />
  );
}

function List({
  filters,
  clear,
  set,
}: {
  filters: Record<(typeof NAMES)[number], string>;
  clear: () => void;
  set: (name: "version" | "type" | "filter", value: string) => void;
}) {
  const result = useResources(filters);
  return (
    <Loaded of={result} lines={6}>
      {(data) => {
        const list = data.pages[0];
        if (!list) return null;
        const lines = data.pages.flatMap((page) => page.items);
        return (
          <>
            <section className="card row wrap filters" aria-label={t`Filters`}>
              <Select
                size="xs"
                w={170}
                aria-label={t`Resource type`}
                data={list.types}
                value={list.type}
                onChange={(value) => set("type", value ?? "")}
                allowDeselect={false}
              />
              <Select
                size="xs"
                w={150}
                aria-label={t`Version`}
                data={list.versions.map((value) => ({
                  value,
                  label: value === list.active_version ? t`${value} (served)` : value,
                }))}
                value={list.version}
                onChange={(value) => set("version", value ?? "")}
                allowDeselect={false}
              />
              <Status of={howWord(list.how)} />
              <span className="grow" />
              <FilterInput
                first
                label={t`Filter, such as title = "Camera"`}
                value={filters.filter}
                isWhole={() => false}
                onCommit={(value) => set("filter", value)}
              />
            </section>
            {list.hidden ? (
              <div className="notice soft-wait" role="status">
                <Shape tone="wait" />{" "}
                {rich`${list.hidden} of the checked resources have no name in ${list.version} and are not
                  shown.`}
              </div>
            ) : null}
            <Card className={lines.length ? "flush" : ""}>
              {lines.length ? (
                <Rows list={list} lines={lines} />
              ) : filters.filter ? (
                <Empty title={t`No resource matches.`}>
                  <Button onClick={() => set("filter", "")}>{t`Clear the filter`}</Button>
                </Empty>
              ) : (
                <Empty title={t`No ${list.type} resources.`} command={generate(list.service, list.region)}>
                  {t`Choose another type, or create resources.`}
                </Empty>
              )}
              {result.hasNextPage ? (
                <div className="more">
                  <Button onClick={() => void result.fetchNextPage()} loading={result.isFetchingNextPage}>
                    {t`Show more`}
                  </Button>
                </div>
              ) : null}
            </Card>
            <p className="small muted">
              {rich`Read from the served API of ${list.version}.`}{" "}
              <Button size="compact-xs" variant="subtle" onClick={clear}>
                {t`Change deployment`}
              </Button>
            </p>
          </>
        );
      }}
    </Loaded>
  );
}

function Chooser({ fleet, onChoose }: { fleet: Fleet; onChoose: (service: string, region: string) => void }) {
  const served = fleet.cells.filter((cell) => cell.current_version && !cell.disabled);
  if (served.length === 0)
    return (
      <Card>
        <Empty title={t`No deployment serves resources yet.`} command="swy service apply examples/secrets" />
      </Card>
    );
  return (
    <Card title={t`Choose a deployment`}>
      <Select
        maw={460}
        searchable
        aria-label={t`Deployment`}
        placeholder={t`Deployment`}
        data={served.map((cell) => ({
          value: `${cell.service} ${cell.region}`,
          label: `${cell.service} @ ${cell.region} (${cell.current_version})`,
        }))}
        value={null}
        onChange={(value) => {
          const [service = "", region = ""] = (value ?? "").split(" ");
          if (service) onChoose(service, region);
        }}
        nothingFoundMessage={t`No deployment has that name.`}
      />
      <p className="muted">
        {t`Then choose a type and a resource. The page shows it in each version of the API, with its hidden
        values and every conversion step between the versions.`}
      </p>
    </Card>
  );
}

export function ResourcesPage() {
  const { filters, set, clear, put } = useFilters(NAMES);
  const fleet = useFleet();
  const chosen = filters.service !== "" && filters.region !== "";
  return (
    <Page
      title={t`Resources`}
      heading={chosen ? <>{rich`Resources of ${filters.service} @ ${filters.region}`}</> : t`Resources`}
    >
      {chosen ? (
        <List
          filters={filters}
          clear={clear}
          set={(name, value) =>
            name === "type" || name === "version"
              ? put([
                  [name, value],
                  ["filter", ""],
                ])
              : set(name, value)
          }
        />
      ) : (
        <Loaded of={fleet}>
          {(data) => (
            <>
              <Chooser
                fleet={data}
                onChoose={(service, region) =>
                  put([
                    ["service", service],
                    ["region", region],
                  ])
                }
              />
              <Finder
                to={(resource) => addressOf(resource.service, resource.region, resource.name, resource.version)}
              />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}
