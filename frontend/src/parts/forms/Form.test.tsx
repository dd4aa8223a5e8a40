import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { write } from "../../api/client";
import { serve, show } from "../../test/show";
import { ProblemPanel } from "../states";
import { Form } from "./Form";
import { required, useForm } from "./useForm";

const PUT = "PUT /services/library/versions/v1/retirement";

function Retirement() {
  const form = useForm(
    { note: "", day: "" },
    { note: required, day: (day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? null : "A day such as 2026-03-01.") },
  );
  const save = useMutation({
    mutationFn: (values: { note: string; day: string }) =>
      write.put("/services/{name}/versions/{version}/retirement", {
        path: { name: "library", version: "v1" },
        body: { note: values.note, retires_on: values.day },
        ifMatch: 1,
      }),
  });
  return (
    <Form of={form} onSend={(values) => save.mutate(values)} error={save.error} places={{ retires_on: "day" }}>
      <TextInput label="Note" {...form.getInputProps("note")} />
      <TextInput label="Day" {...form.getInputProps("day")} />
      {save.isError ? <ProblemPanel error={save.error} /> : null}
      <Button type="submit">{"Send"}</Button>
    </Form>
  );
}

const field = (name: string): HTMLInputElement => screen.getByLabelText(name);

/** What screen readers say of a field: whether it holds, and the text that describes it. */
const said = (name: string): [string | null, string] => [
  field(name).getAttribute("aria-invalid"),
  (field(name).getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "")
    .join(" "),
];

it("judges a field when it is left after a change, and not before", async () => {
  serve({});
  show(<Retirement />);
  await userEvent.click(field("Day"));
  await userEvent.click(field("Note"));
  expect(screen.queryByText(/A day such as/)).toBeNull();
  await userEvent.type(field("Day"), "soon");
  expect(screen.queryByText(/A day such as/)).toBeNull();
  await userEvent.click(field("Note"));
  expect(said("Day")).toEqual(["true", "A day such as 2026-03-01."]);
  await userEvent.type(field("Day"), "er");
  expect(screen.queryByText(/A day such as/)).toBeNull();
});

it("sends nothing while a value is missing, and goes to the first that is", async () => {
  const sent = serve({ [PUT]: {} });
  show(<Retirement />);
  await userEvent.type(field("Day"), "2026-03-01");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(said("Note")).toEqual(["true", "This field is required."]);
  expect(document.activeElement).toBe(field("Note"));
  expect(sent).toEqual([]);
  await userEvent.type(field("Note"), "Spring{Enter}");
  await waitFor(() =>
    expect(sent.map((request) => request.body)).toEqual([{ note: "Spring", retires_on: "2026-03-01" }]),
  );
});

it("shows only at its field what the server refuses, until the field changes", async () => {
  const refusal = {
    title: "Not valid",
    status: 422,
    errors: [
      { path: "retires_on", message: "The day is over." },
      { path: "labels.team", message: "Unknown team." },
    ],
  };
  serve({ [PUT]: refusal });
  show(<Retirement />);
  await userEvent.type(field("Note"), "Spring");
  await userEvent.type(field("Day"), "2020-03-01{Enter}");
  expect(await screen.findByText("The day is over.")).toBeTruthy();
  expect(said("Day")).toEqual(["true", "The day is over."]);
  expect(document.activeElement).toBe(field("Day"));
  expect([...screen.getByRole("alert").querySelectorAll("li")].map((item) => item.textContent)).toEqual([
    "labels.team Unknown team.",
  ]);
  await userEvent.type(field("Note"), "!");
  expect(screen.getByText("The day is over.")).toBeTruthy();
  await userEvent.type(field("Day"), "{Backspace}2");
  expect(screen.queryByText("The day is over.")).toBeNull();
});

it("says how to go on where all that is wrong stands at its fields", async () => {
  serve({
    [PUT]: {
      title: "Not valid",
      status: 422,
      detail: "The day is over.",
      request_id: "r1",
      errors: [{ path: "retires_on", message: "The day is over." }],
    },
  });
  show(<Retirement />);
  await userEvent.type(field("Note"), "Spring{Enter}");
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.type(field("Day"), "2020-03-01{Enter}");
  expect((await screen.findByRole("alert")).textContent.trim()).toBe("Correct the marked fields.");
});

it("says at its field how a value is mended, and does not repeat it below", async () => {
  const networks = {
    title: "Not valid",
    status: 400,
    detail: "'10' is no network. Write it as 10.0.0.0/8.",
    remedy: "Write it as 10.0.0.0/8.",
    errors: [
      { path: "retires_on", message: "'10' is no network.", remedy: "Write it as 10.0.0.0/8.", code: "invalid" },
    ],
  };
  serve({ [PUT]: networks });
  show(<Retirement />);
  await userEvent.type(field("Note"), "Spring");
  await userEvent.type(field("Day"), "2020-03-01{Enter}");
  expect(await screen.findByText("'10' is no network. Write it as 10.0.0.0/8.")).toBeTruthy();
  expect(said("Day")).toEqual(["true", "'10' is no network. Write it as 10.0.0.0/8."]);
  expect(screen.getByRole("alert").textContent.trim()).toBe("Correct the marked fields.");
});

it("says how a value without a field is mended, in its line of the list", async () => {
  const errors = [{ path: "teem", message: "There is no such field.", remedy: "Did you mean team?", code: "unknown" }];
  serve({ [PUT]: { title: "Not valid", status: 400, errors } });
  show(<Retirement />);
  await userEvent.type(field("Note"), "Spring");
  await userEvent.type(field("Day"), "2020-03-01{Enter}");
  const alert = await screen.findByRole("alert");
  expect([...alert.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
    "teem There is no such field. Did you mean team?",
  ]);
});

it("refuses a name that the form library would take for a path", () => {
  function Dotted() {
    useForm({ "fleet.read": true });
    return null;
  }
  expect(() => show(<Dotted />)).toThrow(/fleet\.read names no field/);
});
