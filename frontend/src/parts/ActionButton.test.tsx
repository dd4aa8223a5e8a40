import { fireEvent, screen, waitFor } from "@testing-library/react";
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

function Row({ who = [] }: { who?: string[] }) {
  return (
    <>
      <ActionButton
        of={{ action: "upgrade.switch", allowed: false, reason: "Not yet.", who_can: who }}
        onAct={() => undefined}
      >
        Switch
      </ActionButton>
      <button>Next</button>
    </>
  );
}

it("closes its answer when Tab goes on to what follows", async () => {
  show(<Row />);
  await userEvent.click(screen.getByRole("button", { name: /Switch/ }));
  expect(await screen.findByText("Not yet.")).toBeTruthy();
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Next" }));
  await waitFor(() => expect(screen.queryByText("Not yet.")).toBeNull());
});

it("takes Tab into its answer, and from its end on after the button", async () => {
  serve({ "GET /duty": { items: [] } });
  show(<Row who={["operator"]} />);
  const button = screen.getByRole("button", { name: /Switch/ });
  await userEvent.click(button);
  const send = await screen.findByRole("button", { name: "Send a request…" });
  await userEvent.tab();
  expect(document.activeElement).toBe(send);
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(button);
  expect(screen.getByText("Not yet.")).toBeTruthy();
  await userEvent.tab();
  // The browser does the rest of the step, from the button.
  expect(fireEvent.keyDown(send, { key: "Tab" })).toBe(true);
  expect(document.activeElement).toBe(button);
  screen.getByRole("button", { name: "Next" }).focus();
  await waitFor(() => expect(screen.queryByText("Not yet.")).toBeNull());
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
