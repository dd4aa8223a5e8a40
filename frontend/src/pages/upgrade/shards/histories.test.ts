import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { passes, shardWords, stops, upgradeWord, verdictWords } from "../../../parts/status";
import type { Cell, Upgrade, UpgradeSummary } from "../../../wire/model";
import { cellWord } from "../../fleet/fleet";
import { asOf, counts, percent } from "./shards";

/** What the server said of real upgrades, moment by moment: healthy, starved, cut off, stopped, throttled, rolled back. */
interface Moment {
  at: string;
  page: Upgrade;
  listed: UpgradeSummary;
  cell: Cell;
}

const folder = new URL("../../../../../tests/histories/recorded/", import.meta.url);
const histories = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as { history: string; moments: Moment[] });

it("are recorded for each way an upgrade may go", () => {
  expect(histories.map((each) => each.history).sort()).toEqual([
    "broker-unavailable",
    "healthy",
    "lease-held",
    "partitioned",
    "quarantined",
    "rolled-back",
    "starved",
    "throttled",
  ]);
});

describe.each(histories)("the history $history", ({ moments }) => {
  it.each(moments)("is shown without contradiction at $at", ({ at, page, listed, cell }) => {
    const now = Date.parse(at);
    const known = asOf(page, now);
    const caughtUp = known.shards.items.filter((shard) => shardWords[shard.state].tone === "ok");
    // The page ages figures by the same limits as the server, so right after an answer it adds nothing to it.
    expect(known.shards.ready).toBe(page.shards.ready);
    expect(known.progress.percent).toBe(page.progress.percent);
    expect(caughtUp.length).toBe(page.shards.ready);
    expect(counts(known.shards.items).reduce((sum, [, many]) => sum + many, 0)).toBe(page.shards.total);
    for (const shard of known.shards.items)
      expect(percent(shard) === 100).toBe(shard.state === "ready" || shard.state === "switched");
    // One word on the page, in the list and in the fleet.
    expect(upgradeWord(listed)).toEqual(upgradeWord(page));
    if (cell.upgrade_id) expect(cellWord(cell)).toEqual(upgradeWord(page));
    const held = page.blockages.length > 0 || page.stall !== null;
    expect(upgradeWord(page).word.includes("blocked")).toBe(held);
    if (held) expect(["ok", "run"]).not.toContain(upgradeWord(page).tone);
    for (const check of page.readiness.checks) {
      expect(verdictWords[check.verdict].tone === "bad").toBe(check.verdict === "fail");
      if (passes(check)) expect([stops(check), check.remedy]).toEqual([false, ""]);
    }
  });

  it.each(moments)("grows old when nothing more is heard after $at", ({ at, page }) => {
    const later = asOf(page, Date.parse(at) + 3_600_000);
    const reporting = ["SYNCING", "READY", "SWITCHING", "REVERTING"].includes(page.state) && !page.paused;
    if (!reporting) return expect(later).toBe(page);
    for (const shard of later.shards.items) expect(shardWords[shard.state].tone).not.toBe("ok");
    expect(later.shards.ready).toBe(0);
    expect(later.progress.percent ?? 0).toBeLessThan(100);
  });
});
