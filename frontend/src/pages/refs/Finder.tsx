import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useFleet } from "../../api/queries";
import { generate } from "../../parts/commands/commands";
import { FilterInput } from "../../parts/tables/FilterInput";
import { Card } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { Version } from "../../parts/Status";
import { byAge } from "../../parts/versions";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { IndexProgress, useIndexBuilds } from "./IndexProgress";
import { UnansweredDeployments } from "./Parts";
import { rich, t } from "../../words/text";

type ResourceMatches = components["schemas"]["ResourceMatches"];

function Rows({ of, to }: { of: ResourceMatches; to: (resource: ResourceMatches["items"][number]) => string }) {
  return (
    <DataTable
      label={t`Matching resources`}
      hasRowLinks
      rows={of.items}
      rowKey={(each) => each.id}
      columns={[
        {
          header: t`Resource`,
          isRowHeader: true,
          className: "break",
          cell: (each) => (
            <Link data-row to={to(each)}>
              {each.name}
            </Link>
          ),
        },
        { header: t`Kind`, cell: (each) => each.type },
        {
          header: t`Deployment`,
          cell: (each) => (
            <>
              {each.service} @ {each.region}
            </>
          ),
        },
        { header: t`Version`, className: "top", cell: (each) => <Version of={each.version} /> },
        { header: t`Changed`, className: "top", cell: (each) => <Time at={each.changed_at} /> },
      ]}
    />
  );
}

/** Find where to begin: by name, kind, deployment or version. */
export function Finder({ to }: { to: (resource: ResourceMatches["items"][number]) => string }) {
  const { filters, set, put } = useFilters(["text", "kind", "at", "served"]);
  const { text, kind, at, served } = filters;
  const [service = "", region = ""] = at.split(" ");
  const asked = [text, kind, at, served].some((each) => each !== "");
  const cells = useFleet().data?.cells ?? [];
  const result = useQuery({
    queryKey: ["resource-matches", text, kind, at, served],
    queryFn: ({ signal }) =>
      read("/references/search", { query: { text, type: kind, service, region, version: served }, signal }),
    placeholderData: (before) => before,
  });
  const known = result.data;
  const building = useIndexBuilds();
  const asking = building.filter(
    (each) => each.version === served && (!at || (each.service === service && each.region === region)),
  );
  const versions = [...new Set([...(known?.versions ?? []), ...building.map((each) => each.version)])].sort(byAge);
  const choose = (value: string, of: readonly string[]): string[] => [...new Set([...of, ...(value ? [value] : [])])];
  return (
    <>
      <section className="card row wrap filters" aria-label={t`Find a resource`}>
        <FilterInput first label={t`Name, or its last part`} value={text} onCommit={(value) => set("text", value)} />
        <Select
          size="xs"
          w={180}
          aria-label={t`Kind`}
          placeholder={t`any kind`}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t`Any kind` }}
          data={choose(kind, known?.types ?? [])}
          value={kind || null}
          onChange={(value) => set("kind", value ?? "")}
        />
        <Select
          size="xs"
          w={300}
          aria-label={t`Deployment`}
          placeholder={t`any deployment`}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t`Any deployment` }}
          data={cells
            .filter((cell) => cell.current_version)
            .map((cell) => ({ value: `${cell.service} ${cell.region}`, label: `${cell.service} @ ${cell.region}` }))}
          value={at || null}
          onChange={(value) => set("at", value ?? "")}
        />
        <Select
          size="xs"
          w={140}
          aria-label={t`Stored version`}
          placeholder={t`any version`}
          clearable
          clearButtonProps={{ "aria-label": t`Any version` }}
          data={choose(served, versions)}
          value={served || null}
          onChange={(value) => set("served", value ?? "")}
        />
      </section>
      <Loaded of={result} lines={4}>
        {(data) => (
          <>
            <UnansweredDeployments unknown={data.unknown} />
            <IndexProgress of={asking} />
            <Card className={data.items.length ? "flush" : ""}>
              {data.items.length ? (
                <Rows of={data} to={to} />
              ) : asked ? (
                <Empty title={t`No resource matches.`}>
                  <Button
                    size="xs"
                    onClick={() =>
                      put([
                        ["text", ""],
                        ["kind", ""],
                        ["at", ""],
                        ["served", ""],
                      ])
                    }
                  >
                    {t`Clear the filters`}
                  </Button>
                </Empty>
              ) : (
                <Empty title={t`No resources yet.`} command={generate(cells[0]?.service, cells[0]?.region)}>
                  {t`Create resources to see their references.`}
                </Empty>
              )}
              {data.more ? (
                <p className="small muted more">{rich`The first ${data.items.length}. Narrow the filter to see others.`}</p>
              ) : null}
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}
