import { clockText, durationText, type Zone, zoneName } from "../time/clock";
import { t } from "../words/text";

/** Where the stream stands; every change of it is one of the functions below. */
export interface LiveStatus {
  transport: "socket" | "sse" | "poll";
  connected: boolean;
  attempts: number;
  /** When something was last heard, by this browser's clock. */
  heardAt: number | null;
  lostAt: number | null;
  /** Everything up to here is known to have arrived. */
  seq: number | null;
  /** What the last heartbeat promised; believed when the next one comes. */
  promised: number | null;
}

export const atRest: LiveStatus = {
  transport: "socket",
  connected: false,
  attempts: 0,
  heardAt: null,
  lostAt: null,
  seq: null,
  promised: null,
};

export function opened(status: LiveStatus, now: number): LiveStatus {
  return { ...status, connected: true, attempts: 0, heardAt: now, lostAt: null };
}

/** What a heartbeat names may have been on its way when its connection was lost: the next one replays it. */
export function lost(status: LiveStatus, now: number): LiveStatus {
  return { ...status, promised: null, connected: false, attempts: status.attempts + 1, lostAt: status.lostAt ?? now };
}

/** A first hello says where the stream is; later ones must not skip what was missed. */
export function greeted(status: LiveStatus, seq: number, now: number): LiveStatus {
  return { ...status, seq: status.seq ?? seq, heardAt: now };
}

export function received(status: LiveStatus, seq: number, now: number): LiveStatus {
  return { ...status, seq: Math.max(seq, status.seq ?? 0), heardAt: now };
}

/** An event may still be on its way when a heartbeat names its number, so trust runs one heartbeat behind. */
export function beat(status: LiveStatus, seq: number, now: number): LiveStatus {
  const seen = status.promised === null ? status.seq : Math.max(status.promised, status.seq ?? 0);
  return { ...status, seq: seen, promised: seq, heardAt: now };
}

export interface Pill {
  tone: "ok" | "wait" | "bad" | "plain";
  mark: string;
  text: string;
}

const SILENCE_MS = 15_000;
const OFFLINE_MS = 30_000;

export function pillOf(status: LiveStatus, now: number, zone: Zone): Pill {
  if (status.transport === "poll") return { tone: "wait", mark: "◐", text: t`Polling every 5 s` };
  if (status.connected && status.heardAt !== null) {
    const silent = now - status.heardAt;
    return silent < SILENCE_MS
      ? { tone: "ok", mark: "●", text: t`Live` }
      : { tone: "wait", mark: "◐", text: t`Behind ${durationText(silent / 1000)}` };
  }
  if (status.lostAt !== null && now - status.lostAt >= OFFLINE_MS) {
    return { tone: "bad", mark: "⚠", text: t`Offline since ${clockText(status.lostAt, zone)} ${zoneName(zone)}` };
  }
  return status.attempts > 0
    ? { tone: "wait", mark: "○", text: t`Reconnecting (${status.attempts})` }
    : { tone: "plain", mark: "○", text: t`Connecting` };
}

/** 1, 2, 4 … 20 s, with a little chance so that many tabs do not return at once. */
export function backoffMs(attempts: number, chance: number): number {
  return Math.min(20_000, 1000 * 2 ** Math.max(0, attempts - 1)) * (0.75 + chance / 2);
}
