import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { ConstraintsPanel } from "../pages/deployment/Constraints";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

it("words what work between deployments waits for, and why deletions and read copies are not followed", async () => {
  const place = { key: "{place}:", values: { place: "iam.example.com @ us-2" } };
  const silent = { key: "Region {region} does not answer.", values: { region: "us-2" } };
  const unconverted = {
    key: "{count} resource does not convert to {version}.|{count} resources do not convert to {version}.",
    values: { count: 3, version: "v2" },
  };
  const busy = { key: "The data database {database} does not answer.", values: { database: "eu" } };
  serve({
    "GET /session": { account: null, providers: [], local_sign_in: "on" },
    "GET /constraints/secrets.example.com/eu-1/evictions": {
      items: [],
      evict: { action: "evict", allowed: true, reason: "", who_can: [] },
    },
    "GET /constraints/secrets.example.com/eu-1": {
      deployment: "services/secrets.example.com/deployments/eu-1",
      service: "secrets.example.com",
      region: "eu-1",
      state: "known",
      reason: "",
      tally: null,
      moving: [],
      read_copies: [
        {
          region: "us-2",
          version: "v2",
          state: "unknown",
          position: "",
          behind_seconds: 75,
          waiting: 0,
          problem: "3 resources do not convert to v2.",
          problem_phrases: [unconverted],
        },
      ],
      policy_changes: [],
      subscriptions: [
        {
          service: "iam.example.com",
          region: "us-2",
          state: "unknown",
          position: "",
          behind_seconds: null,
          waiting: 0,
          problem: "iam.example.com @ us-2: Region us-2 does not answer.",
          problem_phrases: [place, silent],
        },
      ],
      waits: [
        {
          work: "pending",
          waits_for: "The data database eu does not answer.",
          waits_for_phrases: [busy],
          quarantined: false,
          seconds: 75,
        },
      ],
    },
  });
  show(<ConstraintsPanel service="secrets.example.com" region="eu-1" />);
  await screen.findByText(new RegExp(pseudo(silent.key).split("{region}")[1] ?? "none"));
  expect(document.body.textContent).toContain(pseudo(busy.key).replace("{database}", "eu"));
  expect(outsideTexts(document.body, "iam @ us-2 iam.example.com @ us-2 eu v2")).toEqual([]);
  cleanup();
});
