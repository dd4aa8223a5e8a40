import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { serve, show } from "../../test/show";
import { EdgeTable } from "./graph/EdgeTable";
import { frame, isOther } from "./graph/viewport";
import { Finder } from "./Finder";
import { recent } from "./recent";
import { Start } from "./Start";

const door = {
  id: "//secrets.example.com/eu-1/projects/p/secrets/door",
  name: "projects/p/secrets/door",
  type: "Secret",
  service: "secrets.example.com",
  region: "eu-1",
  version: "v1",
  state: "ACTIVE",
  changed_at: null,
};
const found = {
  items: [door],
  more: false,
  types: ["Secret", "SecretGrant"],
  versions: ["v1", "v2"],
  unknown: [{ service: "secrets.example.com", region: "us-2", reason: "no answer" }],
};
const references = (resource: { id: string }): string => `/refs?name=${encodeURIComponent(resource.id)}`;
const fleet = { services: [], regions: [], cells: [] };

it("finds resources by kind and name, and says who did not answer", async () => {
  const sent = serve({ "GET /references/search": found, "GET /fleet": fleet });
  show(<Finder to={references} />, "/resources?text=door");
  expect((await screen.findByRole("link", { name: door.name })).getAttribute("href")).toBe(
    `/refs?name=${encodeURIComponent(door.id)}`,
  );
  expect(screen.getByText(/secrets.example.com @ us-2: no answer/)).toBeTruthy();
  await userEvent.click(screen.getByRole("combobox", { name: "Kind" }));
  await userEvent.click(await screen.findByRole("option", { name: "SecretGrant" }));
  await vi.waitFor(() =>
    expect(sent.map((each) => new URLSearchParams(each.path.split("?")[1]).get("type"))).toContain("SecretGrant"),
  );
  expect(
    sent.filter((each) => each.path.startsWith("/references/search")).every((each) => each.path.includes("text=door")),
  ).toBe(true);
});

it("begins from names that were looked at, and sends to the one search for others", () => {
  recent.set([door.id]);
  show(<Start />, "/refs");
  expect(screen.getByRole("link", { name: door.name }).getAttribute("href")).toBe(references(door));
  expect(screen.getByRole("link", { name: "Search resources" }).getAttribute("href")).toBe("/resources");
  expect(screen.queryByRole("combobox", { name: "Kind" })).toBeNull();
});

it("offers to clear what found nothing", async () => {
  serve({ "GET /references/search": { ...found, items: [], unknown: [] }, "GET /fleet": fleet });
  show(<Finder to={references} />, "/resources?kind=Secret");
  expect(await screen.findByText("No resource matches.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Clear the filters" })).toBeTruthy();
});

it("shows thousands of references as no more rows than are in sight, and tells how many there are", () => {
  const edges = Array.from({ length: 5000 }, (_, at) => ({
    source: `//s/r/pods/${at}`,
    target: "//s/r/keys/k",
    kind: "BLOCK" as const,
    path: "key",
    version: "v1",
  }));
  show(<EdgeTable edges={edges} label="References" />);
  const table = within(screen.getByRole("region", { name: "References" })).getByRole("table");
  expect(table.getAttribute("aria-rowcount")).toBe("5001");
  const rows = within(table).getAllByRole("row");
  expect(rows.length).toBeLessThan(100);
  expect(screen.getByText("5000 references")).toBeTruthy();
});

const filling = {
  service: "secrets.example.com",
  region: "eu-1",
  version: "v2",
  served: "v1",
  upgrade_id: "u7",
  percent: 62,
  sentence: "Index building: 62 %. secrets @ eu-1 is being copied to v2.",
};
const page = (items: unknown[]) => ({ items, next_cursor: null, has_more: false });

it("says how far the index is to whoever asks for a version that is copied to, and to nobody else", async () => {
  serve({
    "GET /references/search": { ...found, items: [], unknown: [], versions: ["v1"] },
    "GET /fleet": fleet,
    "GET /references/building": page([filling, { ...filling, region: "us-2", upgrade_id: "u8", version: "v3" }]),
  });
  show(<Finder to={references} />, "/resources");
  await userEvent.click(await screen.findByRole("combobox", { name: "Stored version" }));
  await userEvent.click(await screen.findByRole("option", { name: "v2" }));
  expect(await screen.findByText(/Index building: 62 %/)).toBeTruthy();
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("62");
  expect(screen.getByRole("link", { name: "Open the upgrade" }).getAttribute("href")).toBe("/upgrades/u7");
  await userEvent.click(screen.getByRole("combobox", { name: "Stored version" }));
  await userEvent.click(await screen.findByRole("option", { name: "v1" }));
  await vi.waitFor(() => expect(screen.queryByText(/Index building/)).toBeNull());
});

function core(fitted: number) {
  const done: string[] = [];
  let zoom = 0;
  const fake = {
    fit: () => {
      zoom = fitted;
      done.push("fit");
    },
    zoom: (to?: number) => {
      if (to !== undefined) {
        zoom = to;
        done.push(`zoom ${to}`);
      }
      return zoom;
    },
    center: (of?: unknown) => void done.push(of ? "centre the focus" : "centre"),
    nodes: () => ({ length: 1 }),
  };
  return { done, fake: fake as unknown as Parameters<typeof frame>[0] };
}

it("shows on a phone what surrounds the focus when all of it could not be read", () => {
  const drawn = (zoom: number, width: number): string[] => {
    const { done, fake } = core(zoom);
    frame(fake, width);
    return done;
  };
  expect(drawn(0.2, 390)).toEqual(["fit", "zoom 0.55", "centre the focus"]);
  expect(drawn(0.2, 1280)).toEqual(["fit"]);
  expect(drawn(0.8, 390)).toEqual(["fit"]);
  expect(drawn(1.4, 1280)).toEqual(["fit", "zoom 1", "centre"]);
  expect([isOther(1280, 390), isOther(1280, 1200), isOther(0, 390), isOther(390, 0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
