import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { serve, show } from "../test/show";
import { rightOf } from "./PermissionRequest";
import { ActionButton, findAction } from "./ActionButton";

it("does what it says when allowed", async () => {
  const act = vi.fn();
  show(
    <ActionButton of={{ action: "switch", allowed: true, reason: "", who_can: [] }} onAct={act}>
      Switch now
    </ActionButton>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Switch now" }));
  expect(act).toHaveBeenCalledOnce();
});

it("stays reachable and answers why not, and who can", async () => {
  const act = vi.fn();
  show(
    <ActionButton
      of={{ action: "switch", allowed: false, reason: "Two approvals are missing.", who_can: ["release-approvers"] }}
      onAct={act}
    >
      Switch now
    </ActionButton>,
  );
  const button = screen.getByRole("button", { name: /Switch now/ });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(button);
  expect(await screen.findByText("Two approvals are missing.")).toBeTruthy();
  expect(screen.getByText(/release-approvers/)).toBeTruthy();
  expect(act).not.toHaveBeenCalled();
});

it("finds an action however the server spells it", () => {
  const actions = [{ action: "upgrade.request_approval", allowed: true, reason: "", who_can: [] }];
  expect(findAction(actions, "request-approval")).toBe(actions[0]);
  expect(findAction(actions, "switch")).toBeNull();
});

it("asks those who may, in the words of the button and with the page it stands on", async () => {
  const sent = serve({ "POST /asks": {}, "GET /duty": { items: [] } });
  show(
    <ActionButton
      of={{ action: "window.write", allowed: false, reason: "Denied.", who_can: ["operator"] }}
      onAct={() => undefined}
    >
      New window or freeze…
    </ActionButton>,
  );
  await userEvent.click(screen.getByRole("button", { name: /New window/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Send a request…" }));
  await userEvent.type(screen.getByLabelText("Message"), "soon");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText(/It is shown on the overview/)).toBeTruthy();
  expect(sent.find((each) => each.path === "/asks")?.body).toEqual({
    permission: "window.write",
    what: "New window or freeze",
    link: "/",
    comment: "soon",
  });
});

it("knows the right behind an action, and that some have none to ask for", () => {
  expect([
    rightOf("waive"),
    rightOf("upgrade.request_approval"),
    rightOf("resource.write"),
    rightOf("whatever"),
  ]).toEqual(["registry.write", "approval.request", "resource.write", ""]);
});
