import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveEvent } from "../wire/model";
import { LiveClient, MOST_HELD, type Wire } from "./client";

class FakeWire implements Wire {
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.onclose?.({ code: 1000 });
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let wires: FakeWire[] = [];
let batches: LiveEvent[][] = [];
let resyncs: (string | null)[] = [];
let refused = 0;

function client(): LiveClient {
  return new LiveClient({
    openSocket: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    openEvents: () => null,
    onEvents: (events) => batches.push(events),
    onResync: (topic) => resyncs.push(topic),
    onDenied: () => undefined,
    onRefused: () => {
      refused += 1;
    },
  });
}

const hello = (seq: number) => ({ op: "hello", seq, server_time: new Date().toISOString() });
const event = (seq: number) => ({
  op: "event",
  seq,
  ts: "",
  topic: "fleet",
  kind: "deployment",
  id: "d",
  rev: seq,
  patch: {},
});

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  batches = [];
  resyncs = [];
  refused = 0;
});
afterEach(() => vi.useRealTimers());

it("asks for its topics from where it was when the socket returns", () => {
  const live = client();
  live.follow("fleet");
  live.start();
  wires[0]?.onopen?.();
  expect(wires[0]?.sent).toEqual([]);
  wires[0]?.say(hello(10));
  expect(wires[0]?.sent).toEqual([{ op: "subscribe", topics: ["fleet"], since: 10 }]);
  wires[0]?.say(event(12));
  wires[0]?.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(1500);
  wires[1]?.onopen?.();
  expect(wires[1]?.sent).toEqual([{ op: "subscribe", topics: ["fleet"], since: 12 }]);
  live.stop();
});

it("hands many events over at most five times a second", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  for (let seq = 1; seq <= 200; seq += 1) {
    wires[0]?.say(event(seq));
    vi.advanceTimersByTime(5);
  }
  vi.advanceTimersByTime(200);
  expect(batches.length).toBeLessThanOrEqual(6);
  expect(batches.flat()).toHaveLength(200);
  live.stop();
});

it("hands one event over at once, and the next not before a fifth of a second", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  wires[0]?.say(event(1));
  vi.advanceTimersByTime(20);
  expect(batches.flat().map((one) => one.seq)).toEqual([1]);
  wires[0]?.say(event(2));
  vi.advanceTimersByTime(199);
  expect(batches).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(batches.flat().map((one) => one.seq)).toEqual([1, 2]);
  live.stop();
});

it("holds events while paused and counts them", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  live.pause(true);
  wires[0]?.say(event(1));
  wires[0]?.say(event(2));
  vi.advanceTimersByTime(1000);
  expect(batches).toHaveLength(0);
  expect(live.held.get()).toBe(2);
  live.pause(false);
  expect(batches.flat().map((one) => one.seq)).toEqual([1, 2]);
  expect(live.held.get()).toBe(0);
  live.stop();
});

it("reads again what it could not replay only when changes are no longer held", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  live.pause(true);
  wires[0]?.say({ op: "resync", topic: "fleet" });
  expect(resyncs).toEqual([]);
  live.pause(false);
  expect(resyncs).toEqual(["fleet"]);
  live.stop();
});

it("keeps no endless heap of held changes: beyond a number everything is read again", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  live.pause(true);
  for (let seq = 1; seq <= MOST_HELD + 2; seq += 1) wires[0]?.say(event(seq));
  expect(live.held.get()).toBe(MOST_HELD + 2);
  live.pause(false);
  expect([batches.flat().map((one) => one.seq), resyncs]).toEqual([[MOST_HELD + 2], [null]]);
  live.stop();
});

it("asks every five seconds when no stream can be opened, and tries the socket again", () => {
  const live = client();
  live.start();
  for (let at = 0; at < 4; at += 1) {
    wires[at]?.onclose?.({ code: 1006 });
    if (at < 3) vi.advanceTimersByTime(20_000);
  }
  expect(live.status.get().transport).toBe("poll");
  vi.advanceTimersByTime(10_100);
  expect(resyncs).toEqual([null, null, null]);
  vi.advanceTimersByTime(20_000);
  expect(wires).toHaveLength(5);
  wires[4]?.onopen?.();
  expect(live.status.get()).toMatchObject({ transport: "socket", connected: true });
  live.stop();
});

it("says when the session is gone", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  wires[0]?.onclose?.({ code: 4401 });
  expect(refused).toBe(1);
  live.stop();
});

it("passes resyncs on", () => {
  const live = client();
  live.start();
  wires[0]?.onopen?.();
  wires[0]?.say({ op: "resync", topic: "fleet" });
  expect(resyncs).toEqual(["fleet"]);
  live.stop();
});

it("asks for a graph whole again when it lost some of it, and gives it up when nobody looks", () => {
  const live = client();
  const graph = "references:in:1://s/r/n";
  const leave = live.follow(graph);
  live.start();
  wires[0]?.onopen?.();
  wires[0]?.say(hello(3));
  wires[0]?.say({ op: "resync", topic: graph });
  leave();
  expect(wires[0]?.sent).toEqual([
    { op: "subscribe", topics: [graph], since: 3 },
    { op: "subscribe", topics: [graph], since: 3 },
    { op: "unsubscribe", topics: [graph] },
  ]);
  expect(resyncs).toEqual([]);
  live.stop();
});
