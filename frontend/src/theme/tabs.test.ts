import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("draws the line under tabs that scroll below each of them", () => {
  const css = readFileSync("src/theme/pages.css", "utf8").replace(/\s+/g, " ");
  expect(css).toContain(".mantine-Tabs-tab:not([data-active]) { border-color: var(--tab-border-color); }");
});
