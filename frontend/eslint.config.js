import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import globals from "globals";
import ts from "typescript-eslint";
import { inCatalogue } from "./scripts/catalogue-rule.mjs";

// The folders of src, lowest first: each imports those before it and never those after it.
const LAYERS = ["words", "wire", "state", "time", "api", "live", "parts", "shell", "pages"];
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
    ignores: ["src/**/*.test.{ts,tsx}", "src/test/**", "src/words/**"],
    plugins: { texts: { rules: { "in-catalogue": inCatalogue } } },
    rules: { "texts/in-catalogue": "error" },
  },
  { files: ["scripts/**", "*.ts"], languageOptions: { globals: globals.node } },
);
