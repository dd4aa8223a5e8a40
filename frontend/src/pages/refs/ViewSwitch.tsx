import { SegmentedControl } from "@mantine/core";
import { choiceOf, useFilters } from "../../parts/search";
import { t } from "../../words/text";

/** The names of the views, as addresses have them. */
export const VIEW_NAMES = ["groups", "explore", "map", "tree", "table", "matrix"] as const;

const VIEWS = [
  { value: "groups", label: t`Groups` },
  { value: "explore", label: t`Explore` },
  { value: "map", label: t`Map` },
  { value: "tree", label: t`Tree` },
  { value: "table", label: t`Table` },
  { value: "matrix", label: t`Matrix` },
];

/**
 * The forms of one question: counted in groups, or reference by reference. A map of one deployment and a matrix of
 * one service say nothing: they are not offered, and stay only while an address asks for them.
 */
export function ViewSwitch({ places }: { places: readonly { service: string; region: string }[] }) {
  const { filters, set } = useFilters(["view"]);
  const view = choiceOf(filters.view, VIEW_NAMES, "groups");
  const services = new Set(places.map((place) => place.service)).size;
  const deployments = new Set(places.map((place) => `${place.service} ${place.region}`)).size;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`View`}
      value={view}
      onChange={(value) => set("view", value === "groups" ? "" : value)}
      data={VIEWS.filter(
        ({ value }) => value === view || (value === "map" ? deployments > 1 : value === "matrix" ? services > 1 : true),
      )}
    />
  );
}
