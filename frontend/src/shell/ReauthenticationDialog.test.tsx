import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { write } from "../api/client";
import { show } from "../test/show";
import { ReauthenticationDialog } from "./ReauthenticationDialog";

function server(): { votes: () => number } {
  let shown = false;
  let votes = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const at = request.url;
    const json = (status: number, body: unknown) =>
      new Response(status === 204 ? null : JSON.stringify(body), {
        status,
        headers: { "Content-Type": "application/json" },
      });
    if (at.endsWith("/session/proof")) {
      shown = ((await request.json()) as { password: string }).password === "right";
      return shown
        ? json(204, null)
        : json(403, { title: "Denied", detail: "The password is wrong.", code: "step-up-wrong" });
    }
    if (at.endsWith("/session/passkeys")) return json(200, { items: [], next_cursor: null, has_more: false });
    if (at.endsWith("/session"))
      return json(200, {
        account: null,
        csrf_token: "",
        server_time: "2026-03-01T00:00:00Z",
        environment: "",
        version: "",
      });
    if (!shown) return json(403, { title: "Denied", code: "step-up" });
    votes += 1;
    return json(200, { state: "APPROVED" });
  });
  return { votes: () => votes };
}

it("asks who is there and then goes on with the very request", async () => {
  const { votes } = server();
  show(<ReauthenticationDialog />);
  const vote = write.post("/approvals/{id}/approve", { path: { id: "a1" }, body: {}, ifMatch: "d" });
  await userEvent.type(await screen.findByLabelText(/Password/), "wrong");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText(/The password is wrong/)).toBeTruthy();
  await userEvent.clear(screen.getByLabelText(/Password/));
  await userEvent.type(screen.getByLabelText(/Password/), "right");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await vote).toEqual({ state: "APPROVED" });
  expect(votes()).toBe(1);
});

it("gives the refusal back when the person would not", async () => {
  const { votes } = server();
  show(<ReauthenticationDialog />);
  const vote = write
    .post("/approvals/{id}/approve", { path: { id: "a1" }, body: {}, ifMatch: "d" })
    .catch((error: { problem: { code: string } }) => error.problem.code);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(async () => expect(await vote).toBe("step-up"));
  expect(votes()).toBe(0);
});
