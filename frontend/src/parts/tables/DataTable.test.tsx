import { useQuery } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { Link } from "react-router";
import { expect, it } from "vitest";
import { read } from "../../api/client";
import { serve, show } from "../../test/show";
import { Empty } from "../states";
import type { Column } from "./columns";
import { DataTable, LoadedTable } from "./DataTable";

interface Shard {
  name: string;
  lag: number;
  note: string;
}

const SHARDS: Shard[] = [
  { name: "s-2", lag: 5, note: "" },
  { name: "s-1", lag: 30, note: "slow disk" },
];
const columns: Column<Shard, "name" | "lag">[] = [
  { header: "Shard", sortKey: "name", isRowHeader: true, cell: (shard) => <a href={`/${shard.name}`}>{shard.name}</a> },
  { header: "Lag", sortKey: "lag", align: "end", width: 80, cell: (shard) => `${shard.lag} s` },
  { header: "Note", className: "break", isHiddenOnPhone: true, cell: (shard) => shard.note || "–" },
  { header: "Owner", isShown: false, cell: () => "no account" },
  { header: "Actions", isHeaderUnseen: true, cell: (shard) => <button>{`Retry ${shard.name}`}</button> },
];
const table = { label: "Shards", columns, rows: SHARDS, rowKey: (shard: Shard) => shard.name };
const texts = (role: string): (string | null)[] => screen.getAllByRole(role).map((cell) => cell.textContent);

function Sorted() {
  const [by, setBy] = useState<{ key: "name" | "lag"; isDescending: boolean }>({ key: "name", isDescending: false });
  const rows = [...SHARDS].sort((one, other) =>
    by.key === "lag" ? one.lag - other.lag : one.name.localeCompare(other.name),
  );
  const onChange = (key: "name" | "lag", isDescending: boolean): void => setBy({ key, isDescending });
  return <DataTable {...table} rows={by.isDescending ? rows.reverse() : rows} sort={{ ...by, onChange }} />;
}

it("has a name, a header for each column that is shown, and a header for each row", () => {
  show(<DataTable {...table} />);
  expect(texts("columnheader")).toEqual(["Shard", "Lag", "Note", "Actions"]);
  expect(screen.getByText("Actions").className).toBe("unseen");
  expect(texts("rowheader")).toEqual(["s-2", "s-1"]);
  expect(texts("cell")).toEqual(["5 s", "–", "Retry s-2", "30 s", "slow disk", "Retry s-1"]);
  expect([screen.getByText("5 s").className, screen.getByText("–").className].map((names) => names.split(" "))).toEqual(
    [expect.arrayContaining(["num"]), expect.arrayContaining(["break", "not-on-phone"])],
  );
  expect(screen.getAllByRole("columnheader").some((header) => header.hasAttribute("aria-sort"))).toBe(false);
});

it("scrolls in a box that has its name and takes the focus", async () => {
  show(<DataTable {...table} />);
  await userEvent.tab();
  const box = screen.getByRole("region", { name: "Shards" });
  expect(document.activeElement).toBe(box);
  expect(within(box).getByRole("table", { name: "Shards" })).toBeTruthy();
});

it("is sorted by the header that is pressed, by keyboard too, and says so", async () => {
  show(<Sorted />);
  const orders = (): (string | null)[] =>
    screen.getAllByRole("columnheader").map((header) => header.getAttribute("aria-sort"));
  expect([orders(), texts("rowheader")]).toEqual([
    ["ascending", "none", null, null],
    ["s-1", "s-2"],
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Shard" }));
  expect([orders(), texts("rowheader")]).toEqual([
    ["descending", "none", null, null],
    ["s-2", "s-1"],
  ]);
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect([orders(), texts("rowheader")]).toEqual([
    ["none", "ascending", null, null],
    ["s-2", "s-1"],
  ]);
});

it("shows what stands for no rows, and nothing of a table", () => {
  show(<DataTable {...table} rows={[]} empty={<Empty title="No shards." />} />);
  expect(screen.getByText("No shards.")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});

function Queried() {
  const answer = useQuery({
    queryKey: ["shards"],
    queryFn: async () => {
      const answer: unknown = await read("/shards" as "/session");
      return answer as { items: Shard[] };
    },
  });
  return (
    <LoadedTable {...table} of={answer} rowsOf={({ items }) => items} lines={2} empty={<Empty title="No shards." />} />
  );
}

it("waits for the answer, and then has its rows", async () => {
  serve({ "GET /shards": { items: SHARDS } });
  show(<Queried />);
  expect(document.querySelector("[aria-busy=true]")).toBeTruthy();
  expect(await screen.findByText("slow disk")).toBeTruthy();
  expect(document.querySelector("[aria-busy=true]")).toBeNull();
});

it("shows the refusal in place of the table", async () => {
  serve({ "GET /shards": { title: "You may not read shards", status: 403, who_can: ["operator"] } });
  show(<Queried />);
  expect((await screen.findByRole("alert")).textContent).toMatch(/You may not read shards.*operator/);
  expect(screen.queryByRole("table")).toBeNull();
});

it("gives each cell its header, as rows become cards on a phone", () => {
  show(<DataTable {...table} />);
  expect(screen.getByRole("table").className).toMatch(/cards-on-phone/);
  expect(screen.getAllByRole("cell").map((cell) => cell.getAttribute("data-label"))).toEqual([
    "Lag",
    "Note",
    null,
    "Lag",
    "Note",
    null,
  ]);
});

it("scrolls on a phone where its columns are compared", () => {
  const { unmount } = show(<DataTable {...table} onPhone="scroll" />);
  expect(screen.getByRole("table").className).not.toMatch(/cards-on-phone/);
  unmount();
  show(<DataTable {...table} isFit />);
  expect(screen.getByRole("table").className).not.toMatch(/cards-on-phone/);
});

it("shows below a row what is open, and in place of cells what spans them", () => {
  show(
    <DataTable
      {...table}
      detail={(shard) => (shard.name === "s-2" ? "Copied 12 of 40." : null)}
      spanning={(shard) => (shard.note ? "Does not answer." : null)}
    />,
  );
  const [below, spanned] = [screen.getByText("Copied 12 of 40."), screen.getByText("Does not answer.")];
  expect([below.getAttribute("colspan"), spanned.getAttribute("colspan")]).toEqual(["4", "3"]);
  expect(spanned.parentElement?.firstElementChild?.textContent).toBe("s-1");
});

function Reporting() {
  const [lag, setLag] = useState(5);
  const rows = SHARDS.map((shard, at) => (at === 0 ? { ...shard, lag } : shard));
  return (
    <>
      <button onClick={() => setLag(6)}>{"Report"}</button>
      <DataTable {...table} rows={rows} flash={(shard) => shard.lag} />
    </>
  );
}

it("flashes a row whose value changed, and no other", async () => {
  show(<Reporting />);
  const flashes = (): boolean[] =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.classList.contains("flash"));
  expect(flashes()).toEqual([false, false]);
  await userEvent.click(screen.getByRole("button", { name: "Report" }));
  expect(flashes()).toEqual([true, false]);
});

it("walks the links of its rows by j and k", async () => {
  const linked: Column<Shard>[] = [
    {
      header: "Shard",
      cell: (shard) => (
        <Link data-row to={`/${shard.name}`}>
          {shard.name}
        </Link>
      ),
    },
  ];
  show(<DataTable label="Shards" columns={linked} rows={SHARDS} rowKey={(shard) => shard.name} hasRowLinks />);
  const focused: (string | null | undefined)[] = [];
  for (const key of ["j", "j", "j", "k"]) {
    await userEvent.keyboard(key);
    focused.push(document.activeElement?.textContent);
  }
  expect(focused).toEqual(["s-2", "s-1", "s-1", "s-2"]);
});
