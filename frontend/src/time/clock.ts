import { createStore } from "../state/store";
import { instants } from "../words/server";
import { t } from "../words/text";

export type Zone = "utc" | "mine" | "region";

/** The time zone of the region that the page is about; empty where the page is about none, or nobody said. */
export const regionZone = createStore("");

/** Which zone times are shown in: what the account keeps, and before anybody signed in what this browser remembers. */
export const zone = createStore<Zone>("utc", "switchyard.zone");

/** Milliseconds the server's clock is ahead of this browser's. */
export const offset = createStore(0);

/** Ticks about once a second, so that ages and countdowns move together. */
export const tick = createStore(Date.now());

const TICK_MS = 1000;
/** A tick that is due so soon comes with what is drawn now: it would draw the same page again by itself. */
const EARLY_MS = 300;
let restart: () => void = () => undefined;

export function startClock(): () => void {
  const beat = (): void => tick.set(Date.now());
  let timer = setInterval(beat, TICK_MS);
  const again = (): void => {
    clearInterval(timer);
    timer = setInterval(beat, TICK_MS);
  };
  beat();
  restart = again;
  return () => {
    clearInterval(timer);
    if (restart === again) restart = () => undefined;
  };
}

/** Let the next tick come now if it is due soon. */
export function tickAlong(): void {
  if (Date.now() - tick.get() < TICK_MS - EARLY_MS) return;
  restart();
  tick.set(Date.now());
}

export function learnServerTime(text: string): void {
  const server = Date.parse(text);
  if (!Number.isNaN(server)) offset.set(server - Date.now());
}

export function serverNow(at: number = Date.now()): number {
  return at + offset.get();
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The zone that is meant now: a page without a region shows UTC instead of a region's time. */
function named(which: Zone): string {
  if (which === "mine") return Intl.DateTimeFormat().resolvedOptions().timeZone;
  return which === "region" && regionZone.get() ? regionZone.get() : "UTC";
}

const formats = new Map<string, Intl.DateTimeFormat>();

function parts(at: number, which: Zone): Record<string, string> {
  const timeZone = named(which);
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  return Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]));
}

export function zoneName(which: Zone): string {
  return named(which);
}

/** The next of the three; a region's zone only where the page has one. */
export function nextZone(which: Zone): Zone {
  if (which === "utc") return "mine";
  return which === "mine" && regionZone.get() ? "region" : "utc";
}

export function clockText(at: number, which: Zone): string {
  if (named(which) === "UTC") {
    const date = new Date(at);
    return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  }
  const { hour = "", minute = "", second = "" } = parts(at, which);
  return `${hour}:${minute}:${second}`;
}

export function dateText(at: number, which: Zone): string {
  if (named(which) === "UTC") return new Date(at).toISOString().slice(0, 10);
  const { year = "", month = "", day = "" } = parts(at, which);
  return `${year}-${month}-${day}`;
}

/** The clock alone on the day itself, with the date before it on any other day. */
export function stampText(at: number, now: number, which: Zone): string {
  const clock = clockText(at, which);
  const day = dateText(at, which);
  return day === dateText(now, which) ? clock : `${day} ${clock}`;
}

/** An instant in a sentence of the server, as precise as it was sent: `…T14:02Z` has no seconds. */
instants.text = (iso) => {
  const stamp = stampText(Date.parse(iso), serverNow(), zone.get());
  return `${iso.split(":").length > 2 ? stamp : stamp.slice(0, -3)} ${zoneName(zone.get())}`;
};

/** From so many days on, hours say nothing. */
const HOURS_UNTIL_DAYS = 10;

export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return t`${Math.floor(whole / 60)} min`;
  if (whole < 86_400)
    return whole % 3600 < 60
      ? `${Math.floor(whole / 3600)} h`
      : t`${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  // A window of seven days that began a moment ago lasts 7 d, not 6.
  const hours = Math.round(whole / 3600);
  const days = hours / 24;
  return days >= HOURS_UNTIL_DAYS || hours % 24 === 0
    ? `${Math.round(days)} d`
    : `${Math.floor(days)} d ${hours % 24} h`;
}

export function ageText(at: number, now: number): string {
  const seconds = (now - at) / 1000;
  // What the stream brings may be stamped up to one tick ahead of the clock that is shown.
  if (seconds > -1.5 && seconds < 1) return t`now`;
  return seconds < 0 ? t`in ${durationText(-seconds)}` : t`${durationText(seconds)} ago`;
}

/** `2–4 min`, `40 s`: an honest range, never a single false number. */
export function rangeText(low: number, high: number): string {
  const one = durationText(low);
  const other = durationText(high);
  if (one === other) return one;
  const unit = (text: string): string => text.replace(/^[\d ]+/, "");
  // Two units stand in each of `1 h 30 min` and `2 h 30 min`: neither can be left out.
  return unit(one) === unit(other) && !/\d/.test(unit(one))
    ? `${one.replace(/\D+$/, "")}–${other}`
    : `${one} – ${other}`;
}
