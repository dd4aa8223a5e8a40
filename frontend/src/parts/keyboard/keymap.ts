/** What keys do on every page; all of them are in shell/bindings. */

/** The pages that two keys lead to. */
export const jumps: Readonly<Record<string, string>> = {
  "g o": "/",
  "g f": "/fleet",
  "g u": "/upgrades",
  "g a": "/approvals",
  "g b": "/resources",
  "g r": "/refs",
  "g v": "/versions",
  "g c": "/versions",
  "g w": "/windows",
  "g l": "/activity",
  "g h": "/health",
};

const SEQUENCE_MS = 1200;

/** Turns key presses into names: `g` followed soon by `f` is `g f`. */
export class KeyReader {
  private first = "";
  private at = 0;

  read(key: string, now: number): string {
    const sequence = this.first && now - this.at <= SEQUENCE_MS ? `${this.first} ${key}` : key;
    this.first = sequence === "g" ? "g" : "";
    this.at = now;
    return sequence;
  }
}

/** Typing into a field is never a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
