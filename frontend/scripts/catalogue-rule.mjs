// An ESLint rule: each text of the console stands in the catalogue (`t`, `rich` or `plural` of src/words/text.ts).
// `eslint --fix` wraps what it is sure of; the pseudo-locale tests look for the rest.
import { dirname, relative } from "node:path";

const TAGS = new Set(["t", "rich", "plural"]);
/** Attributes whose value is read by people, also where it is one word. */
const TEXT_ATTRIBUTES =
  /^(data-label|aria-(label|description|valuetext|roledescription)|alt|button|description|empty|heading|hint|label|legend|none|note|placeholder|text|title|what|unit|word|words)$/;
/** Properties of objects that hold texts, also of one word. */
const TEXT_KEYS =
  /^("?aria-label"?|button|caption|confirm|does|description|detail|done|empty|error|header|headings?|hint|label|lead|legend|long|message|none|note|placeholder|question|reason|remedy|short|summary|text|title|unit|what|where|why|words?)$/;
/** Attributes and properties that hold names, addresses and styles, whatever they look like. */
const NAMES =
  /^(action|className|font.*|classNames|class|code|command|curl|d|data-.*|from|go|href|icon|id|key|kind|method|name|path|permission|points|queryKey|rel|role|selector|swy|shape|style|styles|token|text-.*|tone|to|transform|type|value|variant|viewBox|w|size|gridTemplateColumns|gridTemplateRows|accept|autoComplete|pattern|src|timeZone|weekday|aria-(keyshortcuts|labelledby|describedby|controls|live|current|sort))$/;
/** Calls whose arguments are names or patterns. */
const NAMING =
  /^(addEventListener|closest|createElement|encodeURIComponent|endsWith|Error|fetch|get|getItem|has|includes|indexOf|join|lastIndexOf|matchMedia|querySelector|querySelectorAll|quoted|removeEventListener|replace|replaceAll|RegExp|send|serve|setAttribute|setItem|setProperty|split|startsWith|test|URL|useFilters|usePages|set|useKeys|match|measureText|localeCompare|toLocaleString|DateTimeFormat)$/;
/** Small elements that belong to the sentence they stand in, also at its ends. */
const INLINE = /^(b|i|strong|em|code|kbd|time|Age|Time|Version|Versions)$/;
/** Elements whose content is a name or a command. */
const LITERAL = /^(code|pre|kbd|style|script|Code)$/;
const WIDE = 100;

const letters = (text) => /[A-Za-z]{2}/.test(text) || /\b[AI] /.test(text);

function isProse(text) {
  if (
    !letters(text) ||
    /^[./?&#@<]|<\/|="|\w\/\w+[,;+]|^https?:|[=;]\s*$|px\b|minmax\(|repeat\(|calc\(|var\(--|rgba?\(|^[a-z]+=|^data\(|^\s*--?[a-zA-Z]|^pip |^(soft|swy|curl|M|max-age)[-\s]/.test(
      text,
    )
  )
    return false;
  if (/^[A-Z][a-z]+$/.test(text)) return true;
  return /[A-Za-z0-9…,.:)]\s+[("A-Za-z0-9\uFFFC–]|\uFFFC\s+[A-Za-z(]{2}/.test(text) && !/^(\uFFFC|[\s:/])+$/.test(text);
}

const escape = (text) => text.replace(/[\\`]|\$\{/g, "\\$&");

/** As JSX reads it: lines are trimmed and joined. */
function cleaned(node) {
  const lines = node.value.split("\n");
  return lines
    .map((line, at) => (at === 0 ? line : line.trimStart()))
    .map((line, at) => (at === lines.length - 1 ? line : line.trimEnd()))
    .filter((line, at) => line !== "" || (lines.length === 1 && at === 0))
    .join(" ")
    .replace(/\t/g, " ");
}

const nameOf = (element) => (element.type === "JSXElement" ? (element.openingElement.name.name ?? "") : "");
const keyOf = (property) => property.key?.name ?? String(property.key?.value ?? "");
const isString = (node) => node?.type === "Literal" && typeof node.value === "string";

/** `count === 1 ? "reference" : "references"` */
function isCounted(node) {
  return (
    node?.type === "ConditionalExpression" &&
    node.test.type === "BinaryExpression" &&
    node.test.operator === "===" &&
    node.test.right.value === 1 &&
    isString(node.consequent) &&
    isString(node.alternate) &&
    letters(node.consequent.value) &&
    letters(node.alternate.value)
  );
}

function wrap(text, indent) {
  const pad = " ".repeat(indent);
  const lines = [];
  let line = "";
  let deep = 0;
  for (const word of text.split(/( )/)) {
    if (word === " " && deep === 0 && line.length > WIDE - indent) {
      lines.push(line);
      line = "";
    } else line += word;
    deep += (word.match(/\{/g) ?? []).length - (word.match(/\}/g) ?? []).length;
  }
  return [...lines, line].join(`\n${pad}`);
}

export const inCatalogue = {
  meta: {
    type: "problem",
    fixable: "code",
    schema: [],
    messages: {
      outside: "This text is not in the catalogue: write it as t`…`, rich`…` or plural(…) of src/words/text.",
      missing: "{{names}} is used and not imported from src/words/text.",
    },
  },
  create(context) {
    const source = context.sourceCode;
    const used = new Set();
    const indentOf = (node) => (source.lines[node.loc.start.line - 1].match(/^ */)?.[0].length ?? 0) + 2;

    /** Where a literal goes: through conditions and the values of templates to what holds it. */
    function holderOf(node) {
      let [child, parent] = [node, node.parent];
      while (
        (parent.type === "ConditionalExpression" && parent.test !== child) ||
        parent.type === "LogicalExpression" ||
        parent.type === "TSAsExpression" ||
        parent.type === "ArrayExpression" ||
        parent.type === "TSSatisfiesExpression" ||
        (parent.type === "BinaryExpression" && parent.operator === "+") ||
        (parent.type === "TemplateLiteral" && parent.expressions.includes(child))
      )
        [child, parent] = [parent, parent.parent];
      return [child, parent];
    }

    const isWrapped = (node) =>
      (node?.type === "TaggedTemplateExpression" && TAGS.has(node.tag.name)) ||
      (node?.type === "CallExpression" && node.callee.name === "plural") ||
      (node?.type === "ConditionalExpression" && (isWrapped(node.consequent) || isWrapped(node.alternate)));

    /** Whether a text stands in the place of another text: the other branch, or another word of a table. */
    function isBesideText(node) {
      const { parent } = node;
      if (parent.type === "ConditionalExpression" && parent.test !== node)
        return isWrapped(parent.consequent === node ? parent.alternate : parent.consequent) || isBesideText(parent);
      if (parent.type !== "Property" || parent.computed || parent.parent.type !== "ObjectExpression") return false;
      const { properties } = parent.parent;
      const named = (each) => TEXT_KEYS.test(keyOf(each)) || NAMES.test(keyOf(each));
      return !properties.some(named) && properties.some((each) => isWrapped(each.value));
    }

    function isText(node, text) {
      const direct = node.parent;
      if (direct.type === "TaggedTemplateExpression" || /^data\(/.test(text)) return false;
      if (direct.type === "CallExpression" && direct.callee.name === "plural") return false;
      if (direct.type === "BinaryExpression" && direct.operator !== "+") return false;
      if (direct.type === "MemberExpression" || direct.type === "SwitchCase" || direct.type === "ExpressionStatement")
        return false;
      if (/^(Import|Export|TS(Literal|Import|External|Enum))/.test(direct.type)) return false;
      if (direct.type === "Property" && direct.key === node) return false;
      const [child, holder] = holderOf(node);
      if (letters(text) && isBesideText(node)) return true;
      if (holder.type === "TaggedTemplateExpression")
        return letters(text) && (node.type === "Literal" || isProse(text));
      if (holder.type === "JSXExpressionContainer") {
        const around = holder.parent;
        if (around.type === "JSXElement" || around.type === "JSXFragment")
          return letters(text) && !LITERAL.test(nameOf(around));
        return attribute(around, text);
      }
      if (holder.type === "JSXAttribute") return attribute(holder, text);
      if (holder.type === "Property") {
        if (holder.computed) return false;
        const key = keyOf(holder);
        if (TEXT_KEYS.test(key)) return letters(text);
        if (NAMES.test(key)) return false;
        if (/^[A-Z_]{3,}$/.test(key)) return /^[A-Za-z][a-z]/.test(text) && !text.includes("/");
        return isProse(text);
      }
      if (holder.type === "CallExpression" || holder.type === "NewExpression") {
        const callee = holder.callee.property?.name ?? holder.callee.name ?? "";
        if (child === holder.callee || NAMING.test(callee)) return false;
        return isProse(text);
      }
      if (
        holder.type === "VariableDeclarator" &&
        holder.id.type === "Identifier" &&
        /class|style|path|address|query/i.test(holder.id.name)
      )
        return false;
      return isProse(text);
    }

    function attribute(node, text) {
      const name = typeof node.name?.name === "string" ? node.name.name : "";
      if (TEXT_ATTRIBUTES.test(name)) return letters(text);
      return !NAMES.test(name) && isProse(text);
    }

    const template = (text, node) => `t\`${wrap(escape(text), indentOf(node))}\``;

    /** The text `${count} ` or the element `{count} ` before a counted word becomes a part of it. */
    function counted(node) {
      const count = source.getText(node.test.left);
      const { parent } = node;
      const forms = (mark) =>
        `plural(${count}, ${JSON.stringify(mark + node.consequent.value)}, ${JSON.stringify(mark + node.alternate.value)})`;
      if (parent.type === "TemplateLiteral") {
        const at = parent.expressions.indexOf(node);
        const before = parent.expressions[at - 1];
        if (before && parent.quasis[at].value.raw === " " && source.getText(before) === count)
          return [[before.range[0], node.range[1]], forms("# ")];
      }
      if (parent.type === "JSXExpressionContainer" && parent.parent.children) {
        const children = parent.parent.children;
        const at = children.indexOf(parent);
        const [gap, before] = [children[at - 1], children[at - 2]];
        const space = gap && ((gap.type === "JSXText" && gap.value === " ") || source.getText(gap) === '{" "}');
        if (space && before?.type === "JSXExpressionContainer" && source.getText(before.expression) === count)
          return [[before.range[0] + 1, node.range[1]], forms("# ")];
        const broken = children[at - 3];
        if (
          gap?.type === "JSXText" &&
          !gap.value.trim() &&
          before &&
          source.getText(before) === '{" "}' &&
          broken?.type === "JSXExpressionContainer" &&
          source.getText(broken.expression) === count
        )
          return [[broken.range[0] + 1, node.range[1]], forms("# ")];
      }
      return [node.range, forms("")];
    }

    function runs(children) {
      const items = children.map((node) => {
        if (node.type === "JSXText") return { node, text: cleaned(node), blank: !node.value.trim() };
        if (node.type === "JSXExpressionContainer") {
          if (isString(node.expression))
            return { node, text: node.expression.value, blank: !node.expression.value.trim() };
          if (node.expression.type === "JSXEmptyExpression") return { node, wall: true };
          const code = source.getText(node.expression);
          return { node, code, wall: code.includes("\n") || code.length > 90, plain: !code.includes("<") };
        }
        const code = source.getText(node);
        return { node, code, wall: code.includes("\n") || code.length > 110, plain: INLINE.test(nameOf(node)) };
      });
      const result = [];
      for (let at = 0; at < items.length; at += 1) {
        if (!items[at].text || !letters(items[at].text)) continue;
        let [first, last] = [at, at];
        for (let next = at + 1; next < items.length && !items[next].wall; next += 1) {
          if (items[next].text && !items[next].blank) last = next;
          else if (items[next].plain && joined(items, next)) last = next;
        }
        for (
          let next = at - 1;
          next >= 0 && !items[next].wall && (items[next].plain || items[next].text !== undefined);
          next -= 1
        )
          if (items[next].plain || !items[next].blank) first = next;
        result.push(items.slice(first, last + 1));
        at = last;
      }
      return result;
    }

    /** Whether an end belongs to the sentence: nothing but a space, or nothing, stands before it. */
    const joined = (items, at) => items[at - 1]?.text !== undefined;

    function children(node) {
      if (LITERAL.test(nameOf(node))) return;
      for (const run of runs(node.children)) {
        const texts = run.filter((item) => item.text !== undefined);
        const values = run.filter((item) => item.code !== undefined);
        const pending = run.some((item) => isCounted(item.node.expression));
        const [head, tail] = [run[0], run.at(-1)];
        const before = head.node.type === "JSXText" ? (head.node.raw.match(/^\s*/)?.[0] ?? "") : "";
        const after = tail.node.type === "JSXText" ? (tail.node.raw.match(/\s*$/)?.[0] ?? "") : "";
        const said = run
          .map((item) =>
            item.text !== undefined
              ? escape(item.text)
              : `\${${item.node.type === "JSXExpressionContainer" ? source.getText(item.node.expression) : item.code}}`,
          )
          .join("")
          .trim();
        context.report({
          node: texts[0].node,
          messageId: "outside",
          fix: pending
            ? null
            : (fixer) =>
                fixer.replaceTextRange(
                  [head.node.range[0], tail.node.range[1]],
                  `${before}{${values.length ? "rich" : "t"}\`${wrap(said, indentOf(head.node))}\`}${after}`,
                ),
        });
      }
    }

    return {
      JSXElement: children,
      JSXFragment: children,
      ConditionalExpression(node) {
        if (!isCounted(node)) return;
        const [range, text] = counted(node);
        context.report({ node, messageId: "outside", fix: (fixer) => fixer.replaceTextRange(range, text) });
      },
      Literal(node) {
        if (!isString(node) || isCounted(node.parent) || !isText(node, node.value)) return;
        const { parent } = node;
        if (
          parent.type === "JSXExpressionContainer" &&
          parent.parent.children?.some((child) => child.type === "JSXText" && letters(child.value))
        )
          return;
        const text = template(node.value, node);
        context.report({
          node,
          messageId: "outside",
          fix: (fixer) => fixer.replaceText(node, parent.type === "JSXAttribute" ? `{${text}}` : text),
        });
      },
      TemplateLiteral(node) {
        const text = node.quasis.map((part) => part.value.cooked).join("\uFFFC");
        if (!letters(text.replaceAll("\uFFFC", " ")) || !isText(node, text)) return;
        context.report({
          node,
          messageId: "outside",
          fix: node.expressions.some(isCounted) ? null : (fixer) => fixer.insertTextBefore(node, "t"),
        });
      },
      "TaggedTemplateExpression > Identifier.tag"(node) {
        if (TAGS.has(node.name)) used.add(node.name);
      },
      "CallExpression > Identifier.callee"(node) {
        if (node.name === "plural") used.add(node.name);
      },
      "Program:exit"(program) {
        const imports = program.body.filter((node) => node.type === "ImportDeclaration");
        const words = imports.find((node) => /words\/text$/.test(node.source.value));
        const names = words?.specifiers.map((each) => each.local.name) ?? [];
        const missing = [...used].filter((name) => !names.includes(name));
        if (missing.length === 0) return;
        const all = [...new Set([...names, ...missing])].sort();
        const path = relative(dirname(context.filename), `${context.cwd}/src/words/text`);
        const line = `import { ${all.join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}";`;
        context.report({
          node: program,
          messageId: "missing",
          data: { names: missing.join(", ") },
          fix: (fixer) =>
            words
              ? fixer.replaceText(words, line)
              : imports.length
                ? fixer.insertTextAfter(imports.at(-1), `\n${line}`)
                : fixer.insertTextBeforeRange([program.body[0]?.range[0] ?? 0, 0], `${line}\n\n`),
        });
      },
    };
  },
};
