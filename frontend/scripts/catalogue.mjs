// Writes src/words/catalogues/en.json: every text of the console, under its key, for those who review and translate it.
// `--check` changes nothing and fails where the file is not what the source says.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCE = new URL("../src", import.meta.url).pathname;
const PAGE = new URL("../../docs/how-to/change-an-api-version.md", import.meta.url).pathname;
const CATALOGUE = join(SOURCE, "words/catalogues/en.json");

/** The key of a template: its text with numbered values; a line break in the source is one space. */
function keyOf(template) {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)];
  return parts.reduce((before, part, at) => `${before}{${at - 1}}${part}`).replace(/\s*\n\s*/g, " ");
}

function textsOf(path) {
  const texts = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && /^(t|rich)$/.test(node.tag.getText())) texts.push(keyOf(node.template));
    if (ts.isCallExpression(node) && node.expression.getText() === "plural") {
      const [, one, other] = node.arguments;
      if (!ts.isStringLiteralLike(one) || !ts.isStringLiteralLike(other))
        throw new Error(`${path}: plural takes two literal texts.`);
      texts.push(`${one.text}|${other.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return texts;
}

const files = readdirSync(SOURCE, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^(test|words)\/|^wire\/schema\.ts$/.test(name))
  .map((name) => join(SOURCE, name));

/** Pages of the documentation that the console shows, in the parts that it shows. */
async function pageTexts() {
  const source = readFileSync(join(SOURCE, "words/page.ts"), "utf8");
  const made = ts.transpile(source, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 });
  const { parts } = await import(`data:text/javascript,${encodeURIComponent(made)}`);
  return parts(readFileSync(PAGE, "utf8")).flat();
}

const keys = [...new Set([...files.flatMap(textsOf), ...(await pageTexts())])]
  .filter((key) => /\p{L}/u.test(key.replace(/\{\d+\}/g, "")))
  .sort();
const catalogue = `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, key])), null, 2)}\n`;
if (process.argv.includes("--check")) {
  if (readFileSync(CATALOGUE, "utf8") !== catalogue) {
    console.error("src/words/catalogues/en.json is not what the source says: run `npm run catalogue`.");
    process.exit(1);
  }
} else writeFileSync(CATALOGUE, catalogue);
console.log(`${keys.length} texts in the catalogue.`);
