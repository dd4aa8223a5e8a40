import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../test/show";
import { SignInPage } from "./SignIn";

const anonymous = { account: null, csrf_token: "c-1", server_time: "2026-03-01T14:02:11Z", environment: "local", version: "0.1" };

it("signs in with the token of the anonymous session", async () => {
  const sent = serve({ "GET /session": anonymous, "POST /session": { ...anonymous, csrf_token: "c-2" } });
  show(<SignInPage />);
  await userEvent.type(screen.getByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(sent.some((each) => each.method === "POST")).toBe(true));
  const post = sent.find((each) => each.method === "POST");
  expect(post?.body).toEqual({ username: "ann", password: "correct horse" });
  expect(post?.headers.get("X-CSRFToken")).toBe("c-1");
});

it("says what was wrong, in the server's words", async () => {
  serve({ "GET /session": anonymous, "POST /session": { title: "Sign-in refused", status: 401, detail: "Name or password is wrong." } });
  show(<SignInPage />);
  await userEvent.type(screen.getByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "nope");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText(/Name or password is wrong/)).toBeTruthy();
});
