import { act, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { density } from "../../parts/tables/choices";
import { show } from "../../test/show";
import type { Cell, FleetService, Region } from "../../wire/model";
import { byPlace } from "./fleet";
import { Matrix } from "./Matrix";
import { nextPlace } from "./gridNavigation";

const MANY = 200;
const regions: Region[] = Array.from({ length: MANY }, (_, at) => ({
  name: `r${at}`,
  title: "",
  zone: at < 100 ? "Europe/Brussels" : "Asia/Tokyo",
}));
const services: FleetService[] = [
  { name: "iam", display_name: "", versions: ["v1"], rank: 0, imports: [], import_versions: [] },
];
const cell = (region: string): Cell => ({
  service: "iam",
  region,
  name: `services/iam/deployments/${region}`,
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
});

// jsdom has no layout: the box is a thousand pixels wide, and where it is scrolled to is what was asked for.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "scrollWidth", "get").mockReturnValue(190 + MANY * 172);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1000);
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, to?: ScrollToOptions | number): void {
    if (typeof to === "object") this.scrollLeft = to.left ?? this.scrollLeft;
    this.dispatchEvent(new Event("scroll"));
  } as typeof HTMLElement.prototype.scrollTo;
});
afterEach(() => void vi.restoreAllMocks());

function Wide({ where }: { where: string[] }) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  return (
    <Matrix
      services={services}
      regions={regions}
      places={byPlace(where.map(cell))}
      selected={selected}
      onSelect={(name) => select(new Set([...selected, name]))}
    />
  );
}

it("draws only the columns in sight of two hundred regions, and counts them all", () => {
  show(<Wide where={regions.map((region) => region.name)} />);
  const grid = screen.getByRole("grid");
  expect(grid.getAttribute("aria-colcount")).toBe("201");
  const heads = screen.getAllByRole("columnheader");
  expect(heads.length).toBeLessThan(20);
  expect(heads.map((head) => head.getAttribute("aria-colindex"))).toEqual(heads.map((_, at) => String(at + 1)));
  expect(heads[1]?.textContent).toBe("r0 Europe");
  expect(screen.getAllByRole("link").filter((link) => link.tabIndex === 0)).toHaveLength(1);
});

it("has lower rows where the reader chose so, also of a thousand services", () => {
  const thousand = Array.from({ length: 1000 }, (_, at) =>
    services.map((each): FleetService => ({ ...each, name: `s${at}` })),
  ).flat();
  show(
    <Matrix
      services={thousand}
      regions={regions.slice(0, 2)}
      places={new Map()}
      selected={new Set()}
      onSelect={() => undefined}
    />,
  );
  const height = (): string => screen.getByRole("rowgroup").style.height;
  expect(height()).toBe("62000px");
  act(() => density.set("compact"));
  expect(height()).toBe("37000px");
  act(() => density.set("comfortable"));
  expect(height()).toBe("62000px");
});

it("walks by keyboard to a deployment that is out of sight, over the regions without one", async () => {
  show(<Wide where={["r1", "r150"]} />);
  act(() => screen.getByRole("link").focus());
  fireEvent.keyDown(screen.getByRole("link"), { key: "ArrowRight", shiftKey: true });
  await vi.waitFor(() => expect(document.activeElement?.getAttribute("href")).toBe("/d/iam/r150"), 15_000);
  expect(document.activeElement?.closest("[role=gridcell]")?.getAttribute("aria-colindex")).toBe("152");
  expect(document.activeElement?.closest("[role=gridcell]")?.getAttribute("aria-selected")).toBe("true");
});

it("parts the services by rank", () => {
  const ranked = [
    ["iam", 0],
    ["tasks", 1],
    ["queues", 1],
    ["web", 2],
  ].map(([name, rank]): FleetService => ({
    name: String(name),
    display_name: "",
    versions: ["v1"],
    rank: Number(rank),
    imports: [],
    import_versions: [],
  }));
  show(
    <Matrix
      services={ranked}
      tiers
      regions={regions.slice(0, 2)}
      places={new Map()}
      selected={new Set()}
      onSelect={() => undefined}
    />,
  );
  const [, ...rows] = screen.getAllByRole("row");
  expect(rows.map((row) => [row.querySelector("b")?.textContent, row.classList.contains("rank-begins")])).toEqual([
    ["iam", false],
    ["tasks", true],
    ["queues", false],
    ["web", true],
  ]);
});

it("finds the next deployment of a row and both its ends", () => {
  const there = new Set(["0,1", "0,4", "1,0"]);
  const field = {
    rows: 2,
    columns: 6,
    nameAt: (row: number, column: number) => (there.has(`${row},${column}`) ? "x" : undefined),
  };
  expect(nextPlace("ArrowRight", [0, 1], field)).toEqual([0, 4]);
  expect(nextPlace("ArrowRight", [0, 4], field)).toBeNull();
  expect(nextPlace("Home", [0, 4], field)).toEqual([0, 1]);
  expect(nextPlace("End", [0, 1], field)).toEqual([0, 4]);
  expect(nextPlace("ArrowDown", [0, 1], field)).toBeNull();
  expect(nextPlace("a", [0, 1], field)).toBeNull();
});
