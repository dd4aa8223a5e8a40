import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { ApiError } from "../api/problem";
import { fieldErrors, FieldsContext } from "../parts/forms/problem";
import { ProblemPanel } from "../parts/states";
import { pseudo } from "../words/pseudo";
import { show } from "./show";

const wrong = { key: "The request is wrong.", values: {} };
const short = { key: "It has less than {count} character.|It has less than {count} characters.", values: { count: 3 } };
const required = { key: "This field is required.", values: {} };
const refused = new ApiError({
  title: "The request is wrong",
  status: 400,
  code: "invalid",
  detail: "The request is wrong.",
  phrases: [wrong],
  errors: [
    { path: "secret", message: "It has less than 3 characters.", phrases: [short] },
    { path: "zone", message: "This field is required.", phrases: [required] },
  ],
});
const several = (pseudo(short.key).split("|")[1] ?? "").replace("{count}", "3");

it("words what is wrong at the fields of a form", () => {
  expect(fieldErrors(refused, ["secret", "zone"])).toEqual({ secret: several, zone: pseudo(required.key) });
});

it("words what is wrong elsewhere, and does not say it twice", () => {
  show(<ProblemPanel error={refused} />);
  expect(screen.getByRole("alert").textContent).toContain(several);
  expect(outsideTexts(document.body, "")).toEqual([]);
  cleanup();
  const twice = new ApiError({
    ...refused.problem,
    detail: "This field is required.",
    phrases: [required],
    errors: [{ path: "zone", message: "This field is required.", phrases: [required] }],
  });
  show(
    <FieldsContext.Provider value={{ names: ["zone"], places: {} }}>
      <ProblemPanel error={twice} />
    </FieldsContext.Provider>,
  );
  expect(screen.getByRole("alert").textContent?.trim()).toBe(pseudo("Correct the marked fields."));
  cleanup();
});
