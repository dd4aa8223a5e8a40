import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { ResourceInAll } from "../../wire/resources";
import { ResourcePage } from "./ResourcePage";
import { ResourcesPage } from "./ResourcesPage";

const door: ResourceInAll = {
  id: "//secrets.example.com/eu/projects/p/regions/eu/secrets/door",
  service: "secrets.example.com",
  region: "eu",
  name: "projects/p/regions/eu/secrets/door",
  type: "Secret",
  stored_version: "v1",
  revision: "7",
  metadata: { uuid: "u" },
  stored: { displayName: "Door" },
  bags: [
    {
      path: "",
      key: "secrets.Secret/legacy_etag#1",
      field: "legacy_etag",
      value: '"x1"',
      sentence: "This version has no field for it.",
    },
  ],
  views: [
    {
      version: "v1alpha2",
      how: "translated",
      type: "Secret",
      name: "projects/p/secrets/door",
      document: { title: "Door", legacyEtag: "x1" },
      reason: "",
      steps: [
        { op: "rename", source: "display_name", target: "title", before: '"Door"', after: '"Door"', bag: "" },
        { op: "exact", source: "labels", target: "labels", before: "1", after: "1", bag: "" },
      ],
    },
    {
      version: "v1",
      how: "native",
      type: "Secret",
      name: "projects/p/regions/eu/secrets/door",
      document: { displayName: "Door" },
      reason: "",
      steps: [],
    },
  ],
};

it("shows a resource in each version, what waits out of sight, and the steps between", async () => {
  serve({ "GET /deployments/secrets.example.com/eu/resource": door });
  show(
    <ResourcePage />,
    "/resources/one?service=secrets.example.com&region=eu&name=projects/p/regions/eu/secrets/door",
  );
  expect(await screen.findByText(/stores it in v1, at revision 7/)).toBeTruthy();
  expect(screen.getByText("translated on reading")).toBeTruthy();
  expect(screen.getByText("renamed from display_name")).toBeTruthy();
  expect(screen.getByText("This version has no field for it.")).toBeTruthy();
  expect(screen.getAllByRole("row")).toHaveLength(4);
});

it("shows the lifecycle and the service that owns the resource", async () => {
  const lifecycle = { state: "DELETING", blockDeletion: true };
  const metadata = { uuid: "u", lifecycle, services: { owningService: "services/secrets.example.com" } };
  serve({ "GET /deployments/secrets.example.com/eu/resource": { ...door, metadata } });
  show(
    <ResourcePage />,
    "/resources/one?service=secrets.example.com&region=eu&name=projects/p/regions/eu/secrets/door",
  );
  expect(await screen.findByText("Being deleted; deletion is blocked")).toBeTruthy();
  expect(screen.getByText("services/secrets.example.com")).toBeTruthy();
});

it("asks for a deployment first, and says when nothing can be chosen", async () => {
  serve({ "GET /fleet": { regions: [], services: [], cells: [] } });
  show(<ResourcesPage />, "/resources");
  expect(await screen.findByText("No deployment serves resources yet.")).toBeTruthy();
});
