import { createStore } from "../parts/store";

export type Zone = "utc" | "mine";

/** Which zone times are shown in; remembered per person in this browser. */
export const zone = createStore<Zone>("utc", "switchyard.zone");

/** Milliseconds the server's clock is ahead of this browser's. */
export const offset = createStore(0);

/** Ticks once a second, so that ages and countdowns move together. */
export const tick = createStore(Date.now());

export function startClock(): () => void {
  const timer = setInterval(() => tick.set(Date.now()), 1000);
  return () => clearInterval(timer);
}

export function learnServerTime(text: string): void {
  const server = Date.parse(text);
  if (!Number.isNaN(server)) offset.set(server - Date.now());
}

export function serverNow(at: number = Date.now()): number {
  return at + offset.get();
}

const two = (value: number): string => String(value).padStart(2, "0");

export function zoneName(which: Zone): string {
  return which === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function clockText(at: number, which: Zone): string {
  const date = new Date(at);
  return which === "utc"
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function dateText(at: number, which: Zone): string {
  const date = new Date(at);
  return which === "utc"
    ? `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The clock alone on the day itself, with the date before it on any other day. */
export function stampText(at: number, now: number, which: Zone): string {
  const clock = clockText(at, which);
  const day = dateText(at, which);
  return day === dateText(now, which) ? clock : `${day} ${clock}`;
}

export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 86_400) return whole % 3600 < 60 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d`;
}

export function ageText(at: number, now: number): string {
  const seconds = (now - at) / 1000;
  if (seconds >= 0 && seconds < 1) return "now";
  return seconds < 0 ? `in ${durationText(-seconds)}` : `${durationText(seconds)} ago`;
}

/** `2–4 min`, `40 s`: an honest range, never a single false number. */
export function rangeText(low: number, high: number): string {
  const one = durationText(low);
  const other = durationText(high);
  if (one === other) return one;
  const unit = (text: string): string => text.replace(/^[\d ]+/, "");
  return unit(one) === unit(other) ? `${one.replace(/\D+$/, "")}–${other}` : `${one} – ${other}`;
}
