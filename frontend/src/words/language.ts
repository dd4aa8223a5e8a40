/** The language of the console: chosen by the address (`?language=…`) and kept in this browser with its catalogue. */

export const LANGUAGE = "switchyard.language";
export const CATALOGUE = "switchyard.catalogue";

/** The languages besides English that have a catalogue; `en-XA` is the pseudo-locale. */
const LANGUAGES = new Set(["en-XA"]);

/** What is kept of a language: its texts by their keys, which are their English forms. */
export interface Catalogue {
  language: string;
  texts: Record<string, string>;
}

function chosenLanguage(): string {
  if (typeof localStorage === "undefined") return "en";
  const asked = new URLSearchParams(location.search).get("language");
  if (asked !== null) localStorage.setItem(LANGUAGE, asked);
  const kept = localStorage.getItem(LANGUAGE) ?? "en";
  return LANGUAGES.has(kept) ? kept : "en";
}

/** The catalogue is read at once, so that constants of modules are in the chosen language too. */
function keptTexts(chosen: string): Record<string, string> {
  if (chosen === "en") return {};
  const kept = JSON.parse(localStorage.getItem(CATALOGUE) ?? "{}") as Partial<Catalogue>;
  return (kept.language === chosen && kept.texts) || {};
}

export const language = chosenLanguage();

/** The translations by key; empty for English, and until the catalogue of another language is there. */
export const texts = keptTexts(language);

/** How numbers and days are written. */
export const locale = language === "en" ? "en-GB" : language;

/**
 * Where the system names no language, as with `LANG=C`, Chromium says `en-US@posix`. That is no language tag, and what
 * formats numbers by it, as the charts' library does when it is loaded, throws.
 */
export function ensureLanguageTag(of: Navigator): void {
  try {
    Intl.getCanonicalLocales(of.language);
  } catch {
    Object.defineProperty(of, "language", { value: locale, configurable: true });
  }
}
