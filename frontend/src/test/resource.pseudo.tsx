import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { ResourcePage } from "../pages/resources/ResourcePage";
import { pseudo } from "../words/pseudo";
import type { ResourceInAll } from "../wire/resources";
import { serve, show } from "./show";

const UNNAMED = { key: "{name} has no name in {version}.", values: { name: "secrets/door", version: "v1beta1" } };
const KEPT = "This version has no field for it; it is kept here and restored in a version that has one.";
const DOOR: ResourceInAll = {
  id: "//secrets.example.com/eu/secrets/door",
  service: "secrets.example.com",
  region: "eu",
  name: "secrets/door",
  type: "Secret",
  stored_version: "v1",
  revision: "7",
  metadata: { uuid: "u" },
  stored: { displayName: "Door" },
  bags: [{ path: "", key: "k", field: "etag", value: "", sentence: KEPT, phrases: [{ key: KEPT, values: {} }] }],
  views: [
    {
      version: "v1alpha2",
      how: "translated",
      type: "Secret",
      name: "secrets/door",
      document: { title: "Door" },
      reason: "",
      steps: [
        { op: "removed", source: "etag", target: "", before: "", after: "", bag: "into the bag: k" },
        { op: "added", source: "", target: "title", before: "", after: "1", bag: "into the bag: k, from the bag: l" },
      ],
    },
    {
      version: "v1beta1",
      how: "would be",
      type: null,
      name: null,
      document: null,
      reason: "secrets/door has no name in v1beta1.",
      reason_phrases: [UNNAMED],
      steps: [],
    },
  ],
};

it("words why a version does not show a resource, why a value is hidden, and what steps did with hidden values", async () => {
  serve({ "GET /deployments/secrets.example.com/eu/resource": DOOR });
  show(<ResourcePage />, "/resources/one?service=secrets.example.com&region=eu&name=secrets/door");
  await screen.findByText(pseudo(KEPT));
  const unnamed = pseudo(UNNAMED.key).replace("{name}", "secrets/door").replace("{version}", "v1beta1");
  expect(screen.getByText(unnamed)).toBeTruthy();
  expect(screen.getByText(pseudo("kept as a hidden value"))).toBeTruthy();
  expect(outsideTexts(document.body, "secrets.example.com eu secrets/door Secret v1alpha2 v1beta1 title")).toEqual([]);
  cleanup();
});
