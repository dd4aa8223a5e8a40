import { expect, it } from "vitest";
import { environmentTone } from "./environment";

it("gives places where people are served a colour of their own", () => {
  expect(["production", "prod-eu", "Live"].map(environmentTone)).toEqual(["bad", "bad", "bad"]);
  expect(["staging", "preprod", "uat"].map(environmentTone)).toEqual(["wait", "wait", "wait"]);
  expect(["local", "", "development"].map(environmentTone)).toEqual(["run", "run", "run"]);
});
