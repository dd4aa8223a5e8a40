import { screen, waitFor } from "@testing-library/react";
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

function open(items: object[], at: string) {
  const sent = serve({
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
