import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { check, upgrade } from "../../../test/samples";
import { show } from "../../../test/show";
import { PHASES } from "../../../parts/charts/phases";
import { cutoverOf, deedsOf, type History, momentOf, scopeOf, spansOf, ticksOf } from "./replay";
import { sheetAt, sheetOf } from "./steps";

const minute = (at: number): string => new Date(Date.UTC(2026, 2, 1, 14, at)).toISOString();
const ms = (at: number): number => Date.parse(minute(at));
const history: History = {
  as_of: minute(60),
  transitions: [
    { at: minute(0), state: "PLANNED", who: "olga" },
    { at: minute(1), state: "SYNCING", who: "olga" },
    { at: minute(4), state: "READY", who: "switchyard" },
    { at: minute(8), state: "SWITCHING", who: "olga" },
    { at: minute(9), state: "REVERSIBLE", who: "switchyard" },
  ],
  shards: {
    shard: [0, 1, 0, 1],
    at: [minute(1), minute(2), minute(3), minute(4)],
    state: ["syncing", "syncing", "ready", "ready"],
    complete: true,
  },
  compared: { shard: [], at: [] },
  callers: { seen_from: "2026-02-22T14:00:00Z", switched_at: null, versions: [] },
  requests: [
    { at: minute(5), who: "olga", purpose: "switch", evidence: [{ ...check("level", "pass", "All."), remedy: "" }] },
  ],
  votes: [{ at: minute(6), who: "ann", verdict: "approve", purpose: "switch", void: "", evidence: [] }],
  switch_steps: [],
};

const textOf = (of: ReactNode): string => {
  const { container, unmount } = show(<p>{of}</p>);
  const text = container.querySelector("p")?.textContent ?? "";
  unmount();
  return text;
};

const states = (part: Parameters<typeof upgrade>[0]): string =>
  sheetOf(upgrade(part))
    .map((step) => step.state[0])
    .join("");

const approvals = (needed: number, counted: number) => ({
  checks: [check("level", "pass", "All shards are caught up."), check("approval", "pending", "1 vote is missing.")],
  approvals: { ...upgrade().readiness.approvals, needed, votes_given: counted },
  not_before: null,
  predicted_freeze_ms: 110,
});

it("marks one step as present in every state", () => {
  expect(states({ state: "PLANNED" })).toBe("dctttttt");
  expect(states({ state: "SYNCING" })).toBe("ddcttttt");
  expect(states({ state: "READY" })).toBe("dddctttt");
  expect(states({ state: "READY", readiness: approvals(2, 1) })).toBe("ddddcttt");
  expect(states({ state: "READY", readiness: approvals(2, 2) })).toBe("dddddctt");
  expect(states({ state: "REVERSIBLE" })).toBe("ddddddct");
  expect(states({ state: "COMPLETED" })).toBe("dddddddd");
  expect(states({ state: "HALTED" })).toBe("dddddftt");
  expect(states({ state: "ABORTED" })).toBe("ddfsssss");
  expect(states({ state: "REVERTED" })).toBe("ddddddcs");
});

it("says what is not known as that, and what is expected of the steps to come", () => {
  const sheet = sheetOf(upgrade({ state: "SYNCING", readiness: approvals(2, 0) }));
  const of = (phase: string) => sheet.find((step) => step.phase === phase);
  expect(of("Backfill")?.text).toBe("15 of 20 resources · 0 quarantined");
  expect(of("Evidence")?.text).toBe("1 of 1 check passed");
  expect(textOf(of("Cutover")?.expected)).toBe("expected pause 110 ms · an operator switches");
  expect(textOf(of("Evidence")?.expected)).toBe("after the backfill · checked automatically");
  const silent = sheetOf(upgrade({ readiness: { ...approvals(1, 0), checks: [], predicted_freeze_ms: null } }));
  expect(silent[3]?.text).toBe("not checked yet");
  expect(silent.map((step) => step.phase)).toEqual([...PHASES]);
});

it("says when the steps to come are expected, and who must be there", () => {
  const readiness = { ...approvals(2, 0), not_before: "2026-03-01T22:00:00Z" };
  const part = upgrade({ state: "SYNCING", plan: { rollback_hours: 168 }, readiness });
  const sheet = sheetOf({ ...part, progress: { ...part.progress, eta: { low_seconds: 240, high_seconds: 540 } } });
  expect(sheet.map((step) => textOf(step.expected))).toEqual([
    "",
    "",
    "",
    "in about 4–9 min · checked automatically",
    "needs 2 from approvers",
    "not before 2026-03-01 22:00:00 UTC · expected pause 110 ms · an operator switches",
    "for 7 d after the switch · an operator may roll back",
    "7 d after the switch · completes automatically",
  ]);
});

it("makes spans of the changes of each shard", () => {
  expect(spansOf(history, ms(10)).map((span) => [span.shard, span.state, span.from, span.to])).toEqual([
    [0, "syncing", ms(1), ms(3)],
    [1, "syncing", ms(2), ms(4)],
    [0, "ready", ms(3), ms(10)],
    [1, "ready", ms(4), ms(10)],
  ]);
});

it("replays the state, the shards, the votes and the evidence of a moment", () => {
  const samples = {
    at: [minute(2), minute(3)],
    ready: [0, 1],
    lag_p50: [],
    lag_p95: [3, 0.2],
    lag_max: [],
    rate: [900, 10],
    write_p95: [],
  };
  const early = momentOf(history, samples, ms(2.5));
  expect([early.state, early.shards, early.votes.length, early.evidence, early.lag]).toEqual([
    "SYNCING",
    { syncing: 2 },
    0,
    null,
    3,
  ]);
  const later = momentOf(history, samples, ms(7));
  expect([later.state, later.shards, later.votes[0]?.who, later.evidence?.at, later.rate]).toEqual([
    "READY",
    { ready: 2 },
    "ann",
    minute(5),
    10,
  ]);
  expect(momentOf(history, undefined, ms(-1)).state).toBeNull();
});

it("keeps the pause of the switch beside that of the rollback", () => {
  const back = upgrade({ state: "REVERTED", freeze_ms: 71.2, rollback_freeze_ms: 172.6 });
  const texts = new Map(sheetOf(back).map((step) => [step.phase, step.text]));
  expect(texts.get("Cutover")).toBe("Writes were paused for 71 ms.");
  expect(texts.get("Rollback window")).toBe("Rolled back to v1alpha2; writes were paused for 173 ms.");
});

it("shows the sheet as it was, without figures of today", () => {
  // After the switch readiness is that of a rollback, which needs no votes here.
  const now = upgrade({ state: "REVERSIBLE", freeze_ms: 71, readiness: approvals(0, 0) });
  const early = sheetAt(now, momentOf(history, undefined, ms(2.5)));
  expect(early.map((step) => step.state[0]).join("")).toBe("ddcttttt");
  expect(early.slice(2, 6).map((step) => step.text)).toEqual([
    "0 of 2 shards caught up",
    "no checks were recorded until then",
    "0 approvals",
    "freeze, catch up, verify, flip, publish, reverse replication",
  ]);
  const later = sheetAt(now, momentOf(history, undefined, ms(7)));
  expect(later.map((step) => step.state[0]).join("")).toBe("dddddctt");
  expect(later[4]?.text).toBe("1 approval");
  const asked = momentOf(history, undefined, ms(5));
  expect(sheetAt(now, asked, momentOf(history, undefined, Infinity))[4]?.state).toBe("current");
  expect(
    sheetOf(now, momentOf(history, undefined, Infinity))
      .slice(3, 5)
      .map((step) => step.text),
  ).toEqual(["When approval was requested: 1 of 1 check passed", "1 approval"]);
  expect(sheetOf(now)[4]?.text).toBe("");
});

it("shows the time until shortly after the switch, or all of it", () => {
  expect(cutoverOf(history)).toEqual({ from: ms(8), to: ms(9) });
  expect(scopeOf(history, true)).toEqual({ from: ms(0), to: ms(60) });
  expect(scopeOf(history, false)).toEqual({ from: ms(0), to: ms(9) + 108_000 });
  expect(ticksOf({ from: ms(0), to: ms(10) }, 5)).toEqual([ms(0), ms(5), ms(10)]);
  expect(deedsOf(history).map((deed) => deed.text)).toEqual(["olga planned", "approval requested", "ann approved"]);
});

it("replays a moment of 4,096 shards with 10,000 changes within a tenth of a second", () => {
  const many: History = { ...history, shards: { shard: [], at: [], state: [], complete: true } };
  for (let at = 0; at < 10_000; at += 1) {
    many.shards.shard.push(at % 4096);
    many.shards.at.push(new Date(ms(1) + at * 20).toISOString());
    many.shards.state.push(at % 2 ? "ready" : "syncing");
  }
  // Ten moments, so that one slow turn of a busy machine is no failure.
  const took = Array.from({ length: 10 }, (_, at) => {
    const began = performance.now();
    momentOf(many, undefined, ms(1) + at * 20_000);
    return performance.now() - began;
  });
  expect(Math.min(...took)).toBeLessThan(100);
});

it("takes the steps of a rollback, which are recorded in the places of those of the switch, for none of it", () => {
  const step = (name: string, at: string) => ({ step: name, at, took_seconds: 0, state: "done" });
  const back = {
    ...history,
    transitions: [...history.transitions, { at: minute(20), state: "REVERTING", who: "olga" }],
    switch_steps: [step("freeze", minute(21)), step("abort", minute(8))],
  } as History;
  expect([...momentOf(back, undefined, ms(60)).switchSteps]).toEqual(["abort"]);
});

it("promises no rollback without loss where the old version is not kept current", () => {
  const texts = (plan: Record<string, unknown>): string[] =>
    sheetOf(upgrade({ state: "REVERSIBLE", plan }))
      .slice(6)
      .map((step) => step.text);
  expect(texts({})).toEqual([
    "v1alpha2 is kept current; a rollback loses no data.",
    "Replication to v1alpha2 ends; v1 stays.",
  ]);
  expect(texts({ downgrade_sync: false })).toEqual([
    "v1alpha2 stays as of the switch; a rollback loses every later write.",
    "v1 stays.",
  ]);
});

it("says of an upgrade that is complete what has ended, not what will", () => {
  const texts = (plan: Record<string, unknown>): string[] =>
    sheetOf(upgrade({ state: "COMPLETED", plan }))
      .slice(6)
      .map((step) => step.text);
  expect(texts({})).toEqual(["The rollback window is closed.", "Replication to v1alpha2 has ended; v1 stays."]);
  expect(texts({ downgrade_sync: false })).toEqual(["The rollback window is closed.", "v1 stays."]);
});
