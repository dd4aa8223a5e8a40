/** Every text of the console: its English form is the key under which a catalogue holds its translation. */
import { createElement, Fragment, type ReactNode } from "react";
import { language, texts } from "./language";

/** What is said, and the numbers of the values between. */
type Pattern = (string | number)[];

const patterns = new WeakMap<TemplateStringsArray, Pattern>();

/** A text may run over several lines of the source; a line break is one space. */
function patternOf(strings: TemplateStringsArray): Pattern {
  const known = patterns.get(strings);
  if (known) return known;
  const key = strings.reduce((before, part, at) => `${before}{${at - 1}}${part}`).replace(/\s*\n\s*/g, " ");
  const pattern = (texts[key] ?? key).split(/\{(\d+)\}/).map((part, at) => (at % 2 ? Number(part) : part));
  patterns.set(strings, pattern);
  return pattern;
}

/** A text: `` t`Requested by ${name}` ``. */
export function t(strings: TemplateStringsArray, ...values: unknown[]): string {
  return patternOf(strings)
    .map((part) => (typeof part === "number" ? String(values[part]) : part))
    .join("");
}

/** A text with elements in it: `` rich`Requested by ${<b>{name}</b>}` ``. */
export function rich(strings: TemplateStringsArray, ...values: ReactNode[]): ReactNode {
  const parts = patternOf(strings).map((part) => (typeof part === "number" ? values[part] : part));
  return createElement(Fragment, null, ...parts);
}

const rules = new Intl.PluralRules(language);
const categories = rules.resolvedOptions().pluralCategories;

/** Which form is for a count: English has two, a catalogue has those of its language. */
export function formAt(count: number, isTranslated: boolean): number {
  return isTranslated ? categories.indexOf(rules.select(count)) : Number(count !== 1);
}

/** The form for a count, which stands for `#`; a catalogue gives the forms of its language, `|` between them. */
export function plural(count: number, one: string, other: string): string {
  const key = `${one}|${other}`;
  const form = (texts[key] ?? key).split("|")[formAt(count, key in texts)] ?? other;
  return form.replaceAll("#", String(count));
}
