import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { PlanPage } from "../pages/Plan";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

const name = "services/iam.example.com/deployments/eu-1";
const cell = { name, service: "iam.example.com", region: "eu-1", current_version: "v1", target_version: null };

it("words what an upgrade would do, and what its switch asks a person to accept", async () => {
  const follow = { key: "Follow every live write until all shards are caught up.", values: {} };
  const removed = { key: "{version} does not have the method {path}.", values: { version: "v2", path: "Roles.Wipe" } };
  const accept = { key: "Accept it before the switch.", values: {} };
  const prospects = {
    policy: { name: "", needed: 0, group: "", critical: false, sentence: "", reason: "" },
    window: { allowed: true, sentence: "", next_open: null },
    resources: null,
    took: null,
    rollback: "",
    dependants: [],
  };
  serve({
    "GET /fleet": { cells: [cell], services: [], regions: [] },
    "GET /deployments/iam.example.com/eu-1": {
      ...cell,
      shard_count: 16,
      reachable_versions: [{ version: "v2", reachable: true, reason: "" }],
    },
    "GET /session": { account: null, providers: [], local_sign_in: "on" },
    "POST /upgrades?dry_run=true": {
      checks: [],
      would: [follow.key, "v2 does not have the method Roles.Wipe. Accept it before the switch."],
      would_phrases: [[follow], [removed, accept]],
      prospects,
    },
  });
  show(<PlanPage />, `/upgrades/new?deployment=${encodeURIComponent(name)}&target=v2`);
  const steps = (await screen.findByText(pseudo(follow.key))).closest("ol") ?? document.body;
  expect(steps.textContent).toContain(pseudo(removed.key).replace("{version}", "v2").replace("{path}", "Roles.Wipe"));
  expect(outsideTexts(steps, "Roles.Wipe v2")).toEqual([]);
  cleanup();
});
