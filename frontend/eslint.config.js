import { readdirSync } from "node:fs";
import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import globals from "globals";
import ts from "typescript-eslint";
import { inCatalogue } from "./scripts/catalogue-rule.mjs";

// The folders of src, lowest first: each imports those before it and never those after it.
const LAYERS = ["words", "theme", "wire", "state", "time", "api", "live", "parts", "shell", "pages"];
// What tests share: it may import everything, and tests alone import it.
const TESTS = "test";
const folders = readdirSync(`${import.meta.dirname}/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const misplaced = folders
  .concat(LAYERS)
  .filter((name) => name !== TESTS && !(folders.includes(name) && LAYERS.includes(name)));
if (misplaced.length)
  throw new Error(`LAYERS and the folders of src differ in ${misplaced.join(", ")}: place each on a layer.`);
// Tables and forms are made in one place each: names, headers, keyboard, states and errors are the same everywhere.
const TABLES = {
  folder: "src/parts/tables/**",
  message: "A table is a DataTable or a VirtualTable of src/parts/tables.",
};
const FORMS = {
  folder: "src/parts/forms/**",
  message: "A form is a Form of src/parts/forms, with the values of its useForm.",
};
const table = { selector: "JSXOpeningElement[name.name='table']", message: TABLES.message };
const form = { selector: "JSXOpeningElement[name.name='form']", message: FORMS.message };
const tableImport = { name: "@mantine/core", importNames: ["Table"], message: TABLES.message };
const formImport = { name: "@mantine/form", allowTypeImports: true, message: FORMS.message };
// What a call of the API answers is declared by the OpenAPI document: it is not chosen where it is called.
const CALL = "CallExpression:matches([callee.name='read'], [callee.object.name=/^(write|change|rehearse)$/])";
const CAST = "TSAsExpression[typeAnnotation.typeName.name!='const']";
const chosen = [`${CALL}[typeArguments]`, `${CAST} > ${CALL}`, `${CAST} > AwaitExpression > ${CALL}`].map(
  (selector) => ({ selector, message: "The API declares what it answers: leave the type to src/api/client.ts." }),
);
const refused = (elements, paths) => ({
  "no-restricted-syntax": ["error", ...chosen, ...elements],
  "@typescript-eslint/no-restricted-imports": ["error", { paths }],
});
const upward = LAYERS.map((layer, at) => ({
  target: `./src/${layer}`,
  from: [...LAYERS.slice(at + 1).map((higher) => `./src/${higher}`), "./src/app.tsx", "./src/main.tsx"],
  message: `src/${layer} may import ${LAYERS.slice(0, at).join(", ") || "nothing"} alone.`,
}));

export default ts.config(
  { ignores: ["dist", "src/wire/schema.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  a11y.flatConfigs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks, "import-x": importX },
    settings: {
      "import-x/extensions": [".ts", ".tsx"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".tsx"] })],
    },
    languageOptions: { globals: globals.browser },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      // Boxes that scroll take focus, so that their content can be reached by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: ["pre"], roles: ["tabpanel", "region"] }],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "max-len": ["error", { code: 140 }],
      "import-x/no-restricted-paths": ["error", { zones: upward }],
      "import-x/no-cycle": "error",
      eqeqeq: "error",
      // A constant that is used in a closure above its line breaks the page, and the compiler does not see it.
      "@typescript-eslint/no-use-before-define": [
        "error",
        { functions: false, classes: false, enums: false, typedefs: false, ignoreTypeReferences: true },
      ],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/**/*.test.{ts,tsx}", `src/${TESTS}/**`],
    rules: {
      "import-x/no-restricted-paths": [
        "error",
        {
          zones: [
            ...upward,
            { target: "./src", from: `./src/${TESTS}`, message: "Tests alone import what tests share." },
          ],
        },
      ],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/**/*.test.{ts,tsx}", "src/test/**", "src/words/**"],
    plugins: { texts: { rules: { "in-catalogue": inCatalogue } } },
    rules: { "texts/in-catalogue": "error" },
  },
  { files: ["src/**/*.{ts,tsx}"], rules: refused([table, form], [tableImport, formImport]) },
  { files: [TABLES.folder], rules: refused([table, form], [formImport]) },
  { files: [FORMS.folder], rules: refused([table], [tableImport]) },
  // What tests serve need not be what the API declares.
  { files: ["src/**/*.test.tsx"], rules: { "no-restricted-syntax": ["error", table, form] } },
  { files: ["scripts/**", "*.ts"], languageOptions: { globals: globals.node } },
);
