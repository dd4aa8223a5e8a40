import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { upgrade } from "../../../test/samples";
import { serve, show } from "../../../test/show";
import type { Upgrade } from "../../../wire/model";
import { Override } from "./Override";

const shut: Upgrade["readiness"]["checks"] = [
  { check: "window", verdict: "fail", sentence: "The freeze audit forbids it.", remedy: "", at: null },
];
const held = upgrade({ state: "READY", readiness: { ...upgrade().readiness, checks: shut } });
const ruling = {
  deployment: held.deployment,
  environment: "prod",
  at: "2026-03-01T14:00:00Z",
  allowed: false,
  sentence: "The freeze audit forbids it.",
  winner: "audit",
  considered: [],
  next_open: null,
  overriders: ["olga", "role releaser"],
  may_override: true,
  override_refusal: "",
};

it("lets whom the freeze names go past it, with a reason", async () => {
  const sent = serve({ "GET /windows/explain": ruling, [`POST /upgrades/${held.id}/window-override`]: {} });
  show(<Override upgrade={held} />);
  await userEvent.click(await screen.findByRole("button", { name: "Override the window…" }));
  await userEvent.type(await screen.findByLabelText(/Reason/), "the fix of CVE-1");
  await userEvent.click(screen.getByRole("button", { name: "Override" }));
  await vi.waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({ reason: "the fix of CVE-1" }),
  );
});

it("tells others who can", async () => {
  serve({
    "GET /windows/explain": {
      ...ruling,
      may_override: false,
      override_refusal: "The freeze audit may be overridden by olga, role releaser.",
    },
    "GET /duty": { items: [] },
  });
  show(<Override upgrade={held} />);
  await userEvent.click(await screen.findByRole("button", { name: /Override the window/ }));
  expect(await screen.findByText("The freeze audit may be overridden by olga, role releaser.")).toBeTruthy();
  expect(screen.getByText(/Allowed for/).parentElement?.textContent).toContain("olga, role releaser");
});

it("stands nowhere while nothing forbids the switch", () => {
  const sent = serve({});
  show(<Override upgrade={upgrade({ state: "READY" })} />);
  expect([screen.queryByRole("button"), sent]).toEqual([null, []]);
});
