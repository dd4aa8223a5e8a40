import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { check, upgrade } from "../../test/samples";
import { serve, show, type Sent } from "../../test/show";
import type { Upgrade } from "../../wire/model";
import { AllActions, EmergencyOverride } from "./actions/Actions";
import { actionTextOf, further, headline, labelOf } from "./actions/actionTexts";
import { Confirm, moved, twinOfDeed, type Deed } from "./actions/Confirm";

const NAME = "secrets.example.com@us-west2";
const action = (name: string, allowed = true): Upgrade["actions"][number] => ({
  action: name,
  allowed,
  reason: allowed ? "" : "Not in this state.",
  who_can: allowed ? [] : ["operator"],
});

function textOf(name: string, part: Partial<Upgrade> = {}): { deed: Deed; text: string } {
  const deed = actionTextOf(name, upgrade(part));
  if (!deed) throw new Error(`no dialog for ${name}`);
  const text = render(<>{deed.text}</>).container.textContent;
  return { deed, text };
}

describe("what a dialog says", () => {
  it("of a switch names the expected pause where it is known", () => {
    expect(textOf("switch").text).toBe(
      "Writes are paused briefly, expected 210 ms; the last changes are replicated; the two namespaces are compared; " +
        "then v1 is served. v1alpha2 stays current, so a rollback is possible.",
    );
    const readiness = { ...upgrade().readiness, predicted_freeze_ms: null };
    expect(textOf("switch", { readiness }).text).toMatch(/^Writes are paused briefly; the last changes/);
  });

  it("of a rollback says whether writes since the switch are lost", () => {
    expect(textOf("rollback").text).toContain("Every write since the switch was replicated back, so no data is lost.");
    expect(textOf("rollback", { plan: { downgrade_sync: false } }).text).toBe(
      "v1alpha2 is served again. Its data are those of the switch: every write since is lost. Writes are paused briefly.",
    );
  });

  it("of a longer rollback window says what it costs", () => {
    expect(textOf("extend").text).toContain("Each write is stored twice.");
    expect(textOf("extend", { plan: { downgrade_sync: false } }).text).toBe(
      "Until then v1alpha2 stays as it was at the switch: a rollback loses every write since.",
    );
  });

  it("of an emergency override names the step that it is for", () => {
    expect(textOf("break-glass").text).toMatch(/^The switch can then continue without its votes\./);
    expect(textOf("break-glass", { state: "REVERSIBLE" }).text).toMatch(/^The rollback can then continue/);
  });

  it("asks for the name before what cannot be undone, and for a reason where others read it", () => {
    const asked = ["switch", "rollback", "complete", "abort", "request-approval", "extend", "throttle", "settle"].map(
      (name) => {
        const { deed } = textOf(name);
        return [name, deed.typed, deed.comment, deed.danger];
      },
    );
    expect(asked).toEqual([
      ["switch", true, "none", false],
      ["rollback", true, "none", true],
      ["complete", true, "none", true],
      ["abort", true, "required", true],
      ["request-approval", false, "optional", false],
      ["extend", false, "none", false],
      ["throttle", false, "none", false],
      ["settle", true, "required", true],
    ]);
    expect(actionTextOf("abort", upgrade({ state: "PLANNED" }))?.typed).toBe(false);
  });

  it("begins with the limit that is set", () => {
    expect(textOf("throttle", { copy_limit: 500 }).deed.limit).toBe(500);
    expect(textOf("throttle").deed.limit).toBe(0);
  });

  it("of an action that this page does not know leaves the words to the dry run, where the server offers it", () => {
    const offered = { actions: [action("drain-shards"), action("switch"), action("cool-down", false)] };
    expect(further(offered).map((each) => each.action)).toEqual(["drain-shards"]);
    const { deed } = textOf("drain-shards", offered);
    expect([deed.title, deed.button, deed.typed]).toEqual(["Drain shards", "Drain shards", true]);
    expect(actionTextOf("cool-down", upgrade(offered))).toBeNull();
    expect([labelOf("switch"), labelOf("drain-shards")]).toEqual(["Switch now", "Drain shards"]);
  });
});

it.each<[Upgrade["state"], boolean, string[]]>([
  ["PLANNED", false, ["start", "edit", "abort"]],
  ["SYNCING", false, ["pause", "throttle", "abort"]],
  ["SYNCING", true, ["resume", "throttle", "abort"]],
  ["READY", false, ["pause", "abort"]],
  ["SWITCHING", false, ["abort"]],
  ["REVERSIBLE", false, ["rollback", "extend", "complete"]],
  ["HALTED", false, ["settle"]],
  ["COMPLETED", false, []],
])("offers in %s (paused: %s) %j", (state, paused, actions) => expect(headline({ state, paused })).toEqual(actions));

describe("the same by hand", () => {
  const of = { id: "u1", rev: 7 };
  it("has the words that are typed, under the names of the command line", () => {
    expect(twinOfDeed(of, "abort", { comment: "too slow" }).swy).toBe("swy upgrade abort u1 --comment 'too slow'");
    expect(twinOfDeed(of, "settle", { comment: "checked" }).swy).toBe("swy upgrade settle u1 --finding checked");
    expect(twinOfDeed(of, "break-glass", { comment: "fire", ticket: "INC-1" }).swy).toBe(
      "swy upgrade break-glass u1 --reason fire --ticket INC-1",
    );
  });
  it("gives a number without a name where the command takes one", () => {
    expect(twinOfDeed(of, "extend", { hours: 48 }).swy).toBe("swy upgrade extend u1 48");
    expect(twinOfDeed(of, "throttle", { limit: null }).swy).toBe("swy upgrade throttle u1 0");
  });
  it("is the request of the API on the revision that was read", () => {
    expect(twinOfDeed(of, "extend", { hours: 48 })).toMatchObject({
      path: "/upgrades/u1/extend",
      method: "POST",
      body: { hours: 48 },
      ifMatch: 7,
    });
  });
});

it("names in what an upgrade is another one than was read", () => {
  const read = upgrade({ copy_limit: 500 });
  const now = upgrade({
    state: "SYNCING",
    automatic: true,
    copy_limit: null,
    plan: { not_before: "2026-03-02T00:00:00Z" },
    readiness: { ...read.readiness, checks: [check("shards", "pass", "All.")] },
  });
  expect(moved(now, read).map((each) => [each.field, each.theirs, each.yours])).toEqual([
    ["State", "Syncing", "Ready to switch"],
    ["Checks that do not pass", "none", "shards"],
    ["Switches", "automatic", "manual"],
    ["Not before", "2026-03-02T00:00:00Z", "any time"],
    ["Rate limit", "no limit", "500/s"],
  ]);
  expect(moved(read, read)).toEqual([]);
});

describe("the dialog", () => {
  function open(
    name: string,
    part: Partial<Upgrade> = {},
    answers: Record<string, unknown> = {},
  ): [Sent[], () => number] {
    const close = vi.fn();
    const sent = serve({ [`POST /upgrades/u1/${name}?dry_run=true`]: { sentence: "It would be done." }, ...answers });
    const deed = actionTextOf(name, upgrade(part));
    if (deed) show(<Confirm upgrade={upgrade(part)} deed={deed} onClose={close} />);
    return [sent, () => close.mock.calls.length];
  }
  const button = (name: string): HTMLButtonElement => screen.getByRole("button", { name });
  const type = (label: RegExp | string, value: string): void =>
    void fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const done = (sent: Sent[]): Sent[] => sent.filter((one) => !one.path.includes("dry_run"));

  it("takes the name with or without blanks, and no other", async () => {
    open("complete");
    await screen.findByText("It would be done.");
    const enabled = ["secrets.example.com", "secrets.example.com @ eu-1", "secrets.example.com @ us-west2", NAME].map(
      (name) => {
        type(/to confirm/, name);
        return !button("Complete").disabled;
      },
    );
    expect(enabled).toEqual([false, false, true, true]);
    expect(screen.queryByText("This is not the name above.")).toBeNull();
    type(/to confirm/, "secrets.example.com @ eu-1");
    expect(screen.getByText("This is not the name above.")).toBeTruthy();
  });

  it("repeats no sentence of the page as what would happen", async () => {
    const { sentence } = upgrade();
    open("complete", {}, { "POST /upgrades/u1/complete?dry_run=true": { sentence } });
    expect(await screen.findByText("Dry run: the server accepts this action")).toBeTruthy();
    expect(screen.queryByText(sentence)).toBeNull();
  });

  it("asks for a reason that says something before an emergency override, and for a ticket", async () => {
    const [sent, closed] = open("break-glass", {}, { "POST /upgrades/u1/break-glass": {} });
    expect(sent).toEqual([]);
    type(/to confirm/, NAME);
    type(/Reason/, "too short");
    type(/Ticket/, "INC-1");
    // A phone has no room for all three beside each other: what cancels and what goes on stay together.
    expect(button("Cancel").parentElement).toBe(button("Continue without the votes").parentElement);
    expect(button("Cancel").parentElement?.textContent).not.toContain("Copy as");
    expect(button("Continue without the votes").disabled).toBe(true);
    type(/Reason/, "the old version loses writes ");
    expect(button("Continue without the votes").disabled).toBe(false);
    type(/Ticket/, "  ");
    expect(button("Continue without the votes").disabled).toBe(true);
    type(/Ticket/, "INC-1");
    fireEvent.click(button("Continue without the votes"));
    await waitFor(() => expect(closed()).toBe(1));
    expect(done(sent).map((one) => one.body)).toEqual([{ comment: "the old version loses writes", ticket: "INC-1" }]);
  });

  it("sends hours, and a limit or none", async () => {
    const [extended, extendedClosed] = open("extend", {}, { "POST /upgrades/u1/extend": {} });
    type("Duration in hours", "24");
    fireEvent.click(button("Extend"));
    await waitFor(() => expect(extendedClosed()).toBe(1));
    expect(done(extended).map((one) => one.body)).toEqual([{ hours: 24 }]);
  });

  it("sends by Enter what can be taken back, and nothing else", async () => {
    const [extended, closed] = open("extend", {}, { "POST /upgrades/u1/extend": {} });
    fireEvent.submit(screen.getByLabelText("Duration in hours"));
    await waitFor(() => expect(closed()).toBe(1));
    expect(done(extended).map((one) => one.body)).toEqual([{ hours: 168 }]);
    const [completed, isClosed] = open("complete", {}, { "POST /upgrades/u1/complete": {} });
    await screen.findByText("It would be done.");
    type(/to confirm/, NAME);
    fireEvent.submit(screen.getByLabelText(/to confirm/));
    expect([done(completed), isClosed(), button("Complete").disabled]).toEqual([[], 0, false]);
  });

  it("takes an empty limit for none", async () => {
    const [sent, closed] = open("throttle", { copy_limit: 500 }, { "POST /upgrades/u1/throttle": {} });
    type(/Maximum resources per second/, "");
    fireEvent.click(button("Set the limit"));
    await waitFor(() => expect(closed()).toBe(1));
    expect(done(sent).map((one) => [one.body, one.headers.get("If-Match")])).toEqual([[{ limit: null }, '"7"']]);
  });

  it("shows the steps of a dry run, what would stop them, and the checks that do not pass", async () => {
    open(
      "switch",
      {},
      {
        "POST /upgrades/u1/switch?dry_run=true": {
          sentence: "Writes would be held for about 210 ms.",
          rehearsal: {
            steps: [
              { step: "freeze", text: "Freeze writes." },
              { step: "flip", text: "Flip to v1." },
            ],
            stopped: "1 of 2 shards is caught up.",
          },
        },
      },
    );
    expect(await screen.findByText("Writes would be held for about 210 ms.")).toBeTruthy();
    expect(screen.getByText(/It would stop: 1 of 2 shards is caught up\./)).toBeTruthy();
    const lists = screen.getAllByRole("list").map((list) => within(list).getAllByRole("listitem").length);
    expect(lists).toEqual([2, 1]);
  });

  it("says why the server would refuse, and rehearses again", async () => {
    const answers: Record<string, unknown> = {
      "POST /upgrades/u1/switch?dry_run=true": { title: "Not now", status: 409, detail: "Another switch runs." },
    };
    const sent = serve(answers);
    const deed = actionTextOf("switch", upgrade());
    if (deed) show(<Confirm upgrade={upgrade()} deed={deed} onClose={vi.fn()} />);
    expect(await screen.findByText("Another switch runs.")).toBeTruthy();
    answers["POST /upgrades/u1/switch?dry_run=true"] = { sentence: "It may be done." };
    fireEvent.click(button("Try again"));
    expect(await screen.findByText("It may be done.")).toBeTruthy();
    expect(done(sent)).toEqual([]);
  });

  it("stays open with the refusal of the deed, and sends the same key when it is tried again", async () => {
    const [sent, closed] = open(
      "request-approval",
      {},
      {
        "POST /upgrades/u1/request-approval": { title: "Not now", status: 409, detail: "It is asked for already." },
      },
    );
    fireEvent.click(button("Request"));
    expect(await screen.findByText("It is asked for already.")).toBeTruthy();
    fireEvent.click(button("Request"));
    await waitFor(() => expect(done(sent)).toHaveLength(2));
    const keys = done(sent).map((one) => one.headers.get("Idempotency-Key"));
    expect(keys[0]).toBe(keys[1]);
    expect(closed()).toBe(0);
  });
});

describe("everything that an upgrade could be told to do", () => {
  const part = { actions: [action("pause"), action("switch", false), action("drain")] };

  it("is what is allowed now, in a line", () => {
    serve({});
    show(<AllActions upgrade={upgrade(part)} />);
    expect(screen.getByText("pause, drain")).toBeTruthy();
  });

  it("is listed with reasons on request", () => {
    serve({});
    show(<AllActions upgrade={upgrade(part)} />);
    fireEvent.click(screen.getByRole("button", { name: "Show the list of actions" }));
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "pause now",
      "switch Not in this state. Allowed for: operator.",
      "drain now",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Hide the list of actions" }));
    expect(screen.queryByRole("listitem")).toBeNull();
  });

  it("is none where nothing is allowed", () => {
    serve({});
    show(<AllActions upgrade={upgrade({ actions: [action("switch", false)] })} />);
    expect(screen.getByText("None.")).toBeTruthy();
  });
});

describe("the emergency override", () => {
  const readiness = (votes: number, state = "open"): Partial<Upgrade> => ({
    readiness: {
      ...upgrade().readiness,
      approvals: { ...upgrade().readiness.approvals, needed: 2, votes_given: votes, state },
    } as Upgrade["readiness"],
  });
  const account = (roles: string[]): Record<string, unknown> => ({
    account: { name: "ann", email: "", roles, permissions: [], reach: [], zone: "", bounds: {} },
    csrf_token: "",
    server_time: "",
  });

  it("is offered to the group of the policy where votes are missing", async () => {
    serve({ "GET /session": account(["admin"]), "GET /policies/explain": { break_glass_group: "admin" } });
    const act = vi.fn();
    show(<EmergencyOverride upgrade={upgrade(readiness(1))} onAct={act} />);
    fireEvent.click(await screen.findByRole("button", { name: "Emergency override…" }));
    expect(act).toHaveBeenCalledWith("break-glass");
  });

  it("says to others who may", async () => {
    serve({ "GET /session": account(["operator"]), "GET /policies/explain": { break_glass_group: "admin" } });
    show(<EmergencyOverride upgrade={upgrade(readiness(0))} onAct={vi.fn()} />);
    fireEvent.click(await screen.findByRole("button", { name: /Emergency override/ }));
    expect(
      await screen.findByText("Only people with the role or group admin may use an emergency override."),
    ).toBeTruthy();
  });

  it("asks by the policy of rollbacks after the switch, also where dependents have moved on", async () => {
    const dependants = { ...readiness(2).readiness, checks: [check("dependants", "fail", "apps uses v1.")] };
    const sent = serve({ "GET /policies/explain": { break_glass_group: "sre" }, "GET /session": account([]) });
    show(
      <EmergencyOverride
        upgrade={upgrade({ state: "REVERSIBLE", readiness: dependants as Upgrade["readiness"] })}
        onAct={vi.fn()}
      />,
    );
    expect(await screen.findByText(/allows a rollback although dependents use the new version/)).toBeTruthy();
    const [asked] = sent.filter((one) => one.path.startsWith("/policies"));
    expect(new URLSearchParams(asked?.path.split("?")[1]).get("purpose")).toBe("revert");
  });

  it.each<[string, Partial<Upgrade>]>([
    ["all votes are there", readiness(2)],
    ["one was used", readiness(0, "EMERGENCY")],
    ["nothing is to be decided", { ...readiness(0), state: "SYNCING" }],
  ])("is not offered where %s", (_, part) => {
    const sent = serve({ "GET /session": account(["admin"]) });
    show(<EmergencyOverride upgrade={upgrade(part)} onAct={vi.fn()} />);
    expect(screen.queryByRole("button")).toBeNull();
    expect(sent.filter((one) => one.path.startsWith("/policies"))).toEqual([]);
  });
});
