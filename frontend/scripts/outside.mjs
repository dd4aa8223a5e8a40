// What a page shows in the pseudo-locale in plain letters: neither a text of the catalogue nor one of the server.
// Used by the tests of src/words and, as text, by tests/browser.

// The last one is a field outside the page by which Mantine measures text areas.
const SKIPPED =
  "code, pre, kbd, script, style, noscript, time, .mono, [translate=no], [aria-label='autosize measurement']";
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "data-label", "aria-valuetext"];
// A number in hexadecimal, as of a build: from its first letter on it would look like a word.
const HEXADECIMAL = /\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b/gi;
const LATIN = /[A-Za-z][A-Za-z0-9’'./@_ -]*[A-Za-z0-9]/g;
/** Names, formats and units that are the same in every language. */
const NAMES = new Set(
  "switchyard swy utc csv json yaml html pdf sarif markdown rest openapi curl slack teams http https cron ms s min h d kib mib gib eta".split(
    " ",
  ),
);

export function outsideTexts(root, served) {
  // Names of rules, types and parts are shown with spaces: `key-removed`, `types/Secret`.
  const plain = (text) => text.toLowerCase().replace(/[-_/]/g, " ");
  const known = plain(served);

  const result = new Set();
  const look = (text, where) => {
    for (const [run] of text.replaceAll(HEXADECIMAL, " ").matchAll(LATIN)) {
      // A place, a version and each sentence of the server may stand beside another.
      const parts = plain(run).split(/ @ |\.\.|\. | (?=v\d)|^(?:types|resources) /);
      const isName = (word) => word.length < 2 || NAMES.has(word) || /^[0-9a-f]{6,}$/.test(word);
      const isKnown = (part) => known.includes(part.trim()) || part.split(/[^a-z0-9]+/).every(isName);
      if (!parts.every(isKnown)) result.add(`${run.trim()} (${where})`);
    }
  };
  const walk = (element) => {
    if (element.matches(SKIPPED)) return;
    for (const name of ATTRIBUTES) look(element.getAttribute(name) ?? "", name);
    for (const node of element.childNodes) {
      if (node.nodeType === 3) look(node.textContent ?? "", element.tagName.toLowerCase());
      else if (node.nodeType === 1) walk(node);
    }
  };
  walk(root);
  return [...result];
}
