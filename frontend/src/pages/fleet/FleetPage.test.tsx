import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { Cell, Fleet } from "../../wire/model";
import { FleetPage } from "./FleetPage";

const cell = (service: string, region: string, part: Partial<Cell> = {}): Cell => ({
  service, region, name: `services/${service}/deployments/${region}`, current_version: "v1", target_version: null, state: "", ready: 0, total: 16, automatic: false,
  disabled: false, upgrade_id: null, rev: 1, labels: {}, data_version: "", ...part,
});
const FLEET: Fleet = {
  regions: [{ name: "eu", title: "", zone: "Europe/Brussels" }, { name: "us", title: "", zone: "America/Chicago" }],
  services: [{ name: "iam", display_name: "", versions: ["v1", "v2"], rank: 0, imports: [] }, { name: "apps", display_name: "", versions: ["v1"], rank: 1, imports: ["iam"] }],
  cells: [cell("iam", "eu"), cell("iam", "us"), cell("apps", "eu")],
};

function open(at: string): void {
  serve({ "GET /fleet": FLEET, "GET /views/fleet": { items: [], next_cursor: null, has_more: false } });
  show(<FleetPage />, at);
}

it("shows every deployment in the grid", async () => {
  open("/fleet");
  const grid = await screen.findByRole("grid");
  expect(within(grid).getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(expect.arrayContaining(["/d/iam/eu", "/d/iam/us", "/d/apps/eu"]));
});

it("shows the same as rows, and only those of a part of the world when asked", async () => {
  open("/fleet?view=table");
  expect((await screen.findByRole("table")).getAttribute("aria-rowcount")).toBe("4");
  await userEvent.click(screen.getByRole("combobox", { name: "Part of the world" }));
  await userEvent.click(await screen.findByRole("option", { name: "America" }));
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
});

it("draws a map of those that are behind", async () => {
  open("/fleet?view=map&behind=1");
  const links = within(await screen.findByRole("list", { name: "Deployments" })).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/d/iam/eu", "/d/iam/us"]);
});
