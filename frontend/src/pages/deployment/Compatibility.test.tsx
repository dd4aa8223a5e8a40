import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { Deployment } from "../../wire/model";
import { Compatibility } from "./Compatibility";

const of = {
  name: "services/secrets.example.com/deployments/eu-1",
  service: "secrets.example.com",
  region: "eu-1",
  current_version: "v1alpha2",
  target_version: "v1",
  newest_version: "v1",
  imported_versions: [
    { service: "iam.example.com", version: "v1", current_version: "v2", mismatch: true },
    { service: "meta.example.com", version: "v1", current_version: "v1", mismatch: false },
  ],
} as unknown as Deployment;
const report = (verdict: string): object => ({ verdict, findings: [], losses: [] });
const cell = (service: string, region: string, version: string): object => ({
  service,
  region,
  name: `services/${service}/deployments/${region}`,
  current_version: version,
});
const answers = {
  "GET /fleet": {
    regions: [],
    services: [],
    cells: [cell("apps.example.com", "eu-1", "v3"), cell("apps.example.com", "us-1", "v2")],
  },
  "GET /services/secrets.example.com": {
    imported_by: [{ service: "apps.example.com", for_version: "v3", version: "v1alpha2" }],
  },
  "GET /services/secrets.example.com/compatibility": report("breaking"),
  "GET /services/iam.example.com/compatibility": report("handled"),
};
const rows = async (name: string): Promise<string[]> => {
  const table = await screen.findByRole("region", { name });
  await within(table).findAllByRole("link", { name: /Report of/ });
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((each) => each.textContent)
        .join(" | "),
    );
};

it("gives a verdict for each service it imports, as it is served there", async () => {
  serve(answers);
  show(<Compatibility of={of} />);
  expect(await rows("As consumer")).toEqual(["v1 | v2 | converted", "v1 | v1 | same version"]);
  expect(screen.getByRole("link", { name: "Report of iam.example.com v1 to v2: converted" }).getAttribute("href")).toBe(
    "/compat/iam.example.com/v1..v2",
  );
});

it("gives a verdict for each importer, by what it is built on and what is served here now and after the upgrade", async () => {
  serve(answers);
  show(<Compatibility of={of} />);
  expect(await rows("As provider")).toEqual(["v3 | eu-1 | v1alpha2 | same version | breaks"]);
  expect(
    within(screen.getByRole("region", { name: "As provider" }))
      .getAllByRole("columnheader")
      .slice(-2)
      .map((each) => each.textContent),
  ).toEqual(["Served version: v1alpha2", "After the upgrade: v1"]);
});

it("says so where nothing imports it and it imports nothing", async () => {
  serve({ ...answers, "GET /services/secrets.example.com": { imported_by: [] } });
  show(<Compatibility of={{ ...of, imported_versions: [] }} />);
  expect(await screen.findByText("No importers.")).toBeTruthy();
  expect(screen.getByText("No imports.")).toBeTruthy();
});
