/** Sentences of the server: it sends the English form of each phrase, which is its key, and the values in it. */
import { texts } from "./language";
import { formAt } from "./text";

export interface Phrase {
  key: string;
  values: Record<string, string | number>;
}

/** How an instant is written: what knows the zone of the reader says so. */
export const instants = { text: (iso: string): string => iso };

/** An instant has a place whose name ends in `_at`. */
function valueText(name: string, value: string | number): string {
  const text = String(value);
  return name.endsWith("_at") && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) ? instants.text(text) : text;
}

function phraseText({ key, values }: Phrase): string {
  const translated = texts[key];
  const forms = (translated ?? key).split("|");
  const form = forms[forms.length > 1 ? formAt(Number(values.count), translated !== undefined) : 0] ?? key;
  return form.replace(/\{(\w+)\}/g, (place, name: string) => valueText(name, values[name] ?? place));
}

/** A sentence of the server in the language of the console: by its phrases, or by itself where it has no values. */
export function worded(sentence: string, phrases?: readonly Phrase[]): string {
  return phrases?.length ? phrases.map(phraseText).join(" ") : (texts[sentence] ?? sentence);
}
