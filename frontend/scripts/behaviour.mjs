// Counts the lines of the modules that have behaviour, and of the tests; `make house` prints the ratio.
// A module has behaviour where its syntax tree has a condition, a loop, a hook, a handler, a calculation or a class.
// Types, constants and texts alone are none. Lines that are blank, a comment or part of an import do not count.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCE = new URL("../src", import.meta.url).pathname;
const GENERATED = "wire/schema.ts";
const { SyntaxKind } = ts;
const KINDS = new Set([
  SyntaxKind.IfStatement,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.SwitchStatement,
  SyntaxKind.ForStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
  SyntaxKind.TryStatement,
  SyntaxKind.ClassDeclaration,
]);
const OPERATORS = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
]);
/** Methods that walk a list, and hooks. */
const CALLS = /^(?:use[A-Z]\w*|map|flatMap|filter|reduce|sort|some|every|find\w*|forEach)$/;

/** @param {ts.Node} node */
function isBehaviour(node) {
  if (KINDS.has(node.kind)) return true;
  if (ts.isBinaryExpression(node)) return OPERATORS.has(node.operatorToken.kind);
  if (ts.isJsxAttribute(node)) return /^on[A-Z]/.test(node.name.getText());
  if (!ts.isCallExpression(node)) return false;
  const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return ts.isIdentifier(called) && CALLS.test(called.text);
}

/** @param {ts.Node} node @returns {boolean} */
function hasBehaviour(node) {
  return isBehaviour(node) || (ts.forEachChild(node, (child) => hasBehaviour(child) || undefined) ?? false);
}

/** The lines with a token that is no part of an import. @param {ts.SourceFile} file */
function linesOf(file) {
  const lines = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    const children = node.getChildren(file);
    if (children.length) {
      children.forEach(visit);
      return;
    }
    const [from, to] = [node.getStart(file), node.getEnd()];
    if (from >= to) return;
    const last = file.getLineAndCharacterOfPosition(to).line;
    for (let { line } = file.getLineAndCharacterOfPosition(from); line <= last; line += 1) lines.add(line);
  };
  visit(file);
  return lines.size;
}

const counted = { code: 0, tests: 0, without: [] };
for (const name of readdirSync(SOURCE, { recursive: true }).map(String)) {
  if (!/\.tsx?$/.test(name) || name === GENERATED) continue;
  const text = readFileSync(join(SOURCE, name), "utf8");
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  if (/\.test\.tsx?$/.test(name) || name.startsWith("test/")) counted.tests += linesOf(file);
  else if (hasBehaviour(file)) counted.code += linesOf(file);
  else counted.without.push(name);
}
console.log(JSON.stringify({ ...counted, without: counted.without.sort() }));
