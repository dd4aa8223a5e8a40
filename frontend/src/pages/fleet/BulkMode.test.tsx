import { expect, it } from "vitest";
import { serve } from "../../test/show";
import type { Cell } from "../../wire/model";
import { setMode } from "./BulkMode";

const cell = (region: string, automatic = false): Cell => ({
  service: "a",
  region,
  name: region,
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic,
  disabled: false,
  upgrade_id: null,
  rev: 4,
  labels: {},
  data_version: "",
});

it("changes each by itself, at the revision that was seen, and says what became of it", async () => {
  const sent = serve({
    "PUT /deployments/a/eu": {},
    "PUT /deployments/a/us": { title: "Denied", detail: "This needs operator.", status: 403 },
  });
  const results = await setMode([cell("eu"), cell("us"), cell("ap", true)], true);
  expect(results.map((each) => [each.cell.region, each.tone, each.text])).toEqual([
    ["eu", "ok", "done"],
    ["us", "blocked", "This needs operator."],
    ["ap", "plain", "already set"],
  ]);
  expect(sent.map((each) => [each.path, each.headers.get("If-Match"), each.body])).toEqual([
    ["/deployments/a/eu", '"4"', { deployment: { automaticVersionSwitch: true } }],
    ["/deployments/a/us", '"4"', { deployment: { automaticVersionSwitch: true } }],
  ]);
});
