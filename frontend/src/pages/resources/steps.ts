import type { ConversionStep } from "../../wire/resources";
import { t } from "../../words/text";

/** Steps that only carry a value over say nothing new; they are folded unless asked for. */
export function visibleSteps(steps: readonly ConversionStep[]): ConversionStep[] {
  return steps.filter((step) => !(step.source === step.target && step.before === step.after && step.bag === ""));
}

/** `rotation_period` of a declaration is `rotationPeriod` in a document. */
export function keyOf(path: string): string {
  return (path.split(/[.[{]/)[0] ?? path).replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** What happened to each top-level field of a version's document, in a word. */
export function notes(steps: readonly ConversionStep[]): Map<string, string> {
  const result = new Map<string, string>();
  for (const step of visibleSteps(steps)) {
    for (const target of step.target.split(", ").filter(Boolean)) {
      const from = step.source && step.source !== target ? t` from ${step.source}` : "";
      const key = keyOf(target);
      const before = result.get(key);
      const note = step.bag.startsWith("from the bag")
        ? t`restored from the hidden values`
        : from
          ? `${opWord(step.op)}${from}`
          : opWord(step.op);
      if (step.source || step.bag) result.set(key, before ? `${before}; ${note}` : note);
    }
  }
  return result;
}

const words: Record<string, string> = {
  rename: t`renamed`,
  removed: t`removed`,
  added: t`added`,
  convert: t`converted`,
  enum: t`values mapped`,
  wrap: t`wrapped in a list`,
  unwrap: t`unwrapped from a list`,
  resourceName: t`renamed`,
  exact: t`unchanged`,
  reform: t`joined`,
  dissolve: t`split`,
  hollow: t`moved`,
};

export function opWord(op: string): string {
  return words[op] ?? op;
}

/** What a step did with the hidden values, if anything. */
export function bagWord(bag: string): string {
  const words = [
    bag.includes("into the bag: ") ? t`kept as a hidden value` : "",
    bag.includes("from the bag: ") ? t`restored from the hidden values` : "",
  ];
  return words.filter(Boolean).join("; ");
}

/** The versions a resource is shown in: the stored one first, then its neighbours as an API grows up. */
export function howWord(how: string): { tone: "ok" | "run" | "plain"; word: string } {
  if (how === "native") return { tone: "ok", word: t`stored and served` };
  if (how === "translated") return { tone: "ok", word: t`translated on reading` };
  if (how === "preview") return { tone: "run", word: t`backfill` };
  return { tone: "plain", word: t`preview` };
}

/** A few fields of a resource in one line, for lists. */
export function summaryOf(fields: Record<string, unknown>, most = 4): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== "" && typeof value !== "object")
    .slice(0, most)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
}
