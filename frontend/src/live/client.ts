import type { LiveEvent, LiveMessage } from "../wire/model";
import { createStore, type Store } from "../state/store";
import { learnServerTime } from "../time/clock";
import { atRest, backoffMs, beat, greeted, lost, opened, received, type LiveStatus } from "./status";

/** The part of a browser's WebSocket that the client uses. */
export interface Wire {
  send: (text: string) => void;
  close: () => void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Hooks {
  openSocket: () => Wire;
  openEvents: (topics: string[], since: number | null) => EventSource | null;
  /** At most five times a second, folded by the receiver. */
  onEvents: (events: LiveEvent[]) => void;
  /** The server cannot replay this topic (or, with null, any): read it again. */
  onResync: (topic: string | null) => void;
  onDenied: (topic: string, reason: string) => void;
  /** The server ended the socket because the session or its rights are gone. */
  onRefused: () => void;
}

/** Graphs of references are streamed whole and then as patches, outside the numbers of the other events. */
export function isGraph(topic: string): boolean {
  return topic.startsWith("references:");
}

/** What arrives together is shown together, and nothing is drawn more often than every FLUSH_MS. */
const TOGETHER_MS = 20;
const FLUSH_MS = 200;
const POLL_MS = 5000;
const SOCKET_TRIES = 3;
const RETRY_SOCKET_MS = 30_000;
/** More than this is not kept while changes are held: everything is read again instead. */
export const MOST_HELD = 5000;

/** One stream for the tab: a socket, else server-sent events, else asking again every five seconds. */
export class LiveClient {
  readonly status: Store<LiveStatus> = createStore(atRest);
  readonly held = createStore(0);
  readonly paused = createStore(false);
  private readonly topics = new Map<string, number>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private queue: LiveEvent[] = [];
  /** What has to be read again once changes are no longer held; null stands for everything. */
  private readonly missed = new Set<string | null>();
  private flushing = false;
  private flushedAt = -FLUSH_MS;
  private socket: Wire | null = null;
  private source: EventSource | null = null;
  private running = false;

  constructor(private readonly hooks: Hooks) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.connect();
  }

  stop(): void {
    this.running = false;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.flushing = false;
    this.closeAll();
    this.status.set(atRest);
  }

  follow(topic: string): () => void {
    const count = this.topics.get(topic) ?? 0;
    this.topics.set(topic, count + 1);
    if (count === 0) this.subscribe([topic]);
    return () => {
      const left = (this.topics.get(topic) ?? 1) - 1;
      if (left > 0) this.topics.set(topic, left);
      else {
        this.topics.delete(topic);
        this.tell({ op: "unsubscribe", topics: [topic] });
      }
    };
  }

  pause(paused: boolean): void {
    this.paused.set(paused);
    if (!paused) this.flush();
  }

  private later(run: () => void, delay: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, delay);
    this.timers.add(timer);
  }

  private connect(): void {
    if (!this.running) return;
    const socket = this.hooks.openSocket();
    this.socket = socket;
    socket.onopen = () => {
      this.closeSource();
      this.status.set((before) => opened({ ...before, transport: "socket" }, Date.now()));
      this.subscribe([...this.topics.keys()]);
    };
    socket.onmessage = (event) => this.take(event.data);
    socket.onclose = (event) => this.lose(socket, event.code);
  }

  private lose(socket: Wire, code: number): void {
    if (this.socket !== socket || !this.running) return;
    this.socket = null;
    if (code === 4401 || code === 4403) this.hooks.onRefused();
    const { transport } = this.status.get();
    if (transport !== "socket") {
      this.later(() => this.connect(), RETRY_SOCKET_MS);
      return;
    }
    this.status.set((before) => lost(before, Date.now()));
    const { attempts } = this.status.get();
    if (attempts > SOCKET_TRIES) this.fallBack();
    else this.later(() => this.connect(), backoffMs(attempts, Math.random()));
  }

  private fallBack(): void {
    this.later(() => this.connect(), RETRY_SOCKET_MS);
    const source = this.hooks.openEvents([...this.topics.keys()], this.status.get().seq);
    if (!source) {
      this.poll();
      return;
    }
    this.source = source;
    this.status.set((before) => ({ ...before, transport: "sse" }));
    source.onopen = () => this.status.set((before) => opened(before, Date.now()));
    source.onmessage = (event: MessageEvent<string>) => this.take(event.data);
    source.onerror = () => {
      if (source.readyState !== 2) return;
      this.closeSource();
      this.poll();
    };
  }

  private poll(): void {
    if (!this.running || this.status.get().connected) return;
    this.status.set((before) => ({ ...before, transport: "poll" }));
    if (!this.paused.get()) this.hooks.onResync(null);
    this.later(() => {
      if (this.status.get().transport === "poll") this.poll();
    }, POLL_MS);
  }

  /** Before the first hello there is no number to follow from: it subscribes to all topics. */
  private subscribe(topics: string[]): void {
    const { seq } = this.status.get();
    if (topics.length > 0 && seq !== null) this.tell({ op: "subscribe", topics, since: seq });
  }

  private tell(message: Record<string, unknown>): void {
    if (this.socket && this.status.get().connected) this.socket.send(JSON.stringify(message));
  }

  private take(text: string): void {
    const message = JSON.parse(text) as LiveMessage;
    const now = Date.now();
    switch (message.op) {
      case "hello": {
        const isFirst = this.status.get().seq === null;
        learnServerTime(message.server_time);
        this.status.set((before) => greeted(before, message.seq, now));
        // From the number on that the pages were read at, or a little before: what happens until the server follows is replayed.
        if (isFirst) this.subscribe([...this.topics.keys()]);
        break;
      }
      case "heartbeat":
        learnServerTime(message.server_time);
        this.status.set((before) => beat(before, message.seq, now));
        break;
      case "event":
        this.status.set((before) => received(before, message.seq, now));
        this.enqueue(message);
        break;
      case "resync":
        // A graph is nowhere to be read anew with its later patches: it is asked for whole once more.
        if (isGraph(message.topic)) this.subscribe([message.topic]);
        else if (this.paused.get()) this.missed.add(message.topic);
        else this.hooks.onResync(message.topic);
        break;
      case "denied":
        this.hooks.onDenied(message.topic, message.reason);
        break;
    }
  }

  private enqueue(event: LiveEvent): void {
    this.queue.push(event);
    if (this.paused.get()) {
      this.held.set((before) => before + 1);
      if (this.queue.length > MOST_HELD) {
        this.queue = [];
        this.missed.add(null);
      }
      return;
    }
    if (this.flushing) return;
    this.flushing = true;
    const left = this.flushedAt + FLUSH_MS - performance.now();
    this.later(
      () => {
        this.flushing = false;
        if (!this.paused.get()) this.flush();
      },
      Math.max(TOGETHER_MS, left),
    );
  }

  private flush(): void {
    this.flushedAt = performance.now();
    const events = this.queue;
    const missed = this.missed.has(null) ? [null] : [...this.missed];
    this.queue = [];
    this.missed.clear();
    this.held.set(0);
    if (events.length > 0) this.hooks.onEvents(events);
    for (const topic of missed) this.hooks.onResync(topic);
  }

  private closeSource(): void {
    this.source?.close();
    this.source = null;
  }

  private closeAll(): void {
    this.closeSource();
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
