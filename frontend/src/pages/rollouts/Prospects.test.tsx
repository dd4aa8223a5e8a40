import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { newestFirst } from "../upgrade/RollbackPage";
import { Prospects, type ProspectsData } from "./Prospects";

const prospects: ProspectsData = {
  policy: {
    name: "prod",
    needed: 2,
    group: "approver",
    critical: true,
    sentence: "2 people with the role or group approver must approve.",
    reason: "The most specific that covers it: * / * / prod.",
  },
  window: {
    allowed: false,
    sentence: "No window is open; nights opens at 2026-03-01 21:00 UTC.",
    next_open: "2026-03-01T21:00:00Z",
  },
  resources: 12_000,
  took: { low_seconds: 240, high_seconds: 540, upgrades: 3 },
  rollback: "Rollback stays possible for 7 days, with nothing lost; it needs no approval.",
  dependants: [{ service: "apps.example.com", region: "eu-1", version: "v1", builds_on: "v1alpha2" }],
};

it("says before anything is stored who must agree, when it may switch and how long it took before", async () => {
  serve({
    "GET /duty": {
      items: [{ name: "ann", display_name: "Ann", roles: ["approver"], since: "", until: "2026-03-01T18:00:00Z" }],
    },
  });
  show(<Prospects of={prospects} />);
  expect(screen.getByText(/2 people with the role or group approver must approve/)).toBeTruthy();
  expect(screen.getByText("critical")).toBeTruthy();
  expect(screen.getByText(/nights opens at/)).toBeTruthy();
  expect(screen.getByText(/from the last 3 backfills of this service/)).toBeTruthy();
  expect(screen.getByText("12,000 at the last backfill")).toBeTruthy();
  expect(await screen.findByText("Ann")).toBeTruthy();
});

it("takes the region that switched last back first", () => {
  const row = (id: string, to_version: string, reversible_until: string) =>
    ({ id, to_version, reversible_until }) as Parameters<typeof newestFirst>[0][number];
  const rows = [
    row("a", "v1", "2026-03-02"),
    row("b", "v1", "2026-03-04"),
    row("c", "v2", "2026-03-05"),
    row("me", "v1", "2026-03-09"),
  ];
  expect(newestFirst(rows, { id: "me", to_version: "v1" }).map((each) => each.id)).toEqual(["b", "a"]);
});
