/** What was filled into the fields of a form, by their names. */
export type Draft = Record<string, string | number | boolean | string[] | null>;

export function textOf(draft: Draft, name: string): string {
  return String(draft[name] ?? "");
}

export function listOf(draft: Draft, name: string): string[] {
  const value = draft[name];
  return Array.isArray(value) ? value : [];
}

/** The chosen one of the values that the API knows. */
export function choiceOf<T extends string>(draft: Draft, name: string, of: readonly T[]): T {
  const chosen = of.find((value) => value === draft[name]);
  if (chosen === undefined) throw new Error(`${name} is none of ${of.join(", ")}: ${String(draft[name])}`);
  return chosen;
}

/** A moment that was filled in as UTC; empty where the field is. */
export function instantOf(draft: Draft, name: string): string {
  const value = textOf(draft, name);
  return value ? `${value}Z` : "";
}
