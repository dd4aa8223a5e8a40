import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { OwnRequests } from "../pages/home/PendingTasks";
import { Override } from "../pages/upgrade/actions/Override";
import { Warnings } from "../parts/forms/EditDialog";
import { pseudo } from "../words/pseudo";
import { check, upgrade } from "./samples";
import { serve, show } from "./show";

const ACCOUNT = {
  account: { name: "vera", email: "", roles: [], permissions: [], reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
};

it("words what a changed rule means for upgrades under way", () => {
  const held = { key: "The switch of {place} ({upgrade}) is held back:", values: { place: "iam", upgrade: "u1" } };
  const forbids = { key: "No window or freeze applies.", values: {} };
  show(<Warnings of={{ warnings: ["The switch is held back."], warning_phrases: [[held, forbids]] }} />);
  expect(document.body.textContent).toContain(pseudo(forbids.key));
  expect(outsideTexts(document.body, "iam u1")).toEqual([]);
  cleanup();
});

it("words why an account may not override a window", async () => {
  const refusal = { key: "No account may override the freeze {name}.", values: { name: "year-end" } };
  serve({
    "GET /session": ACCOUNT,
    "GET /windows/explain": {
      allowed: false,
      may_override: false,
      override_refusal: "No account may override the freeze year-end.",
      override_refusal_phrases: [refusal],
      overriders: [],
    },
  });
  show(<Override upgrade={upgrade({ readiness: { checks: [check("window", "fail", "")] } as never })} />);
  fireEvent.click(await screen.findByRole("button"));
  await screen.findByText(pseudo(refusal.key).replace("{name}", "year-end"));
  expect(outsideTexts(document.body, "year-end")).toEqual([]);
  cleanup();
});

it("words what an account without a role asks for", async () => {
  const what = "access to this console";
  const ask = { id: "a1", who: "vera", permission: "access.manage", what, link: "/", comment: "" };
  serve({
    "GET /session": ACCOUNT,
    "GET /asks": { items: [{ ...ask, at: "2026-03-01T14:00:00Z" }], next_cursor: null, has_more: false },
  });
  show(<OwnRequests />);
  await screen.findByText(pseudo(what));
  expect(outsideTexts(document.body, "")).toEqual([]);
  cleanup();
});
