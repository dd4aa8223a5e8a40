import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ActionButton } from "../../../parts/ActionButton";
import { upgrade } from "../../../test/samples";
import { serve, show } from "../../../test/show";
import { changesOf, EditPlan, fieldOf } from "./EditPlan";

it("sends only what differs, and warns that votes are void", async () => {
  const of = upgrade();
  const sent = serve({ "POST /upgrades/u1/edit": of });
  show(
    <EditPlan
      upgrade={upgrade({ readiness: { ...of.readiness, approvals: { ...of.readiness.approvals, votes_given: 1 } } })}
      onClose={() => undefined}
    />,
  );
  expect(screen.getByText(/The recorded vote becomes void/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Change the plan" }).disabled).toBe(true);
  await userEvent.click(screen.getByLabelText(/Switch automatically/));
  await userEvent.click(screen.getByRole("button", { name: "Change the plan" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.body).toEqual({ automatic: true }));
});

it("reads an instant into the field and gives the same one back", () => {
  const at = "2026-03-01T22:00:00.000Z";
  expect(new Date(fieldOf(at)).toISOString()).toBe(at);
  expect(changesOf({ automatic: false, plan: { not_before: at } }, { automatic: false, at: "", hours: 168 })).toEqual({
    not_before: null,
  });
  expect(
    changesOf({ automatic: false, plan: { not_before: at } }, { automatic: false, at: fieldOf(at), hours: 24 }),
  ).toEqual({ rollback_hours: 24 });
});

it("lets whoever may not ask those who may", async () => {
  const sent = serve({ "GET /duty": { items: [] }, "POST /upgrades/u1/ask": {} });
  show(
    <ActionButton
      of={{ action: "start", allowed: false, reason: "This needs operator.", who_can: ["operator"] }}
      ask="u1"
      onAct={() => undefined}
    >
      Start
    </ActionButton>,
  );
  await userEvent.click(screen.getByRole("button", { name: /Start/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Send a request…" }));
  await userEvent.type(screen.getByLabelText("Message"), "Tonight?");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText(/^Request sent\./)).toBeTruthy();
  expect(sent.find((each) => each.method === "POST")?.body).toEqual({ action: "start", comment: "Tonight?" });
});
