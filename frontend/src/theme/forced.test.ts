import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync("src/theme/forced.css", "utf8").replace(/\s+/g, " ");

it.each([".parts > span", ".shard .bar"])("keeps the filled part of %s where backgrounds are dropped", (selector) => {
  const rule = css.split(`${selector} {`)[1]?.split("}")[0];
  expect(rule).toContain("CanvasText");
  expect(rule).toContain("forced-color-adjust: none");
});
