import { describe, expect, it } from "vitest";
import type { Check, Component, UpgradeState } from "../wire/model";
import { bySeverity, summary } from "./componentHealth";
import { momentOf } from "./moments";
import { PHASES, phaseOf } from "./charts/phases";
import { countText, heldUp, lagText, passes, shortService, stateWord, stops, upgradeWord } from "./status";

describe("the word of a state", () => {
  it.each([
    ["READY", "wait", "Ready to switch"],
    ["ready", "wait", "Ready to switch"],
    ["REVERSIBLE", "ok", "Rollback open"],
    ["HALTED", "blocked", "Halted"],
    ["SILENT", "bad", "No reports"],
    ["HANDED_OVER", "unknown", "Handed over"],
  ])("%s", (state, tone, word) => expect(stateWord(state)).toEqual({ tone, word }));

  it("is the state itself, readable, where this console does not know it", () => {
    expect(stateWord("WAITING_FOR_PEER")).toEqual({ tone: "unknown", word: "waiting for peer" });
    expect(stateWord("")).toEqual({ tone: "unknown", word: "unknown" });
  });

  it("of an upgrade says first that it is paused, then that something holds it up", () => {
    const stall = { reason: "no report" };
    expect(upgradeWord({ state: "SYNCING", paused: true, stall })).toEqual({ tone: "wait", word: "Syncing, paused" });
    expect(upgradeWord({ state: "SYNCING", stall })).toEqual(heldUp("SYNCING"));
    expect(upgradeWord({ state: "READY", blockages: [{}] })).toEqual({
      tone: "blocked",
      word: "Ready to switch, blocked",
    });
    expect(upgradeWord({ state: "SYNCING", paused: false, stall: null, blockages: [] })).toEqual({
      tone: "run",
      word: "Syncing",
    });
  });
});

it("tells checks that stop a step from those that are no reason to look", () => {
  const verdicts: Check["verdict"][] = ["pass", "skipped", "warn", "pending", "fail", "unknown"];
  expect(verdicts.filter((verdict) => passes({ verdict }))).toEqual(["pass", "skipped"]);
  expect(verdicts.filter((verdict) => stops({ verdict }))).toEqual(["pending", "fail", "unknown"]);
});

describe("figures", () => {
  it.each([
    [0, "0"],
    [999.5, "1,000"],
    [1_234_567, "1,234,567"],
    [null, "–"],
    [undefined, "–"],
  ])("count %s as %s", (value, text) => expect(countText(value)).toBe(text));

  it.each([
    [0, "0.0 s"],
    [9.94, "9.9 s"],
    [10, "10 s"],
    [59.6, "60 s"],
    [null, "–"],
    [undefined, "–"],
  ])("say a lag of %s as %s", (seconds, text) => expect(lagText(seconds)).toBe(text));

  it("name a service by its first part", () => {
    expect([shortService("secrets.example.com"), shortService("iam"), shortService("")]).toEqual([
      "secrets",
      "iam",
      "",
    ]);
  });
});

it("gives each state of an upgrade its step, past the last where all is done", () => {
  const states: UpgradeState[] = ["PLANNED", "SYNCING", "READY", "SWITCHING", "REVERSIBLE", "COMPLETED", "HANDED_OVER"];
  expect(states.map((state) => PHASES[phaseOf(state)] ?? "past the last")).toEqual([
    "Plan",
    "Backfill",
    "Approvals",
    "Cutover",
    "Rollback window",
    "past the last",
    "Preflight",
  ]);
});

describe("components", () => {
  const of = (name: string, status: Component["status"]): Component => ({ name, status }) as Component;
  const all = [
    of("web", "ok"),
    of("broker", "down"),
    of("mail", "unknown"),
    of("workers", "degraded"),
    of("a", "down"),
  ];

  it("stand in the order of how bad they are, else as the server gave them", () => {
    expect(bySeverity(all).map((each) => each.name)).toEqual(["broker", "a", "workers", "mail", "web"]);
    expect(all[0]?.name).toBe("web");
  });

  it("are summed up in a sentence", () => {
    expect(summary(all)).toBe("4 of 5 components are not healthy: Message broker, mail, Workers, a.");
    expect(summary([of("web", "ok"), of("mail", "down")])).toBe("1 of 2 components is not healthy: mail.");
    expect(summary([of("web", "ok")])).toBe("All 1 components are healthy.");
  });
});

it("takes a day for its first moment, and passes on whatever else is typed", () => {
  expect([momentOf(" 2026-03-01 "), momentOf("2026-03-01T10:00:00Z"), momentOf("1 March"), momentOf("")]).toEqual([
    "2026-03-01T00:00:00Z",
    "2026-03-01T10:00:00Z",
    "1 March",
    "",
  ]);
});
