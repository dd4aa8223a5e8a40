import { expect, it } from "vitest";
import type { UpgradeEvent } from "../../../wire/model";
import { entries, linkedIn } from "./timeline";

const event = (seq: number, kind: string, text = kind): UpgradeEvent => ({
  seq,
  at: "",
  who: "ann",
  kind,
  text,
  details: {},
});
const all = [event(1, "start"), event(2, "shard-level"), event(3, "shard-level"), event(4, "switch")];

it("shows what matters, newest first", () =>
  expect(entries(all, "compact", "").map((each) => each.seq)).toEqual([4, 1]));
it("joins neighbours of a kind", () =>
  expect(entries(all, "grouped", "").map((each) => [each.seq, each.more])).toEqual([
    [4, 0],
    [3, 1],
    [1, 0],
  ]));
it("shows everything once, even when pages overlap", () =>
  expect(entries([...all, event(2, "shard-level")], "full", "")).toHaveLength(4));
it("filters by word", () => expect(entries(all, "full", "SWITCH").map((each) => each.seq)).toEqual([4]));

it("shows the event that a link names in every density and through every filter", () => {
  const line = (seq: number, kind: string) => ({ seq, at: "", who: "", kind, text: kind, details: {} });
  const story = [line(1, "start"), line(2, "shard"), line(3, "shard"), line(4, "shard")];
  expect(entries(story, "compact", "", 3).map((each) => each.seq)).toEqual([3, 1]);
  expect(entries(story, "grouped", "", 3).map((each) => [each.seq, each.more])).toEqual([
    [4, 0],
    [3, 1],
    [1, 0],
  ]);
  expect(entries(story, "full", "start", 3).map((each) => each.seq)).toEqual([3, 1]);
  expect([linkedIn("#event-12"), linkedIn("#gate"), linkedIn("")]).toEqual([12, null, null]);
});
