import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../../parts/search";

/** The forms of one question: counted in groups, or reference by reference. */
export function ViewSwitch() {
  const { filters, set } = useFilters(["view"]);
  return (
    <SegmentedControl
      size="xs"
      aria-label="View"
      value={filters.view || "groups"}
      onChange={(value) => set("view", value === "groups" ? "" : value)}
      data={[
        { value: "groups", label: "Groups" },
        { value: "explore", label: "Explore" },
        { value: "map", label: "Map" },
        { value: "tree", label: "Tree" },
        { value: "table", label: "Table" },
        { value: "matrix", label: "Matrix" },
      ]}
    />
  );
}
