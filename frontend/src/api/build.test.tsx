import { afterEach, beforeEach, expect, it } from "vitest";
import { buildHere, newBuild, noteBuild, noteGone } from "./build";

function serveBuild(name: string): void {
  const meta = document.createElement("meta");
  meta.name = "console-build";
  meta.content = name;
  document.head.append(meta);
}

const forget = (): void => document.querySelectorAll('meta[name="console-build"]').forEach((meta) => meta.remove());

beforeEach(forget);
afterEach(forget);

it("knows which build this page is, as its server wrote it", () => {
  expect(buildHere()).toBe("");
  serveBuild("b1");
  expect(buildHere()).toBe("b1");
});

it("notes another build than its own, and takes that back when its own is served again", () => {
  serveBuild("b1");
  noteBuild("b1");
  expect(newBuild.get()).toBe("");
  noteBuild("b2");
  expect(newBuild.get()).toBe("b2");
  noteBuild(null);
  expect(newBuild.get()).toBe("b2");
  noteBuild("b1");
  expect(newBuild.get()).toBe("");
});

it("compares nothing where this page does not know its own build, as while it is developed", () => {
  noteBuild("b2");
  expect(newBuild.get()).toBe("");
});

it("takes code that is gone for a new build, and keeps the name of one that it knows", () => {
  noteGone();
  expect(newBuild.get()).toBe("unknown");
  newBuild.set("b2");
  noteGone();
  expect(newBuild.get()).toBe("b2");
});
