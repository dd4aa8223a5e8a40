import { createContext } from "react";
import { problemFrom } from "../../api/problem";
import { worded } from "../../words/server";

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

/** What a refused request says of the fields of its form, by field; the server names each by its place in the body. */
export function fieldErrors(error: unknown, names: readonly string[], places: Places = {}): Record<string, string> {
  const result: Record<string, string> = {};
  for (const { path, message: text, phrases } of problemFrom(error).errors ?? []) {
    const name = fieldAt(path, names, places);
    const message = worded(text, phrases);
    if (name) result[name] = result[name] ? `${result[name]} ${message}` : message;
  }
  return result;
}
