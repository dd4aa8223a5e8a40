// Copies the definitions that package.json names for each example, and the files that they import, unchanged from the
// installed package to examples/<name>/protos. `bootstrap.py` and the Dockerfile run it as `npm run copy`.
import { cpSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const source = join(here, "node_modules", "google-proto-files");
// The reader of protobuf definitions has these itself.
const OWN = /^google\/(api|protobuf|rpc|type)\//;
const IMPORT = /^import (?:public |weak )?"([^"]+)";/gm;

function withImports(paths) {
  const wanted = new Set(paths);
  // A set gives what is added while it is read, too.
  for (const path of wanted) {
    for (const [, imported] of readFileSync(join(source, path), "utf8").matchAll(IMPORT)) {
      if (!OWN.test(imported)) wanted.add(imported);
    }
  }
  return wanted;
}

const { examples } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
for (const [example, paths] of Object.entries(examples)) {
  const target = join(here, "..", "examples", example, "protos");
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const path of ["LICENSE", ...withImports(paths)]) {
    cpSync(join(source, path), join(unfinished, path));
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
}
