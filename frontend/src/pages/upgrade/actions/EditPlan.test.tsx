import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ActionButton } from "../../../parts/ActionButton";
import { upgrade } from "../../../test/samples";
import { serve, show } from "../../../test/show";
import { changesOf, EditPlan } from "./EditPlan";

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

it("shows the instant of the plan in UTC, whatever its zone, and sends the time that is typed", async () => {
  const of = upgrade({ plan: { not_before: "2026-03-02T00:00:00+02:00" } });
  const sent = serve({ "POST /upgrades/u1/edit": of });
  show(<EditPlan upgrade={of} onClose={() => undefined} />);
  const field = screen.getByLabelText<HTMLInputElement>("Not before (UTC)");
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Change the plan" });
  expect(field.value).toBe("2026-03-01 22:00");
  await userEvent.clear(field);
  await userEvent.type(field, "2026-02-30 10:00");
  expect(save.disabled).toBe(true);
  await userEvent.tab();
  expect(screen.getByText("Enter a time such as 2026-03-01 14:00.")).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, "2026-03-03 10:30");
  await userEvent.click(save);
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({ not_before: "2026-03-03T10:30:00Z" }),
  );
});

it("changes only what differs, and takes an empty time for none", () => {
  const plan = { not_before: "2026-03-01T22:00:00.000Z" };
  const before = { automatic: false, at: "2026-03-01T22:00:00", hours: 168 };
  expect(changesOf({ automatic: false, plan }, { ...before, at: "" })).toEqual({ not_before: null });
  expect(changesOf({ automatic: false, plan }, { ...before, hours: 24 })).toEqual({ rollback_hours: 24 });
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
