import { createStore, useStore } from "../../state/store";
import type { Column } from "./columns";

/** How high the rows of all long lists are, in this browser. */
export const density = createStore<"comfortable" | "compact">("comfortable", "switchyard.density");

/** By table, the columns that are not shown in this browser. */
export const hiddenColumns = createStore<Record<string, readonly string[]>>({}, "switchyard.hidden-columns");

export function useIsCompact(): boolean {
  return useStore(density) === "compact";
}

/** The columns of a table without the hidden ones. */
export function useChosenColumns<R, K extends string>(
  table: string,
  columns: readonly Column<R, K>[],
): readonly Column<R, K>[] {
  const hidden = useStore(hiddenColumns)[table] ?? [];
  return columns.filter((column) => column.choice === undefined || !hidden.includes(column.choice));
}
