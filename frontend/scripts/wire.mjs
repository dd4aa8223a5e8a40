// Types of what the API carries, from its committed description; the paths are left out, the client names them.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const OUT = "src/wire/schema.ts";
execFileSync(
  "npx",
  ["openapi-typescript", "../docs/reference/openapi.yaml", "-o", OUT, "--default-non-nullable=false"],
  {
    stdio: ["ignore", "ignore", "inherit"],
  },
);
const text = readFileSync(OUT, "utf8");
const from = text.indexOf("export interface components {");
const until = text.indexOf("\n}\n", from) + 3;
writeFileSync(
  OUT,
  `/** Written by \`npm run wire\` from docs/reference/openapi.yaml. */\n\n${text.slice(from, until)}`,
);
