import { readFileSync } from "node:fs";
import { expect, it, describe } from "vitest";

const css = readFileSync("src/theme/tokens.css", "utf8");
const [light = "", dark = ""] = css.split("[data-mantine-color-scheme");

function tokens(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((found) => [found[1], found[2]]));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one = "", two = ""): number {
  const [high = 0, low = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["bg", "surface", "sunken", "accent-soft"];
const softs = ["ok-soft", "run-soft", "wait-soft", "bad-soft", "unknown-soft"];
const pairs = [
  ...["ink", "ink-2", "ink-3", "accent", "ok", "run", "wait", "bad", "old", "new"].flatMap((ink) =>
    grounds.map((on) => [ink, on]),
  ),
  ...["ink", "ink-3", "old", "new"].flatMap((ink) => softs.map((on) => [ink, on])),
  ["ok", "ok-soft"],
  ["run", "run-soft"],
  ["wait", "wait-soft"],
  ["bad", "bad-soft"],
  ["unknown", "unknown-soft"],
  ["accent-ink", "accent"],
  ["surface", "bad"],
] as [string, string][];

describe.each([
  ["light", tokens(light)],
  ["dark", tokens(dark)],
])("%s theme", (_name, colours) => {
  it.each(pairs)("shows %s on %s with the contrast of AA", (ink, on) => {
    expect(ratio(colours[ink], colours[on])).toBeGreaterThanOrEqual(4.5);
  });
  it.each(["bg", "surface", "sunken"])("draws controls on %s with at least 3:1", (on) => {
    expect(ratio(colours["control"], colours[on])).toBeGreaterThanOrEqual(3);
  });
});
