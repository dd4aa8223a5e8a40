import { expect, it } from "vitest";
import { ApiError } from "../../api/problem";
import { fieldErrors } from "./problem";

const refused = (...errors: { path: string; message: string }[]): ApiError =>
  new ApiError({
    title: "Not valid",
    status: 422,
    errors: errors.map((violation) => ({ ...violation, remedy: "", code: "invalid" })),
  });

it("gives each field what is said of it, of what is in it too", () => {
  const error = refused(
    { path: "name", message: "Taken." },
    { path: "stages.0.group", message: "No such group." },
    { path: "stages[1].needed", message: "At least 1." },
    { path: "region", message: "Unknown." },
  );
  expect(fieldErrors(error, ["name", "stages", "reason"])).toEqual({
    name: "Taken.",
    stages: "No such group. At least 1.",
  });
});

it("finds a field that has another name in the body, the longest place first", () => {
  const error = refused({ path: "plan.not_before", message: "Is over." }, { path: "plan.hours", message: "Too long." });
  expect(fieldErrors(error, ["at", "plan"], { "plan.not_before": "at" })).toEqual({
    at: "Is over.",
    plan: "Too long.",
  });
});

it("finds nothing in what names no field: another refusal, or no answer at all", () => {
  expect(fieldErrors(new ApiError({ title: "Busy", status: 503 }), ["name"])).toEqual({});
  expect(fieldErrors(new TypeError("network"), ["name"])).toEqual({});
});
