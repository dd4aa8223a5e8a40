import { cleanup } from "@testing-library/react";
import type { ComponentProps } from "react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { PendingTasks } from "../pages/home/PendingTasks";
import { RolloutItem } from "../pages/rollouts/RolloutItem";
import { Proposal } from "../pages/rollouts/Proposal";
import { reasonsOf } from "../pages/rollouts/waves";
import { Advice } from "../pages/versions/changes/Advice";
import { Decisions } from "../pages/versions/changes/Decisions";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

it("words the decisions on a definition, the advice on it and what a phase waits for", () => {
  const lacking = [
    { key: "not proved unused:", values: {} },
    { key: "it was seen {count} time|it was seen {count} times", values: { count: 3 } },
  ];
  const way = { cost: 1, client_deployments: 0, server_deployments: 1, data_tasks: 0, conversions: 0 };
  const pro = { key: "It takes effect at once.", values: {} };
  const advice: ComponentProps<typeof Advice>["of"] = {
    recommended: "in-place",
    sentence: "Make a new version: the other way is not possible.",
    phrases: [
      { key: "Make a new version:", values: {} },
      { key: "the other way is not possible.", values: {} },
    ],
    ways: [
      { ...way, way: "in-place", possible: true, open_conversions: 0, pros: [pro.key], pro_phrases: [[pro]], cons: [] },
    ],
  };
  const stop = { key: "Clients stop sending it.", values: {} };
  const phase = {
    side: "client" as const,
    action: stop.key,
    action_phrases: [stop],
    wait: "until it is proved unused",
  };
  const reason = "not proved unused: it was seen 3 times";
  const decision: ComponentProps<typeof Decisions>["of"][number] = {
    version: "v1",
    rule: "key-removed",
    path: "Box.title",
    change: "",
    verdict: "needs-steps",
    reasons: [reason],
    reason_phrases: [lacking],
    steps: [],
    phases: [{ ...phase, lacking: [reason], lacking_phrases: [lacking] }],
    advice: "",
    places: [],
    stored: [],
    senders: [],
    readers: [],
    receivers: [],
    newest_evidence: null,
    evidence_is_old: false,
    waiver: null,
  };
  serve({});
  show(
    <>
      <Advice of={advice} />
      <Decisions service="store.example.com" of={[decision]} />
    </>,
    "/",
  );
  expect(document.body.textContent).toContain(pseudo(stop.key));
  expect(document.body.textContent).toContain(pseudo("it was seen {count} times").replace("{count}", "3"));
  expect(document.body.textContent).not.toMatch(/proved unused|at once|not possible|until it/);
  cleanup();
});

it("words what waits for a person", () => {
  const phrases = [
    { key: "Your token {token} ends at {ends_at}.", values: { token: "ci", ends_at: "2026-03-02T10:00Z" } },
  ];
  const sentence = "Your token ci ends at 2026-03-02 10:00 UTC.";
  serve({});
  show(
    <PendingTasks needs={[{ kind: "token", id: "t1", sentence, phrases, deadline: null, link: "/settings/access" }]} />,
  );
  expect(outsideTexts(document.body, "ci UTC")).toEqual([]);
  cleanup();
});

it("words why deployments stand in their wave, and why others are left out", () => {
  const after = {
    key: "after {service}, of which {version} imports {asked}",
    values: { service: "iam", version: "v2", asked: "v2" },
  };
  const item = { deployment: "services/web/deployments/eu", service: "web", region: "eu", from_version: "v1" };
  const disabled = { key: "It is disabled.", values: {} };
  serve({});
  show(
    <Proposal
      of={{
        kind: "balanced",
        target_version: "v2",
        seconds: null,
        waves: [
          [
            {
              ...item,
              seconds: null,
              not_before: null,
              reasons: ["after iam, of which v2 imports v2"],
              reason_phrases: [[after]],
            },
          ],
        ],
        left_out: [{ deployment: item.deployment, reason: disabled.key, phrases: [disabled] }],
      }}
    />,
  );
  expect(outsideTexts(document.body, "iam web @ eu v1 v2")).toEqual([]);
  cleanup();
});

it("words why versions cannot be reached, each reason once", () => {
  const phrases = [{ key: "It runs this version already.", values: {} }];
  const unreachable = ["eu", "us"].map((region) => ({
    deployment: `services/iam/deployments/${region}`,
    reason: "It runs this version already.",
    phrases,
  }));
  const [reason = "", ...rest] = reasonsOf({ unreachable });
  expect(reason).toMatch(new RegExp(`${pseudo("It runs this version already.")}$`));
  expect(rest).toEqual([]);
});

it("words why a deployment of a rollout failed", () => {
  const reason = { key: "{deployment} is being upgraded.", values: { deployment: "iam" } };
  const item: ComponentProps<typeof RolloutItem>["item"] = {
    deployment: "services/iam/deployments/eu",
    service: "iam",
    region: "eu",
    from_version: "v1",
    to_version: "v2",
    state: "failed",
    reason: "iam is being upgraded.",
    reason_phrases: [reason],
    upgrade_id: "u1",
    upgrade_state: "PLANNED",
    plan_digest: "p1",
    plan_changed: false,
    sentence: "It waits.",
    ready: 0,
    total: 16,
    percent: null,
    lag_seconds: null,
    unknown_shards: 0,
    oldest_report_at: null,
    blocked: false,
    freeze_ms: null,
    reversible_until: null,
    settled_at: null,
  };
  serve({});
  show(<RolloutItem item={item} paused over={false} onAct={() => undefined} />);
  expect(outsideTexts(document.body, "iam @ eu v1 v2")).toEqual([]);
  cleanup();
});

it("takes the number of a build for no text, however it begins", () => {
  const page = document.createElement("p");
  page.textContent = "9073f419 b419077c 07b4 left";
  expect(outsideTexts(page, "")).toEqual(["b4 left (p)"]);
});
