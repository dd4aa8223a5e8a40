/** The pseudo-locale: English with accents, a third longer and in brackets, so that a text outside the catalogue shows. */

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED = "áƀçďéƒǧĥíĵķĺḿñóƥɋřšťúṽŵẋýžÁƁÇĎÉƑǦĤÍĴĶĹḾÑÓƤɊŘŠŤÚṼŴẊÝŽ";
const ACCENTS = new Map([...PLAIN].map((letter, at) => [letter, [...ACCENTED][at] ?? letter]));
const LONGER = 0.3;
/** Words of other languages are long, too, but lines still break between them. */
const WORD = 8;

function longer(text: string): string {
  const more = "·".repeat(Math.ceil(text.length * LONGER));
  return (more.match(new RegExp(`.{1,${WORD}}`, "g")) ?? []).map((word, at) => (at ? ` ${word}` : word)).join("");
}

/** Values (`{0}`, `{version}`, `#`) and commands between backticks stay as they are; each form of a counted text is a text. */
export function pseudo(key: string): string {
  const form = (text: string): string => {
    const accented = text
      .split(/(\{\w+\}|`[^`]*`)/)
      .map((part, at) => (at % 2 ? part : [...part].map((letter) => ACCENTS.get(letter) ?? letter).join("")))
      .join("");
    return `⟦${accented}${longer(text)}⟧`;
  };
  return key.split("|").map(form).join("|");
}

export function pseudoTexts(english: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(english).map((key) => [key, pseudo(key)]));
}
