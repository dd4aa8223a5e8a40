import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useLocation } from "react-router";
import { expect, it } from "vitest";
import { show } from "../test/show";
import { keep, SavedViews } from "./SavedViews";

function Where() {
  return <p>at {useLocation().search || "everything"}</p>;
}

it("keeps one view of a name, and opens with one at most", () => {
  const views = keep(keep([], { name: "b", query: "x=1", first: true }), { name: "a", query: "x=2", first: true });
  expect(views).toEqual([{ name: "a", query: "x=2", first: true }, { name: "b", query: "x=1", first: false }]);
  expect(keep(views, { name: "b", query: "x=3", first: false })[1]?.query).toBe("x=3");
});

it("saves what the address says under a name and goes back to it", async () => {
  show(<><SavedViews page="test" /><Where /></>, "/fleet?state=READY");
  await userEvent.click(screen.getByRole("button", { name: "Views" }));
  await userEvent.click(await screen.findByText("Save this view…"));
  await userEvent.type(await screen.findByLabelText("Name"), "At the gate");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.click(await screen.findByRole("button", { name: "At the gate" }));
  await userEvent.click(await screen.findByText("Everything"));
  expect(await screen.findByText("at everything")).toBeTruthy();
});
