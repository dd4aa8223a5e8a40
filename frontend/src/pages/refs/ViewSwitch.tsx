import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../../parts/search";
import { t } from "../../words/text";

/** The forms of one question: counted in groups, or reference by reference. */
export function ViewSwitch() {
  const { filters, set } = useFilters(["view"]);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`View`}
      value={filters.view || "groups"}
      onChange={(value) => set("view", value === "groups" ? "" : value)}
      data={[
        { value: "groups", label: t`Groups` },
        { value: "explore", label: t`Explore` },
        { value: "map", label: t`Map` },
        { value: "tree", label: t`Tree` },
        { value: "table", label: t`Table` },
        { value: "matrix", label: t`Matrix` },
      ]}
    />
  );
}
