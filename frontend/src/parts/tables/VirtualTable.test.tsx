import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "../../test/show";
import type { Column } from "./columns";
import { VirtualTable } from "./VirtualTable";

interface Shard {
  name: string;
  lag: number;
}

const columns: Column<Shard>[] = [
  { header: "Shard", isRowHeader: true, cell: (shard) => shard.name },
  { header: "Lag", align: "end", cell: (shard) => `${shard.lag} s` },
];
const table = { label: "Shards", columns, rowKey: (shard: Shard) => shard.name };
const MANY: Shard[] = Array.from({ length: 5000 }, (_, at) => ({ name: `s-${at}`, lag: at }));

it("has only the rows in sight of a long list, each with its place among all", () => {
  // Without a layout every box has no height, and no row would be in sight.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(420);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(320);
  show(<VirtualTable {...table} rows={MANY} rowHeight={40} />);
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("5001");
  const rows = screen.getAllByRole("row");
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(100);
  expect(rows.slice(0, 3).map((row) => row.getAttribute("aria-rowindex"))).toEqual(["1", "2", "3"]);
  expect(screen.getByRole("region", { name: "Shards" }).tabIndex).toBe(0);
});

it("loads more when the last rows are near, and only while there are more", async () => {
  const onLoad = vi.fn();
  const short = { ...table, rows: MANY.slice(0, 10), rowHeight: 40, rowCount: 70 };
  const { unmount } = show(<VirtualTable {...short} more={{ isThere: true, onLoad }} />);
  await waitFor(() => expect(onLoad).toHaveBeenCalled());
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("71");
  unmount();
  onLoad.mockClear();
  show(<VirtualTable {...short} more={{ isThere: false, onLoad }} />);
  expect(onLoad).not.toHaveBeenCalled();
});
