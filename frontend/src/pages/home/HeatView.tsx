import { NativeSelect, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { read } from "../../api/client";
import { useFilters } from "../../parts/search";
import { useSteady } from "../../parts/tables/useSteady";
import { serverNow, tick } from "../../time/clock";
import { useStore } from "../../state/store";
import type { Fleet } from "../../wire/model";
import { byContinent, byPlace, versionsBehind } from "../fleet/fleet";
import { labelKeys } from "../fleet/groups";
import type { useSelection } from "../fleet/selection";
import { classOf, type Colour, COLOURS, type HeatClass, legendOf } from "./heat";
import { HeatMap } from "./HeatMap";
import { planHeat } from "./layout";
import { t } from "../../words/text";

/** Ages of reports are classes of half a minute and more: drawn anew this often. */
const AGES_EVERY_MS = 10_000;
const NONE: Fleet["cells"] = [];

function useCallers(enabled: boolean) {
  return useQuery({
    queryKey: ["fleet-callers"],
    queryFn: ({ signal }) => read("/fleet/callers", { signal }),
    enabled,
    staleTime: 60_000,
  });
}

/** The list that was there before, while it has the same members: what depends on it is made once. */
function useSame<T>(list: T[]): T[] {
  const [kept, keep] = useState(list);
  if (kept.length === list.length && kept.every((each, at) => each === list[at])) return kept;
  keep(list);
  return list;
}

function Legend({ classes }: { classes: readonly HeatClass[] }) {
  return (
    <ul className="heat-legend small">
      {classes.map((entry) => (
        <li key={entry.word}>
          <i style={{ background: `var(${entry.token})`, opacity: entry.alpha }} aria-hidden="true" />
          {entry.word}
        </li>
      ))}
    </ul>
  );
}

/** The fleet in one picture, with what colours and groups it. */
export function HeatView({
  fleet,
  selection: { selected, choose, clear },
  children,
}: {
  fleet: Fleet;
  selection: ReturnType<typeof useSelection>;
  /** What stands beside the choice of colours. */
  children?: ReactNode;
}) {
  const { filters, set } = useFilters(["colour", "group", "folded"]);
  const [services, regions] = [useSame(fleet.services), useSame(fleet.regions)];
  const colour = COLOURS.find((each) => each.value === filters.colour)?.value ?? "behind";
  const callers = useCallers(colour === "callers");
  const now = Math.floor(serverNow(useStore(tick)) / AGES_EVERY_MS) * AGES_EVERY_MS;
  const context = useMemo(
    () => ({
      colour: colour as Colour,
      behind: versionsBehind(services),
      callers: callers.data?.callers ?? null,
      now: colour === "freshness" ? now : serverNow(),
    }),
    [colour, services, callers.data, now],
  );
  const places = useMemo(() => byPlace(fleet.cells), [fleet.cells]);
  const attention = useMemo(() => {
    const result = new Map<string, number>();
    const overall = { ...context, colour: "behind" as const };
    for (const cell of fleet.cells)
      result.set(cell.service, Math.max(result.get(cell.service) ?? 0, classOf(cell, overall).rank));
    return result;
  }, [fleet.cells, context]);
  const keys = useMemo(() => labelKeys(fleet.cells), [fleet.cells]);
  const by = keys.includes(filters.group) ? filters.group : "tier";
  const folded = useMemo(() => new Set(filters.folded.split(",").filter(Boolean)), [filters.folded]);
  // What needs attention comes first, but no column moves while the pointer is over the map.
  const steady = useSteady(
    [...services].sort((one, other) => (attention.get(other.name) ?? 0) - (attention.get(one.name) ?? 0)),
    (service) => service.name,
    `${by} ${filters.folded}`,
  );
  const order = steady.rows.map((service) => service.name).join(" ");
  // Tiers are of services: while deployments change, the plan stays what it is, and few cells are drawn.
  const labelled = by === "tier" ? NONE : fleet.cells;
  const plan = useMemo(() => {
    const at = new Map(order.split(" ").map((name, place) => [name, place]));
    return planHeat({
      services,
      cells: labelled,
      regions: byContinent(regions),
      by,
      folded,
      attention: (service) => -(at.get(service) ?? 0),
    });
  }, [services, regions, labelled, by, folded, order]);
  const fold = (group: string): void => {
    const after = new Set(folded);
    if (!after.delete(group)) after.add(group);
    set("folded", [...after].join(","));
  };
  return (
    <>
      <div className="row wrap heat-bar">
        <SegmentedControl
          size="xs"
          className="heat-colours"
          aria-label={t`Colour by`}
          value={colour}
          onChange={(value) => set("colour", value === "behind" ? "" : value)}
          data={[...COLOURS]}
        />
        <NativeSelect
          size="xs"
          w={130}
          aria-label={t`Group by`}
          value={by}
          onChange={(event) => set("group", event.currentTarget.value === "tier" ? "" : event.currentTarget.value)}
          data={[{ value: "tier", label: t`by tier` }, ...keys.map((key) => ({ value: key, label: t`by ${key}` }))]}
        />
        {children}
      </div>
      <div {...steady.over}>
        <HeatMap
          plan={plan}
          places={places}
          context={context}
          selected={selected}
          onSelect={choose}
          onClear={clear}
          onFold={fold}
        />
      </div>
      <div className="row between wrap">
        <Legend classes={legendOf(colour)} />
        <span id="heat-keys" className="small muted">
          {t`Drag or Shift and arrows select · Space toggles · Enter opens · arrows move`}
        </span>
      </div>
      {by === "tier" && plan.groups.length > 1 ? (
        <p className="small muted">
          {t`Services of tier 0 import no other service; those of each further tier import services of the tiers before it.`}
        </p>
      ) : null}
      {colour === "callers" && callers.isError ? (
        <p className="small muted" role="status">
          {t`Callers are unknown: the usage counts could not be read.`}
        </p>
      ) : null}
    </>
  );
}
