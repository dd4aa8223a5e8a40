import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveEvent } from "../wire/model";
import { Applier, touched } from "./apply";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function event(part: Partial<LiveEvent>): LiveEvent {
  return { op: "event", seq: 1, ts: "", topic: "upgrade:u1", kind: "upgrade", id: "u1", rev: 2, ...part };
}

it("patches the upgrade a page shows", () => {
  const cache = new QueryClient();
  cache.setQueryData(["upgrade", "u1"], { rev: 1, state: "SYNCING", paused: false });
  new Applier(cache).take([event({ patch: { state: "READY" } })]);
  expect(cache.getQueryData(["upgrade", "u1"])).toEqual({ rev: 2, state: "READY", paused: false });
});

it("reads lists again once a second however many events come", () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  const applier = new Applier(cache);
  for (let seq = 1; seq <= 50; seq += 1) applier.take([event({ seq, topic: "approvals", kind: "approval", id: "a1" })]);
  expect(asked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(asked.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([["approvals"], ["approval"], ["overview"]]);
});

it("reads everything again when the stream cannot say what was missed", () => {
  const cache = new QueryClient();
  const asked = vi.spyOn(cache, "invalidateQueries");
  new Applier(cache).resync(null);
  expect(asked).toHaveBeenCalledWith({ refetchType: "active" });
});

it("knows what each topic touches", () => {
  expect(touched("health", "component")).toEqual([["health"]]);
  expect(touched("upgrade:u9", "event")).toEqual([["upgrade", "u9"]]);
  expect(touched("nothing", "")).toEqual([]);
});
