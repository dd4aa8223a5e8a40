import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "../test/show";
import { ActionButton, findAction } from "./ActionButton";

it("does what it says when allowed", async () => {
  const act = vi.fn();
  show(<ActionButton of={{ action: "switch", allowed: true, reason: "", who_can: [] }} onAct={act}>Switch now</ActionButton>);
  await userEvent.click(screen.getByRole("button", { name: "Switch now" }));
  expect(act).toHaveBeenCalledOnce();
});

it("stays reachable and answers why not, and who can", async () => {
  const act = vi.fn();
  show(<ActionButton of={{ action: "switch", allowed: false, reason: "Two approvals are missing.", who_can: ["release-approvers"] }} onAct={act}>Switch now</ActionButton>);
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
