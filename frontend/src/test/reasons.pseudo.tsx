import { cleanup, screen } from "@testing-library/react";
import type { ComponentProps } from "react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { QuarantinedWork } from "../pages/Health";
import { ImpactCard } from "../pages/approval/Impact";
import { Removals } from "../pages/upgrade/Removals";
import { Prospects } from "../pages/rollouts/Prospects";
import { RemovedFields } from "../pages/versions/report/RemovedFields";
import { ConsideredRules } from "../pages/windows/ConsideredRules";
import { NextOpenings } from "../pages/windows/forms";
import { notified } from "../shell/notify";
import { pseudo } from "../words/pseudo";
import { approval, impact, upgrade } from "./samples";
import { serve, show } from "./show";

it("words why references break", () => {
  const lost = { key: "{version} has no {type}.", values: { version: "v2", type: "CmekConfig" } };
  const reference = {
    service: "jobs.example.com",
    region: "us-west2",
    version: "v1",
    type: "Job",
    path: "keys[]",
    kind: "UNSET",
    target: "CmekConfig",
    reason: "v2 has no CmekConfig.",
    phrases: [lost],
  };
  show(
    <ImpactCard approval={approval({ impact: { ...impact(), references: { breaking: [reference], unknown: [] } } })} />,
  );
  const text = pseudo(lost.key).replace("{version}", "v2").replace("{type}", "CmekConfig");
  expect(screen.getByText(/Job\.keys/).closest("li")?.textContent).toContain(text);
  cleanup();
});

it("words which policy applies to a plan, and what a rollback takes", () => {
  const policy = { key: "No policy was written for it: the default policy applies.", values: {} };
  const approvers = {
    key:
      "{count} person with the role or group {group} must approve." +
      "|{count} people with the role or group {group} must approve.",
    values: { count: 2, group: "ops" },
  };
  const rollback = { key: "Rollback stays possible for {time}, with nothing lost.", values: { time: "7" } };
  serve({});
  show(
    <Prospects
      of={{
        policy: {
          name: "ops",
          needed: 0,
          group: "ops",
          critical: false,
          sentence: "2 people with the role or group ops must approve.",
          phrases: [approvers],
          reason: policy.key,
          reason_phrases: [policy],
        },
        window: { allowed: true, sentence: "", next_open: null },
        resources: null,
        took: null,
        rollback: "Rollback stays possible for 7, with nothing lost.",
        rollback_phrases: [rollback],
        dependants: [],
      }}
    />,
  );
  expect(document.body.textContent).toContain(pseudo(policy.key));
  expect(document.body.textContent).toContain(pseudo(rollback.key).replace("{time}", "7"));
  expect(outsideTexts(document.body, "ops")).toEqual([]);
  cleanup();
});

it("words which rules cover a deployment, and where the clocks move an opening", () => {
  const rule = { key: "{rule} (deny): open", values: { rule: "year-end" } };
  const note = "the clocks skip this time; it opens after the change";
  const permission: ComponentProps<typeof ConsideredRules>["of"] = {
    deployment: "services/iam.example.com/deployments/eu-1",
    environment: "local",
    at: "2026-03-01T14:00:00Z",
    allowed: false,
    sentence: "",
    winner: "year-end",
    considered: ["year-end (deny): open"],
    considered_phrases: [[rule]],
    next_open: null,
    overriders: [],
    may_override: false,
    override_refusal: "",
  };
  show(
    <>
      <ConsideredRules of={permission} />
      <NextOpenings of={[{ opens: "2026-03-29T01:30:00Z", closes: "2026-03-29T03:00:00Z", note }]} />
    </>,
  );
  expect(screen.getByText(new RegExp(pseudo(note).slice(1, 20)))).toBeTruthy();
  expect(screen.getAllByRole("listitem")[0]?.textContent).toContain(pseudo(rule.key).replace("{rule}", "year-end"));
  expect(outsideTexts(document.body, "year-end")).toEqual([]);
  cleanup();
});

it("words what a new version does not have", async () => {
  const method = { key: "the method {path}", values: { path: "Secrets.Wipe" } };
  const removal = {
    what: "Wipe",
    stored: null,
    is_estimate: false,
    callers: [],
    accepted: true,
    waiver: null,
    kept: null,
  };
  serve({
    "GET /upgrades/u1/removals": {
      items: [
        {
          ...removal,
          rule: "method-removed",
          path: "Secrets.Wipe",
          sentence: "the method Secrets.Wipe",
          phrases: [method],
        },
        {
          ...removal,
          rule: "symbol-removed",
          path: "Secret.state",
          what: "GONE",
          sentence: "GONE of Secret.state",
          phrases: [{ key: "{what} of {path}", values: { what: "GONE", path: "Secret.state" } }],
          stored: 7,
          is_estimate: true,
        },
      ],
      next_cursor: null,
      has_more: false,
    },
    "GET /session": { account: null, providers: [], local_sign_in: "on" },
  });
  show(<Removals upgrade={upgrade()} />);
  await screen.findByText(pseudo(method.key).replace("{path}", "Secrets.Wipe"));
  expect(screen.queryByText(/about 7/)).toBeNull();
  expect(outsideTexts(document.body, "Secrets.Wipe GONE Secret.state v1alpha2 v1")).toEqual([]);
  cleanup();
});

it("words why work is quarantined, and what mends it", async () => {
  const reason = {
    key: "Work on {key} began {times} times without finishing.",
    values: { key: "sync", times: 8 },
  };
  const remedy = { key: "Look at the workers' logs for this key, fix the cause, then retry it.", values: {} };
  serve({
    "GET /session": { account: null, providers: [], local_sign_in: "on" },
    "GET /health/quarantined-work": {
      items: [
        {
          controller: "sync",
          key: "sync",
          code: "work-abandoned",
          reason: "Work on sync began 8 times without finishing.",
          phrases: [reason],
          remedy: remedy.key,
          remedy_phrases: [remedy],
          since: "2026-03-01T14:00:00Z",
          attempts: 8,
        },
      ],
      next_cursor: null,
      has_more: false,
    },
  });
  show(<QuarantinedWork />);
  await screen.findByText(pseudo(reason.key).replace("{key}", "sync").replace("{times}", "8"));
  expect(document.body.textContent).toContain(pseudo(remedy.key));
  expect(outsideTexts(document.body, "sync")).toEqual([]);
  cleanup();
});

it("words what notices say", () => {
  const waits = { key: "{version} has no {type}.", values: { version: "v2", type: "Key" } };
  const moved = { key: "the method {path}", values: { path: "Secrets.Wipe" } };
  const overview = {
    needs_you: [{ id: "a1", kind: "approval", sentence: "v2 has no Key.", phrases: [waits], link: "/a" }],
    followed: [{ key: "f1", sentence: "the method Secrets.Wipe", phrases: [moved], link: "/d" }],
  } as unknown as Parameters<typeof notified>[0];
  expect(notified(overview).map(({ sentence }) => sentence)).toEqual([
    pseudo(waits.key).replace("{version}", "v2").replace("{type}", "Key"),
    pseudo(moved.key).replace("{path}", "Secrets.Wipe"),
  ]);
});

it("words what speaks for a field that another one may have become", async () => {
  const reasons = [
    { key: "the types have {share} in common", values: { share: "80%" } },
    { key: "the names share words", values: {} },
  ];
  const candidate = {
    path: "title",
    confidence: 0.8,
    reasons: ["the types have 80% in common", "the names share words"],
    reason_phrases: reasons.map((each) => [each]),
  };
  serve({
    "GET /services/iam.example.com/compatibility/removedFields": {
      items: [{ source: "v1", target: "v2", type: "Role", path: "name", written: true, candidates: [candidate] }],
      next_cursor: null,
      has_more: false,
    },
  });
  show(<RemovedFields service="iam.example.com" before="v1" after="v2" />);
  await screen.findByText(new RegExp(`${pseudo("the names share words")}$`));
  expect(document.body.textContent).toContain(pseudo(reasons[0]?.key ?? "").replace("{share}", "80%"));
  expect(document.body.textContent).not.toContain("in common");
  cleanup();
});
