import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../test/show";
import { PlanPage } from "./Plan";

const name = "services/secrets.example.com/deployments/eu-1";
const cell = { name, service: "secrets.example.com", region: "eu-1", current_version: "v1" };
const rehearsed = {
  checks: [],
  would: ["Copy every resource from 16 shards to 8 shards, while writes go on."],
  prospects: {
    policy: { name: "none", sentence: "No approval is needed.", reason: "", needed: 0, group: "", critical: false },
    window: { allowed: true, sentence: "It may switch at any time.", next_open: null },
    resources: null,
    took: null,
    rollback: "for 7 days",
    dependants: [],
  },
};

it("plans another shard count alone, without a target version", async () => {
  const sent = serve({
    "GET /fleet": { regions: [], services: [], cells: [cell] },
    "GET /deployments/secrets.example.com/eu-1": { ...cell, reachable_versions: [], shard_count: 16 },
    "POST /upgrades": rehearsed,
  });
  show(<PlanPage />, `/upgrades/new?deployment=${encodeURIComponent(name)}`);
  const count = await screen.findByLabelText("Shard count");
  expect(screen.getByText(/16 shards now\. Empty: unchanged/)).toBeTruthy();
  await userEvent.type(count, "8");
  expect(await screen.findByText(rehearsed.would[0] ?? "")).toBeTruthy();
  await waitFor(() => {
    const asked = sent.filter((each) => each.method === "POST").at(-1);
    expect(asked?.body).toMatchObject({ kind: "shards", target_version: "", target_shard_count: 8 });
  });
});
