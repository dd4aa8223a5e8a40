import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", "src/wire/schema.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  a11y.flatConfigs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    languageOptions: { globals: globals.browser },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      // Boxes that scroll take focus, so that their content can be reached by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: ["pre"], roles: ["tabpanel", "region"] }],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      eqeqeq: "error",
      // A constant that is used in a closure above its line breaks the page, and the compiler does not see it.
      "@typescript-eslint/no-use-before-define": ["error", { functions: false, classes: false, enums: false, typedefs: false, ignoreTypeReferences: true }],
    },
  },
  { files: ["scripts/**", "*.ts"], languageOptions: { globals: globals.node } },
);
