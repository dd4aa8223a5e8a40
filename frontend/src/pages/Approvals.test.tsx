import { focusManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { approval, check, upgrade, waiver } from "../test/samples";
import { serve, show } from "../test/show";
import type { Approval } from "../wire/model";
import { Route, Routes } from "react-router";
import { ApprovalsPage } from "./Approvals";
import { UpgradePage } from "./upgrade/UpgradePage";
import { selectionProblem } from "./approval/BulkApproval";

const place = (id: string, part: Partial<Approval> = {}): Approval =>
  approval({ id, what: `Switch ${id}`, digest: `d-${id}`, ...part });

function open(requests: Approval[], extra: Record<string, unknown> = {}) {
  const duty = {
    name: "ann",
    display_name: "Ann",
    roles: ["approver"],
    since: "2026-03-01T08:00:00Z",
    until: "2026-03-01T18:00:00Z",
  };
  const sent = serve({
    "GET /approvals": { items: requests, next_cursor: null, has_more: false },
    "GET /duty": { items: [duty], next_cursor: null, has_more: false },
    "GET /waivers": { items: [], next_cursor: null, has_more: false },
    ...extra,
  });
  show(<ApprovalsPage />, "/approvals");
  return sent;
}

it("approves one change in two regions with one word, each for the evidence that was shown", async () => {
  const sent = open([place("eu"), place("us")], {
    "POST /approvals:approve": {
      items: [
        { id: "eu", status: 200, problem: null },
        { id: "us", status: 412, problem: { detail: "The evidence changed." } },
      ],
    },
  });
  await waitFor(() => expect(screen.getAllByText("low risk").length).toBe(2));
  screen.getByRole("link", { name: "Switch eu" }).focus();
  await userEvent.keyboard("xjx");
  await userEvent.click(screen.getByRole("button", { name: "Approve all 2…" }));
  await userEvent.type(screen.getByLabelText("Comment"), "Read both.");
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect(await screen.findByText("Switch us: The evidence changed.")).toBeTruthy();
  await waitFor(() =>
    expect(sent.find((one) => one.path === "/approvals:approve")?.body).toEqual({
      requests: [
        { id: "eu", digest: "d-eu" },
        { id: "us", digest: "d-us" },
      ],
      comment: "Read both.",
    }),
  );
});

it("shows the waivers that await the reader beside the approvals, and approves one where it is listed", async () => {
  const loss = waiver({
    id: "v1",
    service: "iam.example.com",
    before: "v1",
    after: "v2",
    rule: "loss-hidden",
    path: "User.folder",
    where: "down",
    change: "v1 does not show it.",
  });
  const change = { ...loss, id: "v2", before: "v2", path: "User.name", change: "The key is gone." };
  const sent = open([], {
    "GET /waivers": { items: [loss, change], next_cursor: null, has_more: false },
    "POST /waivers/v1/approve": { ...loss, state: "in-force" },
    "GET /session": { account: { name: "ann", email: "", roles: [], permissions: ["approval.vote"] } },
  });
  const table = within(await screen.findByRole("table", { name: "Waivers" }));
  expect(sent.some((one) => one.path === "/waivers?tab=mine")).toBe(true);
  expect(table.getByRole("link", { name: "User.folder" }).getAttribute("href")).toBe("/compat/iam.example.com/v1..v2");
  expect(table.getByRole("link", { name: "User.name" }).getAttribute("href")).toBe("/versions/iam.example.com/changes");
  expect(table.getAllByText("hidden from the other version")).toHaveLength(2);
  const row = within(table.getAllByRole("row")[1] as HTMLElement);
  expect(row.getByText("No client reads it.", { exact: false }).textContent).toContain("requested by olga, until");
  await userEvent.click(await row.findByRole("button", { name: "Approve" }));
  await waitFor(() => expect(sent.some((one) => one.path === "/waivers/v1/approve")).toBe(true));
});

it("shows what became of each request also once they have left the list", async () => {
  const given: Record<string, unknown> = {
    "POST /approvals:approve": { items: [{ id: "eu", status: 200, problem: null }] },
    "GET /approvals": { items: [place("eu")], next_cursor: null, has_more: false },
    "GET /waivers": { items: [], next_cursor: null, has_more: false },
    "GET /duty": { items: [], next_cursor: null, has_more: false },
  };
  serve(given);
  show(<ApprovalsPage />, "/approvals");
  (await screen.findByRole("link", { name: "Switch eu" })).focus();
  await userEvent.keyboard("x");
  await userEvent.click(screen.getByRole("button", { name: "Approve it…" }));
  given["GET /approvals"] = { items: [], next_cursor: null, has_more: false };
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect(await screen.findByText("Switch eu: approved")).toBeTruthy();
  act(() => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  });
  await screen.findByText(/An approval is requested on the page/, { ignore: "[hidden]" });
  expect(screen.getByText("Switch eu: approved")).toBeTruthy();
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByText("Switch eu: approved")).toBeNull());
});

it("reads risk, checks and votes of all requests from the list alone", async () => {
  const vote = {
    who: "ann",
    verdict: "approve" as const,
    round: 1,
    comment: "",
    at: "2026-03-01T14:00:00Z",
    void_reason: "",
  };
  const sent = open([
    place("eu", { impact_summary: { risk: "high", failing: 2, unknown: 1, change: "c1" }, votes: [vote] }),
    place("us", { impact_summary: { risk: "low", failing: 0, unknown: 1, change: "c1" } }),
    place("gone", { state: "EXPIRED", impact_summary: null }),
  ]);
  await screen.findByText("Switch eu");
  const rows = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
  expect(rows.map((cells) => cells.slice(2, 6))).toEqual([
    ["high risk", "olga", "1 of 2", "2 fail, 1 unknown"],
    ["low risk", "olga", "0 of 2", "1 unknown"],
    ["–", "olga", "0 of 2", "Expired"],
  ]);
  expect(sent.filter((one) => /^\/approvals\/./.test(one.path))).toEqual([]);
});

it("says who is on duty, also when nothing waits", async () => {
  open([]);
  expect(await screen.findByText("No upgrade awaits your approval.")).toBeTruthy();
  expect(await screen.findByText("Ann")).toBeTruthy();
});

it("keeps different changes and risky ones apart", () => {
  const low = approval();
  const other = (part: Partial<NonNullable<Approval["impact_summary"]>>): Approval =>
    approval({ impact_summary: { risk: "low", failing: 0, unknown: 0, change: "c1", ...part } });
  expect(selectionProblem([low, low])).toBe("");
  expect(selectionProblem([low, other({ change: "c2" })])).toMatch(/different changes/);
  expect(selectionProblem([low, other({ risk: "high" })])).toMatch(/^One of them is not low risk/);
});

it("opens the request in focus at what approves it, or at the comment that a rejection needs", async () => {
  const one = place("eu");
  for (const [key, reached] of [
    ["a", "Approve"],
    ["r", ""],
  ] as const) {
    serve({
      "GET /approvals": { items: [one], next_cursor: null, has_more: false },
      "GET /approvals/eu": one,
      "GET /upgrades/u1": upgrade(),
    });
    const { unmount } = show(
      <Routes>
        <Route path="/approvals" element={<ApprovalsPage />} />
        <Route path="/upgrades/:id" element={<UpgradePage />} />
      </Routes>,
      "/approvals",
    );
    (await screen.findByRole("link", { name: "Switch eu" })).focus();
    await userEvent.keyboard(key);
    await screen.findByText("Your decision");
    await waitFor(() =>
      expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual([
        reached ? "BUTTON" : "TEXTAREA",
        reached,
      ]),
    );
    unmount();
  }
});

it("shows a request's risk, failing checks and votes below its row, by button and by key", async () => {
  const request = place("eu", {
    evidence_now: [check("lag", "fail", "eu is 258 s behind."), check("shards", "pass", "All.")],
  });
  const sent = open([request], { "GET /approvals/eu": request });
  const button = await screen.findByRole("button", { name: "Summary: Switch eu" });
  await userEvent.click(button);
  expect(await screen.findByText(/258 s behind/)).toBeTruthy();
  expect(screen.getByRole("region", { name: "Summary of Switch eu" })).toBeTruthy();
  expect(screen.getByText(/1 check passed/)).toBeTruthy();
  expect([button.getAttribute("aria-expanded"), sent.some((each) => each.path === "/approvals/eu")]).toEqual([
    "true",
    true,
  ]);
  screen.getByRole("link", { name: "Switch eu" }).focus();
  await userEvent.keyboard("v");
  await waitFor(() => expect(screen.queryByRole("region", { name: "Summary of Switch eu" })).toBeNull());
});
