import { t } from "../../words/text";
import { isBlank, wholeYear } from "./useForm";

export type MomentKind = "day" | "moment";

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/;
const KEPT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?$/;

/** Whether the calendar has it: 30 February is another day when it is read. */
function exists(day: string, time = "00:00"): boolean {
  const at = new Date(`${day}T${time}:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${day}T${time}`);
}

/** A kept value as it is shown, to the minute; what is being typed is shown as it was typed. */
export function shownMoment(value: string): string {
  const [, day, time] = KEPT.exec(value) ?? [];
  return day && time ? `${day} ${time}` : value;
}

/** The value that a text stands for; null where it is no day, or no time. */
export function valueOf(kind: MomentKind, text: string): string | null {
  if (kind === "day") return DAY.test(text) && exists(text) ? text : null;
  const [, day = "", time = ""] = MOMENT.exec(text) ?? [];
  return exists(day, time) ? `${day}T${time}:00` : null;
}

/** What is wrong with the value of a day or a time; null where nothing is, or where there is none. */
export function wrongMoment(kind: MomentKind, value: unknown): string | null {
  if (isBlank(value) || wholeYear(value)) return wholeYear(value);
  if (valueOf(kind, shownMoment(String(value))) !== null) return null;
  return kind === "day" ? t`Enter a day such as 2026-03-01.` : t`Enter a time such as 2026-03-01 14:00.`;
}
