import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { approval, check, impact, upgrade } from "../../test/samples";
import { serve, show, type Sent } from "../../test/show";
import { ApprovalPage } from "../Approval";
import { UpgradePage } from "../upgrade/UpgradePage";
import { compare, worseFirst } from "./EvidenceThenNow";
import { Announcer } from "../../shell/Announcer";
import { spoken } from "./Thread";
import { votesText } from "./words";
import { verdict } from "../Plan";

const nothing = { items: [], next_cursor: null, has_more: false };

/** The run sheet of the upgrade, come to by the address of the request. */
function open(extra: Record<string, unknown> = {}, part: Parameters<typeof approval>[0] = {}): Sent[] {
  const sent = serve({
    "GET /approvals/a1": approval(part),
    "GET /upgrades/u1": upgrade(),
    "GET /upgrades/u1/events": nothing,
    "GET /upgrades/u1/samples": { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] },
    ...extra,
  });
  show(
    <Routes>
      <Route path="/approvals/:id" element={<ApprovalPage />} />
      <Route path="/upgrades/:id" element={<UpgradePage />} />
    </Routes>,
    "/approvals/a1",
  );
  return sent;
}

it("stands in the present step of the run sheet, which the address of the request leads to, with the focus", async () => {
  open();
  const request = await screen.findByRole("region", { name: /^Approval request: Switch secrets/ });
  expect(request.closest("[aria-current=step]")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("secrets.example.com @ us-west2");
  await waitFor(() => expect(document.activeElement).toBe(request));
});

it("is folded once it is settled, and a rejection stands open with its reason", async () => {
  const vote = { who: "rosa", verdict: "reject" as const, round: 1, comment: "Not now.", at: "", void_reason: "" };
  const phrase = { key: "{who} rejected it.", values: { who: "rosa" } };
  open({}, { state: "REJECTED", votes: [vote], closed_reason: "kept", closed_reason_phrases: [phrase] });
  const folded = (await screen.findByText(/Approval request: Rejected/)).closest("details");
  expect(folded?.open).toBe(true);
  expect(screen.getByText("rosa rejected it.")).toBeTruthy();
  expect(screen.getByRole("list", { name: "Votes" }).textContent).toContain("Not now.");
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});

it("says to a person who may not vote why, and takes no comment", async () => {
  const action = { action: "approve", allowed: false, reason: "You planned it.", who_can: [] };
  open({}, { actions: [action] });
  expect(await screen.findByText("You cannot vote: You planned it.")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Comment" })).toBeNull();
  expect(document.querySelector(".decision-bar")).toBeNull();
});

it("sets the evidence then beside the evidence now", async () => {
  open();
  expect(await screen.findByText("At the request")).toBeTruthy();
  expect(screen.getAllByText(/2 of 2 shards are caught up/).length).toBeGreaterThan(0);
});

it("says what the policy makes of evidence that gets worse, and names it", async () => {
  const worse = [
    {
      check: "parity",
      who: "ann",
      at: "2026-03-01T14:10:00Z",
      then: "0 resources differ.",
      now: "3 resources differ.",
    },
  ];
  open({}, { worse });
  expect(await screen.findByText(/votes bind to the plan/)).toBeTruthy();
  expect(screen.getByRole("list", { name: "Worse since a vote" }).textContent).toContain("3 resources differ.");
});

it("says when votes are void because of worse evidence", async () => {
  open({}, { void_when_worse: true });
  expect(await screen.findByText(/votes are void when a check that passed fails/)).toBeTruthy();
  expect(screen.getByText(/One check has changed since the request, all improved/)).toBeTruthy();
  expect(screen.queryByRole("list", { name: "Worse since a vote" })).toBeNull();
});

it("does not speak of the request once a void vote has renewed the evidence", async () => {
  const vote = { who: "ann", verdict: "approve" as const, comment: "", at: "2026-03-01T14:10:00Z", round: 1 };
  open({}, { void_when_worse: true, votes: [{ ...vote, void_reason: "The evidence got worse." }] });
  expect(await screen.findByText(/One check has changed since the evidence was last recorded/)).toBeTruthy();
  expect(screen.getByText("When last recorded")).toBeTruthy();
});

it("shows first how risky it is, when it would happen and what it reaches", async () => {
  open(
    {},
    {
      impact: {
        ...impact("high"),
        risk: { level: "high", reasons: ["The policy calls this deployment critical."] },
      },
      on_duty: [{ name: "rosa", display_name: "Rosa", roles: ["approver"], since: "", until: "2026-03-01T18:00:00Z" }],
    },
  );
  expect(await screen.findByText("high risk")).toBeTruthy();
  expect(screen.getByText("The policy calls this deployment critical.")).toBeTruthy();
  expect(screen.getByText(/any time from now on/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "apps @ us-west2" }).getAttribute("href")).toBe(
    "/d/apps.example.com/us-west2",
  );
  expect(screen.getByText(/portal: 70 calls/)).toBeTruthy();
  expect(screen.getByText("Rosa")).toBeTruthy();
});

it("approves exactly the evidence that was shown", async () => {
  const sent = open({ "POST /approvals/a1/approve": approval({ state: "APPROVED" }) });
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  await waitFor(() => expect(sent.some((each) => each.method === "POST")).toBe(true));
  expect(sent.find((each) => each.method === "POST")?.headers.get("If-Match")).toBe('"9c1d02aa77e0"');
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
});

it("names the checks that do not hold before it approves, and announces the result", async () => {
  const sent = open(
    { "POST /approvals/a1/approve": approval({ votes: [] }) },
    {
      evidence_now: [
        check("lag", "fail", "The slowest shard is 258 s behind."),
        check("parity", "unknown", "Not yet."),
      ],
    },
  );
  show(<Announcer />);
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  const dialog = await screen.findByRole("dialog", { name: "2 checks do not hold now" });
  expect(dialog.textContent).toContain("The slowest shard is 258 s behind.");
  expect(sent.every((each) => each.method === "GET")).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Approve in advance" }));
  await waitFor(() => expect(sent.filter((each) => each.method === "POST")).toHaveLength(1));
  await waitFor(
    () =>
      expect(
        screen.getByText("You approved: Switch secrets @ us-west2 from v1alpha2 to v1. 0 of 2 approvals."),
      ).toBeTruthy(),
    { timeout: 45_000 },
  );
});

it("puts what got worse before what got better", () => {
  const rows = compare(
    [check("a", "fail", ""), check("b", "pass", ""), check("c", "pass", "")],
    [check("a", "pass", ""), check("b", "fail", ""), check("c", "warn", "")],
  );
  expect(worseFirst(rows).map((row) => row.check)).toEqual(["b", "c", "a"]);
});

it("rejects only with a reason", async () => {
  const sent = open({ "POST /approvals/a1/reject": approval({ state: "REJECTED" }) });
  await userEvent.click(await screen.findByRole("button", { name: /Reject/ }));
  expect(await screen.findByText(/Enter the reason in the comment/)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Comment" }));
  expect(sent.every((each) => each.method === "GET")).toBe(true);
  await userEvent.type(screen.getByRole("textbox", { name: "Comment" }), "Not before the weekend.");
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({ comment: "Not before the weekend." }),
  );
});

it("says that the evidence moved and records nothing", async () => {
  const now = approval({
    digest: "77e09c1d02aa",
    evidence_now: [check("shards", "fail", "1 of 2 shards is caught up.")],
  });
  const why = "The evidence changed: the conversion was redefined.";
  open({
    "POST /approvals/a1/approve": {
      title: "Stale",
      status: 412,
      current: now,
      changed: { who: "", at: "2026-03-01T14:00:00Z", what: why },
    },
  });
  await userEvent.type(await screen.findByRole("textbox", { name: "Comment" }), "Fine.");
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect((await screen.findByText(/Changed by Switchyard/)).closest("[role=alert]")?.textContent).toContain(why);
  expect(screen.getByRole("row", { name: "Evidence 77e09c1d02aa 9c1d02aa77e0" })).toBeTruthy();
  expect(screen.getByRole("row", { name: "Checks that do not pass shards none" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Review mine" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" }).value).toBe("Fine.");
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  await userEvent.click(await screen.findByRole("button", { name: "Use theirs" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" }).value).toBe("");
  expect(screen.queryByText(/Changed by/)).toBeNull();
});

it("tells the requester why they may not", async () => {
  open(
    {},
    { actions: [{ action: "approve", allowed: false, reason: "You requested it yourself.", who_can: ["rosa"] }] },
  );
  await userEvent.click(await screen.findByRole("button", { name: /Approve/ }));
  expect(await screen.findByText("You requested it yourself.")).toBeTruthy();
});

it("names the accounts whose votes are refused, and why", async () => {
  open(
    {},
    {
      state: "OPEN",
      excluded: [{ who: "approver2", reason: "approver2's password was set by mallory at 2026-11-23 12:01:00 UTC." }],
    },
  );
  expect(await screen.findByRole("region", { name: "Excluded voters" })).toHaveProperty(
    "textContent",
    expect.stringContaining("password was set by mallory"),
  );
});

it("asks for changes with words, and lets the one who asked answer them", async () => {
  const sent = open({ "POST /approvals/a1/request-changes": approval({ state: "CHANGES" }) });
  await userEvent.type(await screen.findByRole("textbox", { name: "Comment" }), "Name the ticket.");
  await userEvent.click(screen.getByRole("button", { name: "Request changes" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({ comment: "Name the ticket." }),
  );
});

it("shows what changes were asked for and takes an answer from who may give it", async () => {
  const vote = {
    who: "rosa",
    verdict: "changes" as const,
    round: 1,
    comment: "Name the ticket.",
    at: "2026-03-01T14:00:00Z",
    void_reason: "",
  };
  const sent = open(
    { "POST /approvals/a1/answer": approval() },
    { state: "CHANGES", votes: [vote], actions: [{ action: "answer", allowed: true, reason: "", who_can: [] }] },
  );
  expect((await screen.findAllByText(/Name the ticket/)).length).toBe(2);
  await userEvent.type(screen.getByLabelText("Answer"), "It is CHG-7.");
  await userEvent.click(screen.getByRole("button", { name: "Answer and request again" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.body).toEqual({ comment: "It is CHG-7." }));
});

it("keeps in the thread what is about this request, and comments", () => {
  const line = { at: "", who: "a", text: "", details: {} };
  const lines = [
    { ...line, seq: 1, kind: "level" },
    { ...line, seq: 2, kind: "comment" },
    { ...line, seq: 3, kind: "vote-approve", details: { approval: "a1" } },
    { ...line, seq: 4, kind: "vote-approve", details: { approval: "a0" } },
  ];
  expect(spoken([...lines, ...lines], "a1").map((each) => each.seq)).toEqual([2, 3]);
});

it("marks only verdicts that changed", () => {
  const rows = compare(
    [check("a", "pass", ""), check("b", "fail", "")],
    [check("a", "pass", ""), check("c", "pass", "")],
  );
  expect(rows.map((row) => [row.check, row.changed])).toEqual([
    ["a", false],
    ["b", true],
    ["c", true],
  ]);
});

it("counts votes that are not void", () => {
  const vote = { who: "a", verdict: "approve" as const, round: 1, comment: "", at: "" };
  expect(
    votesText({
      needed: 2,
      votes: [
        { ...vote, void_reason: "" },
        { ...vote, who: "b", void_reason: "changed" },
      ],
    }),
  ).toBe("1 of 2");
});

it("sums the checks of a plan up", () => {
  expect(verdict([check("a", "pass", "")]).text).toBe("Ready to start.");
  expect(verdict([check("a", "warn", "")]).text).toBe("Ready to start, with one warning.");
  expect(verdict([check("a", "unknown", ""), check("b", "pass", "")]).text).toBe("1 of 2 checks does not pass.");
});

it("names the references that would break, with links to where they stand, and what nobody knows", async () => {
  const found = [
    {
      service: "apps.example.com",
      region: "us-west2",
      version: "v1",
      type: "App",
      path: "keys[]",
      kind: "UNSET",
      target: "CryptoKey",
      reason: "v1 has no CryptoKey.",
    },
  ];
  open({}, { impact: { ...impact(), references: { breaking: found, unknown: ["portal.example.com"] } } });
  const row = (await screen.findByText("App.keys[]")).closest("li");
  expect(row?.textContent).toContain("refers to CryptoKey (set to empty). v1 has no CryptoKey.");
  expect([...(row?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"))).toEqual([
    "/d/apps.example.com/us-west2?tab=references",
    "/resources?service=apps.example.com&region=us-west2&type=App",
  ]);
  expect(screen.getByText(/no definition of portal exists/)).toBeTruthy();
});

it("reaches by key what approves, or the comment that a rejection needs, and decides nothing", async () => {
  const sent = open();
  const button = await screen.findByRole("button", { name: "Approve" });
  await waitFor(() => expect(document.activeElement?.id).toBe("request"));
  await userEvent.keyboard("a");
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard("r");
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Comment" }));
  expect(sent.every((each) => each.method === "GET")).toBe(true);
});
