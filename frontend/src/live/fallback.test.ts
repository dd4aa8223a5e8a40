import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { offset } from "../time/clock";
import type { LiveEvent } from "../wire/model";
import { LiveClient, type Wire } from "./client";

class TestSocket implements Wire {
  sent: unknown[] = [];
  closed = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed += 1;
    this.onclose?.({ code: 1000 });
  }
  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** The part of an EventSource that the client uses. */
class TestSource {
  readyState = 1;
  closed = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  close(): void {
    this.closed += 1;
  }
  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

interface Setup {
  live: LiveClient;
  sockets: TestSocket[];
  sources: { topics: string[]; since: number | null; source: TestSource }[];
  events: LiveEvent[];
  resyncs: (string | null)[];
  denied: [string, string][];
  refused: () => number;
}

function setUp(withEvents = true): Setup {
  const [sockets, sources, events, resyncs, denied] = [[], [], [], [], []] as unknown as [
    Setup["sockets"],
    Setup["sources"],
    LiveEvent[],
    (string | null)[],
    [string, string][],
  ];
  let refused = 0;
  const live = new LiveClient({
    openSocket: () => {
      const socket = new TestSocket();
      sockets.push(socket);
      return socket;
    },
    openEvents: (topics, since) => {
      if (!withEvents) return null;
      const source = new TestSource();
      sources.push({ topics, since, source });
      return source as unknown as EventSource;
    },
    onEvents: (came) => events.push(...came),
    onResync: (topic) => resyncs.push(topic),
    onDenied: (topic, reason) => denied.push([topic, reason]),
    onRefused: () => {
      refused += 1;
    },
  });
  return { live, sockets, sources, events, resyncs, denied, refused: () => refused };
}

/** Let four sockets fail in a row: then the client takes another way. */
function loseSockets(sockets: TestSocket[]): void {
  for (let at = 0; at < 4; at += 1) {
    sockets[at]?.onclose?.({ code: 1006 });
    if (at < 3) vi.advanceTimersByTime(20_000);
  }
}

const event = (seq: number): unknown => ({
  op: "event",
  seq,
  ts: "",
  topic: "fleet",
  kind: "deployment",
  id: "d",
  rev: seq,
  patch: {},
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  offset.set(0);
});

describe("server-sent events, where no socket can be opened", () => {
  it("are asked for the topics that are followed, from where the stream was", () => {
    const { live, sockets, sources } = setUp();
    live.follow("fleet");
    live.follow("health");
    live.start();
    sockets[0]?.onopen?.();
    sockets[0]?.receive({ op: "hello", seq: 7, server_time: new Date().toISOString() });
    sockets[0]?.onclose?.({ code: 1006 });
    for (let at = 1; at < 4; at += 1) {
      vi.advanceTimersByTime(20_000);
      sockets[at]?.onclose?.({ code: 1006 });
    }
    expect(sources).toHaveLength(1);
    expect(sources[0]).toMatchObject({ topics: ["fleet", "health"], since: 7 });
    expect(live.status.get()).toMatchObject({ transport: "sse", connected: false });
    sources[0]?.source.onopen?.();
    expect(live.status.get()).toMatchObject({ transport: "sse", connected: true, attempts: 0, lostAt: null });
    live.stop();
  });

  it("bring events, heartbeats and denials as a socket does", () => {
    const { live, sockets, sources, events, denied } = setUp();
    live.start();
    loseSockets(sockets);
    const source = sources[0]?.source;
    source?.onopen?.();
    source?.receive({ op: "heartbeat", seq: 4, server_time: new Date(Date.now() + 5000).toISOString() });
    expect(offset.get()).toBe(5000);
    source?.receive({ op: "denied", topic: "audit", reason: "no right" });
    expect(denied).toEqual([["audit", "no right"]]);
    source?.receive(event(5));
    source?.receive(event(6));
    vi.advanceTimersByTime(200);
    expect(events.map((one) => one.seq)).toEqual([5, 6]);
    expect(live.status.get()).toMatchObject({ seq: 6, promised: 4 });
    live.stop();
  });

  it("give way to a socket as soon as one opens again", () => {
    const { live, sockets, sources } = setUp();
    live.follow("fleet");
    live.start();
    loseSockets(sockets);
    sources[0]?.source.onopen?.();
    vi.advanceTimersByTime(30_000);
    expect(sockets).toHaveLength(5);
    sockets[4]?.onopen?.();
    expect(sources[0]?.source.closed).toBe(1);
    expect(live.status.get()).toMatchObject({ transport: "socket", connected: true });
    sockets[4]?.receive({ op: "hello", seq: 7, server_time: new Date().toISOString() });
    expect(sockets[4]?.sent).toEqual([{ op: "subscribe", topics: ["fleet"], since: 7 }]);
    live.stop();
  });

  it("try a socket every half minute while they work", () => {
    const { live, sockets, sources } = setUp();
    live.start();
    loseSockets(sockets);
    sources[0]?.source.onopen?.();
    for (let at = 4; at < 7; at += 1) {
      vi.advanceTimersByTime(29_999);
      expect(sockets).toHaveLength(at);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(at + 1);
      sockets[at]?.onclose?.({ code: 1006 });
    }
    expect(live.status.get()).toMatchObject({ transport: "sse", connected: true });
    live.stop();
  });

  it("are waited for while the browser connects them again by itself, and given up once it does not", () => {
    const { live, sockets, sources, resyncs } = setUp();
    live.start();
    loseSockets(sockets);
    const source = sources[0]?.source;
    if (!source) throw new Error("no stream of events");
    source.readyState = 0;
    source.onerror?.();
    expect([source.closed, live.status.get().transport, resyncs]).toEqual([0, "sse", []]);
    source.readyState = 2;
    source.onerror?.();
    expect([source.closed, live.status.get().transport, resyncs]).toEqual([1, "poll", [null]]);
    live.stop();
  });
});

describe("asking by the clock, where nothing can be opened", () => {
  it("stands still while changes are held", () => {
    const { live, sockets, resyncs } = setUp(false);
    live.start();
    live.pause(true);
    loseSockets(sockets);
    vi.advanceTimersByTime(15_000);
    expect([live.status.get().transport, resyncs]).toEqual(["poll", []]);
    live.pause(false);
    vi.advanceTimersByTime(5000);
    expect(resyncs).toEqual([null]);
    live.stop();
  });

  it("ends with the client", () => {
    const { live, sockets, resyncs } = setUp(false);
    live.start();
    loseSockets(sockets);
    live.stop();
    const before = resyncs.length;
    vi.advanceTimersByTime(120_000);
    expect([resyncs.length, sockets.length]).toEqual([before, 4]);
    expect(live.status.get()).toMatchObject({ transport: "socket", connected: false, attempts: 0 });
  });
});

describe("topics", () => {
  it("are asked for once however many parts of a page follow them, and given up with the last", () => {
    const { live, sockets } = setUp();
    live.start();
    sockets[0]?.onopen?.();
    sockets[0]?.receive({ op: "hello", seq: 7, server_time: new Date().toISOString() });
    const [first, second] = [live.follow("upgrade:u1"), live.follow("upgrade:u1")];
    first();
    expect(sockets[0]?.sent).toEqual([{ op: "subscribe", topics: ["upgrade:u1"], since: 7 }]);
    second();
    expect(sockets[0]?.sent.at(-1)).toEqual({ op: "unsubscribe", topics: ["upgrade:u1"] });
    live.stop();
  });

  it("are asked for with the first hello, from its number on", () => {
    const { live, sockets } = setUp();
    live.start();
    live.follow("fleet")();
    live.follow("health");
    expect(sockets[0]?.sent).toEqual([]);
    sockets[0]?.onopen?.();
    expect(sockets[0]?.sent).toEqual([]);
    sockets[0]?.receive({ op: "hello", seq: 7, server_time: new Date().toISOString() });
    expect(sockets[0]?.sent).toEqual([{ op: "subscribe", topics: ["health"], since: 7 }]);
    live.stop();
  });
});

describe("the life of a client", () => {
  it("has one socket however often it is started", () => {
    const { live, sockets } = setUp();
    live.start();
    live.start();
    expect(sockets).toHaveLength(1);
    live.stop();
    expect(sockets[0]?.closed).toBe(1);
  });

  it("takes no notice of the end of a socket that is not its own any more", () => {
    const { live, sockets } = setUp();
    live.start();
    const first = sockets[0];
    first?.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(2000);
    sockets[1]?.onopen?.();
    first?.onclose?.({ code: 1006 });
    expect(live.status.get()).toMatchObject({ connected: true, attempts: 0 });
    live.stop();
  });

  it.each([4401, 4403])("asks who is signed in where the server closes with %d", (code) => {
    const { live, sockets, refused } = setUp();
    live.start();
    sockets[0]?.onopen?.();
    sockets[0]?.onclose?.({ code });
    expect(refused()).toBe(1);
    live.stop();
  });

  it("hands over nothing that was under way when it was stopped", () => {
    const { live, sockets, events } = setUp();
    live.start();
    sockets[0]?.onopen?.();
    sockets[0]?.receive(event(1));
    live.stop();
    vi.advanceTimersByTime(1000);
    expect(events).toEqual([]);
  });
});
