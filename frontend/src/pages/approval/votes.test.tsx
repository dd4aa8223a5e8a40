import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { approval, check, impact } from "../../test/samples";
import { serve, show, type Sent } from "../../test/show";
import { tick } from "../../time/clock";
import type { Approval } from "../../wire/model";
import { Explain } from "../access/Explain";
import { Decision } from "./Decision";
import { Answer, Delegations } from "./Delegation";
import { DutyBar } from "./DutyBar";
import { ImpactCard } from "./Impact";
import { aboutTheData, approvalsText, givenText, votesText } from "./words";

const NOW = Date.parse("2026-03-01T14:10:00Z");
const session = (name: string, permissions: string[] = []): Record<string, unknown> => ({
  account: { name, email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});
const action = (name: string, allowed = true): Approval["actions"][number] => ({
  action: name,
  allowed,
  reason: allowed ? "" : "You planned it.",
  who_can: [],
});
const vote = (who: string, verdict: string, part: Record<string, unknown> = {}): Approval["votes"][number] =>
  ({ who, verdict, comment: "", at: "2026-03-01T14:05:00Z", round: 1, void_reason: "", ...part }) as never;
const posted = (sent: Sent[]): Sent[] => sent.filter((one) => one.method === "POST");
const type = (label: string | RegExp, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

beforeEach(() => tick.set(NOW));

it("counts only votes that are not void", () => {
  const votes = [vote("ann", "approve"), vote("bob", "approve", { void_reason: "changed" }), vote("eve", "changes")];
  expect(votesText({ votes, needed: 2 })).toBe("1 of 2");
  expect([givenText({ votes, needed: 1 }), approvalsText(0, 2)]).toEqual(["1 of 1 approval", "0 of 2 approvals"]);
  const checks = [check("approval", "pending", ""), check("approval-window", "fail", ""), check("shards", "pass", "")];
  expect(aboutTheData(checks).map((each) => each.check)).toEqual(["shards"]);
});

describe("a decision", () => {
  const open = (part: Partial<Approval> = {}, answers: Record<string, unknown> = {}, at = "/"): Sent[] => {
    const sent = serve({ "POST /approvals/a1/approve": approval(), ...answers });
    show(<Decision approval={approval(part)} />, at);
    return sent;
  };

  it("is sent on the evidence that was read, with the comment", async () => {
    const sent = open();
    type(/^Comment/, " Fine. ");
    fireEvent.click(screen.getByRole("button", { name: "Approve" }));
    await waitFor(() => expect(posted(sent)).toHaveLength(1));
    expect(posted(sent).map((one) => [one.path, one.body, one.headers.get("If-Match")])).toEqual([
      ["/approvals/a1/approve", { comment: "Fine." }, '"9c1d02aa77e0"'],
    ]);
  });

  it("has one primary button, Approve, before the others", () => {
    open({ actions: ["approve", "request-changes", "reject"].map((name) => action(name)) });
    const buttons = screen.getAllByRole("button").filter((button) => button.textContent !== "Delegate…");
    expect(buttons.map((button) => [button.textContent, button.dataset["variant"]])).toEqual([
      ["Approve", "filled"],
      ["Request changes", "default"],
      ["Reject", "default"],
    ]);
  });

  it("of an approval asks once more where checks do not hold, and names them", async () => {
    const sent = open({
      evidence_now: [check("shards", "fail", "1 of 2 shards is caught up."), check("x", "warn", "Odd.")],
    });
    fireEvent.click(screen.getByRole("button", { name: "Approve" }));
    const dialog = await screen.findByRole("dialog", { name: "1 check does not hold now" });
    expect(within(dialog).getAllByRole("listitem")).toHaveLength(1);
    expect(posted(sent)).toEqual([]);
    fireEvent.click(within(dialog).getByRole("button", { name: "Approve in advance" }));
    await waitFor(() => expect(posted(sent)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each(["Reject", "Request changes"])(
    "to %s needs its reason, and takes the focus to where it is typed",
    async (name) => {
      const sent = open(
        {},
        { "POST /approvals/a1/reject": approval(), "POST /approvals/a1/request-changes": approval() },
      );
      fireEvent.click(screen.getByRole("button", { name }));
      expect(screen.getByText("Enter the reason in the comment: the requesters read it.")).toBeTruthy();
      expect(document.activeElement).toBe(screen.getByLabelText(/^Comment/));
      type(/^Comment/, "Not this week.");
      fireEvent.click(screen.getByRole("button", { name }));
      await waitFor(() => expect(posted(sent).map((one) => one.body)).toEqual([{ comment: "Not this week." }]));
    },
  );

  it("is reached by keys: the button by a, the comment by r", () => {
    open();
    fireEvent.keyDown(document.body, { key: "a" });
    expect(document.activeElement?.textContent).toBe("Approve");
    fireEvent.keyDown(document.body, { key: "r" });
    expect(document.activeElement).toBe(screen.getByLabelText(/^Comment/));
  });

  it("says what is other than was read where the evidence changed, and keeps the comment for another look", async () => {
    const current = approval({ digest: "ffff00001111", evidence_now: [check("shards", "fail", "No.")] });
    open({}, { "POST /approvals/a1/approve": { title: "Changed", status: 412, current } });
    type(/^Comment/, "Fine.");
    fireEvent.click(screen.getByRole("button", { name: "Approve" }));
    expect(await screen.findByRole("row", { name: "Evidence ffff00001111 9c1d02aa77e0" })).toBeTruthy();
    expect(screen.getByRole("row", { name: "Checks that do not pass shards none" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Review mine" }));
    await waitFor(() => expect(screen.queryByRole("table")).toBeNull());
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Comment/).value).toBe("Fine.");
  });

  it("is over once the request is", () => {
    open({ state: "APPROVED" });
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("a delegation", () => {
  const delegations = [{ who: "ann", to: "bob", comment: "On leave.", at: "2026-03-01T14:00:00Z" }];
  const open = (name: string, part: Partial<Approval> = {}): Sent[] => {
    const sent = serve({ "GET /session": session(name), "POST /approvals/a1/delegate": {} });
    show(<Delegations of={approval({ delegations, ...part } as never)} />);
    return sent;
  };

  it("is taken back by who gave it", async () => {
    const sent = open("ann");
    expect(screen.getByRole("listitem").textContent).toContain("bob votes for ann: On leave. 14:00:00 UTC");
    fireEvent.click(await screen.findByRole("button", { name: "Withdraw" }));
    await waitFor(() => expect(posted(sent).map((one) => one.body)).toEqual([{ to: "ann", comment: "" }]));
  });

  it.each<[string, string, Partial<Approval>]>([
    ["another person", "eve", {}],
    ["a delegation that was used", "ann", { votes: [vote("bob", "approve")] }],
    ["a request that is over", "ann", { state: "USED" }],
  ])("stays for %s", async (_, name, part) => {
    const sent = open(name, part);
    await waitFor(() => expect(sent).not.toHaveLength(0));
    expect(screen.queryByRole("button", { name: "Withdraw" })).toBeNull();
  });

  it("whose vote is void may be taken back", async () => {
    open("ann", { votes: [vote("bob", "approve", { void_reason: "The evidence changed." })] });
    expect(await screen.findByRole("button", { name: "Withdraw" })).toBeTruthy();
  });
});

describe("the answer to requested changes", () => {
  const asked = { state: "CHANGES" as const, votes: [vote("ann", "changes", { comment: "Why today?" })] };

  it("needs words, which start a new round", async () => {
    const sent = serve({ "GET /session": session("olga"), "POST /approvals/a1/answer": {} });
    show(<Answer approval={approval({ ...asked, actions: [action("answer")] })} />);
    expect(screen.getByText("ann").parentElement?.textContent).toBe("ann: Why today?");
    fireEvent.click(screen.getByRole("button", { name: /^Answer and request again/ }));
    expect(await screen.findByText(/^Describe the changes\./)).toBeTruthy();
    expect(posted(sent)).toEqual([]);
    type("Answer", " Because of the portal. ");
    fireEvent.click(screen.getByRole("button", { name: "Answer and request again" }));
    await waitFor(() => expect(posted(sent).map((one) => one.body)).toEqual([{ comment: "Because of the portal." }]));
  });

  it("is not for who did not ask", () => {
    serve({ "GET /session": session("eve") });
    show(<Answer approval={approval({ ...asked, actions: [action("answer", false)] })} />);
    expect(screen.queryByLabelText("Answer")).toBeNull();
    expect(screen.getByRole("button", { name: /why not/ })).toBeTruthy();
  });

  it("is not there where none was asked for", () => {
    serve({});
    show(<Answer approval={approval()} />);
    expect(screen.queryByRole("heading")).toBeNull();
  });
});

describe("duty", () => {
  const turn = (name: string): unknown => ({
    name,
    display_name: name,
    roles: [],
    since: "",
    until: "2026-03-01T18:00:00Z",
  });
  const open = (people: string[], permissions: string[]): Sent[] => {
    const sent = serve({
      "GET /session": session("ann", permissions),
      "GET /duty": { items: people.map(turn), has_more: false, next_cursor: null },
      "PUT /duty": {},
      "DELETE /duty": {},
    });
    show(<DutyBar />);
    return sent;
  };

  it("is taken for some hours", async () => {
    const sent = open([], ["approval.vote"]);
    fireEvent.click(await screen.findByRole("button", { name: "I am on duty…" }));
    const hours = await screen.findByLabelText("Duration in hours");
    fireEvent.change(hours, { target: { value: "12" } });
    fireEvent.click(screen.getByRole("button", { name: "I am on duty" }));
    await waitFor(() => expect(sent.find((one) => one.method === "PUT")?.body).toEqual({ hours: 12 }));
  });

  it("is ended by who has it", async () => {
    const sent = open(["ann", "bob"], ["approval.vote"]);
    fireEvent.click(await screen.findByRole("button", { name: "I am off duty" }));
    await waitFor(() => expect(sent.map((one) => one.method)).toContain("DELETE"));
    expect(screen.getByText("bob")).toBeTruthy();
  });

  it("is only shown to who may not vote", async () => {
    open(["bob"], []);
    expect(await screen.findByText("bob")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("the impact of a decision", () => {
  const values = (part: Partial<Approval>): Record<string, string> => {
    const view = show(<ImpactCard approval={approval(part)} />);
    const result = Object.fromEntries(
      screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ""]),
    );
    view.unmount();
    return result;
  };

  it("is what is known of data, clients, dependents and callers", () => {
    expect(values({})).toEqual({
      Resources: "12,000",
      "Client impact": "2 note · 1 to acceptCompatibility report",
      "Broken references": "none",
      Dependents: "apps @ us-west2 imports v1alpha2",
      "Callers of v1alpha2": "portal: 70 calls, last 1 h 10 min ago",
      "Other regions": "eu-1 v1",
    });
  });

  it("says what is not known as that", () => {
    const bare = impact();
    const nothing = {
      ...bare,
      report: null,
      references: { breaking: [], unknown: ["apps.example.com"] },
      blast: { ...bare.blast, resources: 0, resources_counted: false, dependants: [], callers: [], regions: [] },
    };
    expect(values({ impact: nothing as never })).toMatchObject({
      Resources: "not counted yet",
      "Broken references": "none known unknown: no definition of apps exists",
      Dependents: "none in this region",
      "Callers of v1alpha2": "none seen in 14 days",
      "Other regions": "none",
    });
  });

  it("says of a deployment without resources that it has none", () => {
    const bare = impact();
    const empty = { ...bare, blast: { ...bare.blast, resources: 0, resources_counted: true } };
    expect(values({ impact: empty as never })).toMatchObject({ Resources: "0" });
  });

  it("lists a few callers, and counts the others", () => {
    const bare = impact();
    const callers = Array.from({ length: 9 }, (_, at) => ({
      client: at ? `c${at}` : "",
      messages: 1,
      last_seen: "2026-03-01T14:00:00Z",
    }));
    const said =
      values({ impact: { ...bare, blast: { ...bare.blast, callers } } as never })["Callers of v1alpha2"] ?? "";
    expect(said).toMatch(/^unnamed: 1 call, last 10 min ago/);
    expect(said).toMatch(/and \d more$/);
  });
});

describe("the question who may do something", () => {
  const routes = (
    <Routes>
      <Route path="*" element={<Explain />} />
    </Routes>
  );

  it("is asked with what was filled in alone", async () => {
    const sent = serve({
      "GET /session": session("ann"),
      "POST /access/explain": {
        allowed: true,
        reason: "operator of ann.",
        bindings: ["operator of everything"],
        grants: [{ role: "operator", service: "*", region: "*", environment: "*", through: "", conditions: {} }],
        who_can: [],
      },
    });
    show(routes);
    type("Who", "bob");
    type("Permission", " upgrade.switch ");
    fireEvent.click(screen.getByRole("button", { name: "Check" }));
    expect((await screen.findByRole("status")).textContent).toContain("Allowed.");
    expect(posted(sent).map((one) => one.body)).toEqual([{ account: "bob", action: "upgrade.switch" }]);
    expect(screen.getByText("operator")).toBeTruthy();
  });

  it("needs a permission, and names who may where this account may not", async () => {
    const sent = serve({
      "GET /session": session("ann"),
      "POST /access/explain": {
        allowed: false,
        reason: "No role gives it.",
        bindings: [],
        grants: [],
        who_can: ["admin"],
      },
    });
    show(routes);
    fireEvent.click(screen.getByRole("button", { name: "Check" }));
    expect(await screen.findByText("Enter a permission.")).toBeTruthy();
    expect(posted(sent)).toEqual([]);
    type("Permission", "access.manage");
    fireEvent.click(screen.getByRole("button", { name: "Check" }));
    expect(await screen.findByText("Allowed for: admin")).toBeTruthy();
    expect(screen.queryByText("Enter a permission.")).toBeNull();
  });
});
