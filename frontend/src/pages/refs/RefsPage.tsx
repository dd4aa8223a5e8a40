import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useNavigate } from "react-router";
import { read } from "../../api/client";
import { unchecked } from "../../api/operations";
import { Page } from "../../parts/Page";
import { choiceOf, useFilters } from "../../parts/search";
import { Loaded } from "../../parts/states";
import { useStore } from "../../state/store";
import { byAge } from "../../parts/versions";
import type { ReferenceKind } from "../../wire/references";
import { IndexProgress, useIndexBuilds } from "./IndexProgress";
import { KINDS, kindWords, lastPart } from "./graph/graph";
import { VIEW_NAMES } from "./ViewSwitch";
import { GroupsView } from "./groups/GroupsView";
import { NameForm, place } from "./Parts";
import { remember, starred, toggleStar } from "./recent";
import { Start } from "./Start";
import { type Asked, listOf, Views } from "./graph/Views";
import { rich, t } from "../../words/text";

/** So many resources are asked for; what is drawn of them is less. */
const MOST = 2500;

function Star({ name }: { name: string }) {
  const kept = useStore(starred).includes(name);
  return (
    <Button aria-pressed={kept} onClick={() => toggleStar(name)}>
      {kept ? t`★ Starred` : t`☆ Star`}
    </Button>
  );
}

interface Choice {
  label: string;
  any: string;
  clear: string;
  width: number;
  data: (string | { value: string; label: string })[];
  value: string;
  onChange: (value: string) => void;
}

function Narrow({ label, any, clear, width, data, value, onChange }: Choice) {
  return (
    <Select
      size="xs"
      w={width}
      aria-label={label}
      placeholder={any}
      clearable
      clearButtonProps={{ "aria-label": clear }}
      data={data}
      value={value || null}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}

function Explorer({ name }: { name: string }) {
  const { filters, set, put } = useFilters([
    "direction",
    "depth",
    "kinds",
    "view",
    "from",
    "to",
    "only",
    "region",
    "version",
    "hide",
  ]);
  const graph = useQuery({
    queryKey: ["references", name, filters.direction, filters.depth],
    queryFn: ({ signal }) =>
      read("/references", {
        query: {
          name,
          direction: unchecked(filters.direction || "both"),
          depth: Number(filters.depth || 1),
          limit: MOST,
        },
        signal,
      }),
  });
  useEffect(() => {
    if (graph.data) remember(graph.data.focus);
  }, [graph.data]);
  const regions = [...new Set((graph.data?.nodes ?? []).map((node) => node.region))].filter(Boolean).sort();
  const places = new Set((graph.data?.nodes ?? []).map((node) => `${node.service}/${node.region}`));
  const building = useIndexBuilds().filter((each) => places.has(`${each.service}/${each.region}`));
  const versions = [...new Set([...(graph.data?.edges ?? []), ...building].map((each) => each.version))]
    .filter(Boolean)
    .sort(byAge);
  const { view, only, region, version, hide } = filters;
  const hidden = listOf(hide);
  const asked = useMemo(
    (): Asked => ({
      view,
      only,
      region,
      version,
      hide: new Set(listOf(hide)),
      kinds: new Set(filters.kinds ? KINDS.filter((each) => filters.kinds.split(",").includes(each)) : KINDS),
    }),
    [view, only, region, version, hide, filters.kinds],
  );
  const toggle = (kind: ReferenceKind): void => {
    const next = KINDS.filter((each) => (each === kind ? !asked.kinds.has(each) : asked.kinds.has(each)));
    set("kinds", next.length === KINDS.length ? "" : next.join(","));
  };
  return (
    <>
      <section className="card row wrap filters" aria-label={t`Filters`}>
        {KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            className={`pill filter ${kind === "BLOCK" ? "soft-bad" : "soft-plain"} ${asked.kinds.has(kind) ? "" : "off"}`}
            aria-pressed={asked.kinds.has(kind)}
            onClick={() => toggle(kind)}
          >
            {asked.kinds.has(kind) ? "✓ " : ""}
            {kindWords[kind]}
          </button>
        ))}
        {hidden.map((type) => (
          <button
            key={type}
            type="button"
            className="pill filter soft-plain off"
            aria-label={t`Show ${type} again`}
            onClick={() => set("hide", hidden.filter((each) => each !== type).join("|"))}
          >
            {rich`${type} hidden ✕`}
          </button>
        ))}
        <span className="grow" />
        <Select
          size="xs"
          w={150}
          aria-label={t`Direction`}
          data={[
            { value: "both", label: t`both directions` },
            { value: "in", label: t`incoming` },
            { value: "out", label: t`outgoing` },
          ]}
          value={filters.direction || "both"}
          onChange={(value) => set("direction", value === "both" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Select
          size="xs"
          w={190}
          aria-label={t`Path to`}
          placeholder={t`Path to…`}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t`Clear the path` }}
          limit={50}
          data={(graph.data?.nodes ?? [])
            .filter((node) => node.id !== graph.data?.focus)
            .map((node) => ({ value: node.id, label: `${node.type} ${lastPart(node.name)}` }))}
          value={filters.to || null}
          onChange={(value) =>
            put([
              ["from", ""],
              ["to", value ?? ""],
            ])
          }
          nothingFoundMessage={t`Not in the graph; increase the depth.`}
        />
        <Select
          size="xs"
          w={100}
          aria-label={t`Depth`}
          data={["1", "2", "3", "4"].map((value) => ({ value, label: t`depth ${value}` }))}
          value={filters.depth || "1"}
          onChange={(value) => set("depth", value === "1" ? "" : (value ?? ""))}
          allowDeselect={false}
        />
        <Narrow
          label={t`Reference filter`}
          any={t`any reference`}
          clear={t`Clear the filter`}
          width={160}
          data={[
            { value: "blocking", label: t`blocking` },
            { value: "cross", label: t`across regions` },
            { value: "broken", label: t`broken` },
          ]}
          value={only}
          onChange={(value) => set("only", value)}
        />
        {regions.length > 1 ? (
          <Narrow
            label={t`Region`}
            any={t`any region`}
            clear={t`Clear the region`}
            width={140}
            data={regions}
            value={region}
            onChange={(value) => set("region", value)}
          />
        ) : null}
        {versions.length > 1 || version ? (
          <Narrow
            label={t`Version of the referrer`}
            any={t`any version`}
            clear={t`Clear the version`}
            width={140}
            data={versions}
            value={version}
            onChange={(value) => set("version", value)}
          />
        ) : null}
      </section>
      <IndexProgress of={building.filter((each) => each.version === version && (!region || each.region === region))} />
      <Loaded of={graph} lines={6}>
        {(data) => (
          <div className="stack">
            <Views
              key={`${filters.direction} ${filters.depth}`}
              read={data}
              readAt={graph.dataUpdatedAt}
              asked={asked}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}

export function RefsPage() {
  const { filters } = useFilters(["name", "view"]);
  const view = choiceOf(filters.view, VIEW_NAMES, "groups");
  const navigate = useNavigate();
  const ask = (name: string): void => void navigate(`/refs?name=${encodeURIComponent(name)}`);
  const name = filters.name;
  return (
    <Page
      title={name ? place(name.startsWith("//") ? name : `////${name}`).name || name : t`References`}
      {...(name ? { under: [{ title: t`References`, to: "/refs" }] } : {})}
      actions={name.startsWith("//") ? <Star name={name} /> : null}
      heading={
        name ? (
          <>
            {t`References of`} <span className="mono">{name.startsWith("//") ? place(name).name : name}</span>
          </>
        ) : (
          t`References`
        )
      }
    >
      <NameForm value={name} onAsk={ask} button={t`Show`} />
      {!name ? (
        <Start />
      ) : view === "groups" ? (
        <GroupsView key={name} name={name} />
      ) : (
        <Explorer key={name} name={name} />
      )}
    </Page>
  );
}
