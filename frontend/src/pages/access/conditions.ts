import { type Draft, textOf } from "../../parts/forms/draft";
import type { Field } from "../../parts/forms/EditDialog";
import type { components } from "../../wire/schema";
import { t } from "../../words/text";

export type Conditions = components["schemas"]["Conditions"];
type ConditionsRequest = components["schemas"]["ConditionsRequest"];

const NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Days as a line that can be edited: runs of three and more are drawn together, as `mon-fri, sun`. */
export function daysText(days: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < days.length;) {
    let last = at;
    while ((days[last + 1] ?? 0) === (days[last] ?? 0) + 1) last += 1;
    const [first, end] = [NAMES[(days[at] ?? 1) - 1] ?? "", NAMES[(days[last] ?? 1) - 1] ?? ""];
    parts.push(...(last - at >= 2 ? [`${first}-${end}`] : days.slice(at, last + 1).map((day) => NAMES[day - 1] ?? "")));
    at = last + 1;
  }
  return parts.join(", ");
}

/** What is no day is sent as 0, which the server refuses with its place. */
export function daysFrom(text: string): number[] {
  const day = (name: string): number => NAMES.indexOf(name.trim().slice(0, 3).toLowerCase()) + 1;
  const result = text
    .split(",")
    .filter((part) => part.trim())
    .flatMap((part) => {
      const [first, last] = part.split("-");
      if (last === undefined) return [day(part)];
      const [from, to] = [day(first ?? ""), day(last)];
      if (!from || !to) return [0];
      return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => ((from - 1 + at) % 7) + 1);
    });
  return [...new Set(result)].sort((one, other) => one - other);
}

/** The builder of a binding's conditions: each line narrows when the role counts. */
export const conditionFields: readonly Field[] = [
  { name: "days", label: t`Days`, kind: "text", placeholder: t`mon-fri`, description: t`Empty: every day.` },
  {
    name: "start",
    label: t`From (time of day)`,
    kind: "text",
    placeholder: "08:00",
    description: t`Empty: the whole day.`,
  },
  {
    name: "end",
    label: t`Until`,
    kind: "text",
    placeholder: "18:00",
    when: (draft) => Boolean(draft["start"]),
    required: true,
  },
  {
    name: "zone",
    label: t`Time zone`,
    kind: "text",
    placeholder: t`Europe/Berlin`,
    when: (draft) => Boolean(draft["start"]) || Boolean(draft["days"]),
    required: true,
  },
  {
    name: "networks",
    label: t`Allowed networks`,
    kind: "text",
    placeholder: "10.20.0.0/16",
    description: t`Separated by commas. Empty: any network.`,
  },
];

export function conditionDraft(of: Conditions | undefined): Draft {
  return {
    days: daysText(of?.days ?? []),
    start: of?.start ?? "",
    end: of?.end ?? "",
    zone: of?.zone ?? "UTC",
    networks: (of?.networks ?? []).join(", "),
  };
}

/** What the fields of the builder ask for. */
export function conditionsOf(draft: Draft): ConditionsRequest {
  const text = (name: string): string => textOf(draft, name).trim();
  const nets = text("networks")
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    ...(text("days") ? { days: daysFrom(text("days")) } : {}),
    ...(text("start") ? { start: text("start"), end: text("end") } : {}),
    ...(text("days") || text("start") ? { zone: text("zone") } : {}),
    ...(nets.length ? { networks: nets } : {}),
  };
}

const DAYS = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`];

/** When and from where a role counts, in words; empty where it always does. */
export function conditionText(of: Conditions): string {
  const days = (of.days ?? []).map((day) => DAYS[day - 1]).join(", ") || t`every day`;
  const hours = of.start ? ` ${of.start}–${of.end ?? ""}` : "";
  const times = of.days?.length || of.start ? [`${days}${hours} ${of.zone ?? "UTC"}`] : [];
  const networks = of.networks?.length ? [t`from ${of.networks.join(", ")}`] : [];
  return [...times, ...networks].join(", ");
}

/** What the dry run says of it. */
export function countsText({
  conditions,
  counts_now: now,
}: Pick<components["schemas"]["Binding"], "conditions" | "counts_now">): string {
  const text = conditionText(conditions);
  return text
    ? t`It applies: ${text}. ${now ? t`It applies at this time.` : t`It does not apply at this time.`}`
    : t`It always applies.`;
}
