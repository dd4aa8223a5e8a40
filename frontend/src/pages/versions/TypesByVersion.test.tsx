import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "../../test/show";
import type { ServicePage } from "../../wire/model";
import { TypesByVersion } from "./TypesByVersion";

const typed = (type: string, versions: string[]): ServicePage["resource_types"][number] => ({
  type,
  fqn: `shelves.example.com/${type}`,
  plural: `${type.toLowerCase()}s`,
  versions,
});
const pair = { before: "v1", after: "v2", by: "kind" };
const service = {
  name: "shelves.example.com",
  resource_types: [
    typed("Box", ["v1"]),
    typed("Crate", ["v2", "v3"]),
    typed("Drawer", ["v2", "v3"]),
    typed("Lamp", ["v1"]),
    typed("Candle", ["v1"]),
    typed("Light", ["v2", "v3"]),
    typed("Shelf", ["v1", "v2", "v3"]),
    typed("Note", ["v3"]),
  ],
  type_changes: [
    { ...pair, kind: "split", types_before: ["Box"], types_after: ["Crate", "Drawer"] },
    { ...pair, kind: "merge", types_before: ["Lamp", "Candle"], types_after: ["Light"] },
  ],
} as unknown as ServicePage;

it("says of a type what it was before, and what it becomes, where it splits or merges", () => {
  show(<TypesByVersion of={service} versions={["v1", "v2", "v3"]} />);
  const cells = (type: string): (string | null)[] =>
    within(screen.getByRole("row", { name: new RegExp(`^${type}`) }))
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  expect(cells("Box")).toEqual(["in v1", "split into Crate, Drawer", "not included"]);
  expect(cells("Crate")).toEqual(["part of Box", "in v2", "in v3"]);
  expect(cells("Candle")).toEqual(["in v1", "merged into Light", "not included"]);
  expect(cells("Light")).toEqual(["as Lamp, Candle", "in v2", "in v3"]);
  expect(cells("Note")).toEqual(["not included", "not included", "in v3"]);

  const changes = within(screen.getByRole("list", { name: "Split and merged resource types" }));
  expect(changes.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    "Box split by kind into Crate, Drawer v1 to v2",
    "Lamp, Candle merged into Light, by kind v1 to v2",
  ]);
  const [link] = changes.getAllByRole("link");
  expect(link?.getAttribute("href")).toBe("/compat/shelves.example.com/v1..v2");
});

it("lists no changes of types where none splits or merges", () => {
  show(<TypesByVersion of={{ ...service, type_changes: [] }} versions={["v1", "v2"]} />);
  expect(screen.getByRole("row", { name: /^Box/ }).textContent).toContain("not included");
  expect(screen.queryByRole("list")).toBeNull();
});

it("says that changes of types are unknown where the server does not send them", () => {
  show(<TypesByVersion of={{ ...service, type_changes: undefined as never }} versions={["v1", "v2"]} />);
  expect(screen.getByText("Split and merged resource types: unknown.")).toBeTruthy();
  expect(screen.getByRole("row", { name: /^Box/ }).textContent).toContain("not included");
});
