import { createContext } from "react";
import { problemFrom } from "../../api/problem";
import type { Problem } from "../../wire/model";
import { worded } from "../../words/server";

export type Violation = NonNullable<Problem["errors"]>[number];

/** The field of a form for a place in the body of its request, where the two have different names. */
export type Places = Readonly<Record<string, string>>;

/** The fields of the form around, at which the refusals of a request stand already. */
export const FieldsContext = createContext<{ names: readonly string[]; places: Places }>({ names: [], places: {} });

/** The field that holds a place such as `stages.0.group`: the longest name that the place begins with. */
export function fieldAt(path: string, names: readonly string[], places: Places = {}): string | undefined {
  const steps = path.split(/[.[\]/]+/).filter(Boolean);
  for (let length = steps.length; length > 0; length -= 1) {
    const place = steps.slice(0, length).join(".");
    const name = places[place] ?? place;
    if (names.includes(name)) return name;
  }
  return undefined;
}

/** What is wrong with a field, and what mends it: two sentences, or one where they are the same. */
export function violationText({ message, phrases, remedy, remedy_phrases: mending }: Violation): string {
  const said = worded(message, phrases);
  const mend = remedy ? worded(remedy, mending) : "";
  return said.endsWith(mend) ? said : `${said} ${mend}`;
}

/** Whether a field says already how the whole request is mended. */
export function isMendedAtField({ remedy, errors = [] }: Problem, names: readonly string[], places: Places): boolean {
  return errors.some((each) => each.remedy === remedy && fieldAt(each.path, names, places));
}

/** What a refused request says of the fields of its form, by field; the server names each by its place in the body. */
export function fieldErrors(error: unknown, names: readonly string[], places: Places = {}): Record<string, string> {
  const result: Record<string, string> = {};
  for (const violation of problemFrom(error).errors ?? []) {
    const name = fieldAt(violation.path, names, places);
    const text = violationText(violation);
    if (name) result[name] = result[name] ? `${result[name]} ${text}` : text;
  }
  return result;
}
