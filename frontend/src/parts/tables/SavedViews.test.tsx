import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useLocation } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { SavedViews } from "./SavedViews";

function Where() {
  return <p>at {useLocation().search || "everything"}</p>;
}

const session = {
  account: { name: "olga", email: "", roles: [], permissions: [] },
  csrf_token: "",
  server_time: "2026-03-01T00:00:00Z",
  environment: "",
  version: "",
};
const view = (name: string, part: object = {}) => ({
  name,
  query: `q=${name}`,
  first: false,
  shared: false,
  everybody: false,
  owner: "olga",
  ...part,
});

function open(items: object[], at: string, more: object = {}) {
  const sent = serve({
    ...more,
    "GET /session": session,
    "GET /views/fleet": { items, next_cursor: null, has_more: false },
    "PUT /views/fleet/Gate": { items: [] },
  });
  show(
    <>
      <SavedViews page="fleet" />
      <Where />
    </>,
    at,
  );
  return sent;
}

it("saves what the address says under a name, for everybody where that is wanted", async () => {
  const sent = open([view("theirs", { owner: "vera", shared: true })], "/fleet?state=READY");
  await userEvent.click(screen.getByRole("button", { name: "Views" }));
  expect(await screen.findByText("theirs by vera")).toBeTruthy();
  await userEvent.click(await screen.findByText("Save this view…"));
  await userEvent.type(await screen.findByLabelText("Name"), "Gate");
  await userEvent.click(screen.getByLabelText("Share with all users"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "PUT")?.body).toEqual({
      query: "state=READY",
      first: false,
      shared: true,
      everybody: false,
    }),
  );
});

it("opens with the view that was chosen for it, but never in place of an address", async () => {
  open([view("mine", { first: true })], "/fleet");
  expect(await screen.findByText("at ?q=mine")).toBeTruthy();
});

it("opens with the view for everybody where one chose none", async () => {
  open([view("ours", { owner: "root", shared: true, everybody: true })], "/fleet");
  expect(await screen.findByText("at ?q=ours")).toBeTruthy();
});

it("asks before it deletes a view, and shows why the server would not", async () => {
  const refusal = { title: "Conflict", status: 409, detail: "The view is the default for all users." };
  const sent = open([view("mine", { shared: true })], "/fleet?q=mine", { "DELETE /views/fleet/mine": refusal });
  await userEvent.click(await screen.findByRole("button", { name: "mine" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete mine…" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete the view mine?" });
  const deletions = () => sent.filter((each) => each.method === "DELETE");
  expect(deletions()).toEqual([]);
  expect(within(dialog).getByText(/other users lose it as well/)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await within(dialog).findByText(refusal.detail)).toBeTruthy();
  expect(deletions()).toHaveLength(1);
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "mine" })));
});

it("says that the link to a view was copied", async () => {
  open([view("mine", { shared: true })], "/fleet?q=mine");
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "mine" }));
  await user.click(await screen.findByRole("menuitem", { name: "Copy a link to mine" }));
  expect(await screen.findByRole("menuitem", { name: "Link copied" })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/views/fleet/mine`);
});
