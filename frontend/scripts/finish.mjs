// After the build: hold the first load to its budget and write .gz and .br beside every text asset.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const DIST = join(new URL("..", import.meta.url).pathname, process.argv[2] ?? "dist");
const FIRST_LOAD_BYTES = 212 * 1024;

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

function firstLoad(manifest) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);
  return [...seen].map((key) => manifest[key].file).filter((file) => file.endsWith(".js"));
}

const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));
const total = firstLoad(manifest)
  .map((file) => gzipSync(readFileSync(join(DIST, file))).length)
  .reduce((sum, size) => sum + size, 0);
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
if (total > FIRST_LOAD_BYTES) {
  console.error(`First load is ${kib(total)} of gzip JavaScript, over the budget of ${kib(FIRST_LOAD_BYTES)}.`);
  process.exit(1);
}
// index.html is left alone: the server writes its nonce into it for every answer.
for (const path of files(join(DIST, "assets")).filter((name) => /\.(js|css|svg|json)$/.test(name))) {
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
}
console.log(`First load: ${kib(total)} of gzip JavaScript (budget ${kib(FIRST_LOAD_BYTES)}).`);
