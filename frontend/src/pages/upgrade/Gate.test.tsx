import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import type { Check, Upgrade } from "../../wire/model";
import { Gate, RollbackCard } from "./Gate";

const actions = ["request-approval", "switch"].map((action) => ({ action, allowed: true, reason: "", who_can: [] }));
const gate = (approvals: Partial<Upgrade["readiness"]["approvals"]>): Upgrade =>
  upgrade({
    actions,
    readiness: {
      ...upgrade().readiness,
      approvals: {
        ...upgrade().readiness.approvals,
        needed: 2,
        groups: "approver, then security",
        sentence: "",
        ...approvals,
      },
    },
  });

it("names every group that has to agree, in its order", () => {
  serve({});
  show(<Gate upgrade={gate({})} onAct={() => undefined} />);
  expect(screen.getByText(/^From approver, then security, except the requester/)).toBeTruthy();
  expect(screen.getByText("0 of 2")).toBeTruthy();
  // A check fails still: asking now is possible, and said to be early.
  expect(screen.getByRole("button", { name: "Request approval in advance" })).toBeTruthy();
});

it("counts what passed as the row of the evidence does, and lists votes and windows while they do not pass", () => {
  serve({});
  const check = (name: string, verdict: Check["verdict"]): Check => ({
    check: name,
    verdict,
    sentence: `${name}.`,
    remedy: "",
    at: null,
  });
  const checks = [check("caught-up", "pass"), check("compared", "fail"), check("window", "pass")];
  const of = (approval: Check): Upgrade =>
    upgrade({ readiness: { ...upgrade().readiness, checks: [...checks, approval] } });
  const { unmount } = show(<Gate upgrade={of(check("approval", "pass"))} onAct={() => undefined} />);
  expect(screen.getByText(/check passed/).textContent).toBe("1 check passed");
  expect(screen.queryByText("approval.")).toBeNull();
  unmount();
  show(<Gate upgrade={of(check("approval", "fail"))} onAct={() => undefined} />);
  expect(screen.getByText("approval.")).toBeTruthy();
});

it.each([
  ["OPEN", false],
  ["CHANGES", false],
  ["APPROVED", false],
  ["REJECTED", true],
  ["EXPIRED", true],
  ["VOID", true],
])("offers another request where the last one is %s: %s", async (state, isOffered) => {
  serve({});
  const asked: string[] = [];
  show(<Gate upgrade={gate({ state, request_id: "a1" })} onAct={(action) => asked.push(action)} />);
  const again = screen.queryByRole("button", { name: "Request approval again" });
  expect(again !== null).toBe(isOffered);
  if (again) await userEvent.click(again);
  expect(asked).toEqual(isOffered ? ["request-approval"] : []);
});

it("asks for no votes once approval was overridden (break-glass)", () => {
  const sent = serve({});
  show(<Gate upgrade={gate({ state: "EMERGENCY" })} onAct={() => undefined} />);
  expect(screen.getByText("override used")).toBeTruthy();
  expect(screen.getByText("The action continues without votes. Another person reviews it afterwards.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Request approval/ })).toBeNull();
  expect(screen.queryByText("0 of 2")).toBeNull();
  expect(sent.some((each) => each.path.startsWith("/policies/explain"))).toBe(false);
});

it("shows no votes of the switch as those of a rollback, also in the moment after the switch", () => {
  serve({});
  const of = (purpose: string): Upgrade => ({
    ...gate({ purpose, needed: 2, votes_given: 2, request_id: "a1" }),
    state: "REVERSIBLE",
  });
  const { unmount } = show(<RollbackCard upgrade={of("switch")} onAct={() => undefined} />);
  expect(screen.queryByText("2 of 2")).toBeNull();
  unmount();
  show(<RollbackCard upgrade={of("revert")} onAct={() => undefined} />);
  expect(screen.getByText("2 of 2")).toBeTruthy();
});

it("says what a rollback loses where the old version is not kept current, and that it loses nothing where it is", () => {
  serve({});
  const of = (state: Upgrade["state"], kept: boolean): string => {
    const { container, unmount } = show(
      <RollbackCard upgrade={upgrade({ state, plan: { downgrade_sync: kept } })} onAct={() => undefined} />,
    );
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(of("READY", true)).toContain("so a rollback loses no data.");
  expect(of("READY", false)).toContain("v1alpha2 is not kept current: a rollback brings its data as of the switch");
  expect(of("REVERTED", true)).toContain("Writes under v1 were kept.");
  expect(of("REVERTED", false)).toContain("Writes under v1 are not there.");
});
