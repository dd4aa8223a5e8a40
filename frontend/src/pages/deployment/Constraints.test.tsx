import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show, type Sent } from "../../test/show";
import type { Constraints, Eviction } from "../../wire/constraints";
import { ConstraintsPanel } from "./Constraints";

const BASE = "/constraints/iam.example.com/eu-1";
const NAME = "iam.example.com @ eu-1";
const may = { action: "evict", allowed: true, reason: "", who_can: ["admin"] };
const tally = {
  owed: 2,
  oldest_owed_seconds: 3,
  blockades: 1,
  oldest_blockade_seconds: 400,
  overdue_blockades: 1,
  pending_deletes: 0,
  deleting: 1,
  oldest_deleting_seconds: 90,
};

function constraints(extra: Partial<Constraints> = {}): Constraints {
  return {
    deployment: "services/iam.example.com/deployments/eu-1",
    service: "iam.example.com",
    region: "eu-1",
    state: "known",
    reason: "",
    tally,
    moving: [
      {
        type: "Project",
        name: "projects/p",
        state: "DELETING",
        age_seconds: 90,
        sources: [],
        root: "projects/p",
        blockers: [{ type: "Binding", name: "bindings/b", path: "project" }],
      },
      {
        type: "Project",
        name: "projects/q",
        state: "DELETING",
        age_seconds: 5,
        sources: ["services/secrets.example.com/deployments/us-2"],
        root: "projects/q",
        blockers: [],
      },
    ],
    policy_changes: [],
    subscriptions: [
      {
        service: "apps.example.com",
        region: "us-2",
        state: "unknown",
        position: "",
        behind_seconds: null,
        waiting: 0,
        problem: "Region us-2 does not answer.",
      },
      {
        service: "apps.example.com",
        region: "eu-1",
        state: "following",
        position: "6f1c",
        behind_seconds: 4.2,
        waiting: 3,
        problem: "",
      },
    ],
    read_copies: [
      {
        region: "us-2",
        version: "v1",
        state: "following",
        position: "0/1A",
        behind_seconds: 0.4,
        waiting: 7,
        problem: "",
      },
    ],
    waits: [
      {
        work: "pending",
        waits_for: "services/apps.example.com/deployments/us-2: Region us-2 does not answer.",
        quarantined: false,
        seconds: 42,
      },
    ],
    ...extra,
  };
}

function eviction(extra: Partial<Eviction> = {}): Eviction {
  return {
    id: "e1",
    rev: 1,
    deployment: "services/iam.example.com/deployments/eu-1",
    state: "OPEN",
    reason: "Its region burnt down.",
    asked_by: "anna",
    created_at: "2026-11-22T07:00:00Z",
    deadline: "2026-11-23T07:00:00Z",
    digest: "9c1d",
    needed: 2,
    votes_given: 1,
    vote: { ...may, action: "vote" },
    votes: [{ who: "ben", verdict: "approve", comment: "", at: "2026-11-22T07:10:00Z", round: 1, void_reason: "" }],
    ...extra,
  };
}

function open(of: Constraints, evictions: unknown, extra: Record<string, unknown> = {}): Sent[] {
  const sent = serve({ [`GET ${BASE}`]: of, [`GET ${BASE}/evictions`]: evictions, ...extra });
  show(<ConstraintsPanel service="iam.example.com" region="eu-1" />);
  return sent;
}

it("tells what a deletion waits for: who blocks it here, or whose word is missing", async () => {
  open(constraints(), { evict: may, items: [] });
  const rows = within(await screen.findByRole("region", { name: "Being deleted" })).getAllByRole("row");
  expect(rows[1]?.textContent).toContain("bindings/b by project");
  expect(rows[2]?.textContent).toContain("confirmation from secrets.example.com @ us-2");
  expect(screen.getByText(/^2, the oldest pending for/)).toBeTruthy();
});

it("tells how far it follows deletions and copies, and whom its work waits for", async () => {
  open(constraints(), { evict: may, items: [] });
  const rowsOf = (name: string) =>
    within(screen.getByRole("table", { name }))
      .getAllByRole("row")
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole("cell")
          .map((cell) => cell.textContent),
      );
  await screen.findByRole("table", { name: "Deletion subscriptions" });
  expect(rowsOf("Deletion subscriptions")).toEqual([
    ["unknownRegion us-2 does not answer.", "–", "0", "–"],
    ["following", "4.2 s", "3", ""],
  ]);
  expect(rowsOf("Read copies")).toEqual([["following", "0.4 s", "7", ""]]);
  // A position is opaque: it is copied, not read.
  expect(screen.queryByText("6f1c")).toBeNull();
  expect(screen.getAllByRole("button", { name: "Copy position" })).toHaveLength(2);
  expect(screen.getByText(/since 42 s/).textContent).toBe(
    "Confirmations are waiting since 42 s: services/apps.example.com/deployments/us-2: Region us-2 does not answer.",
  );
});

it("calls unknown what did not answer", async () => {
  open(
    constraints({
      state: "unknown",
      reason: "Region eu-1 does not answer.",
      tally: null,
      moving: [],
      subscriptions: [],
      read_copies: [],
      waits: [],
    }),
    { evict: may, items: [] },
  );
  expect(await screen.findByText("Region eu-1 does not answer.")).toBeTruthy();
  expect(screen.getAllByText("Unknown: no answer.")).toHaveLength(3);
  expect(screen.queryByText("No deletions in progress.")).toBeNull();
});

it("says why somebody may not evict", async () => {
  open(constraints(), {
    evict: { ...may, allowed: false, reason: "Its server answers." },
    items: [],
  });
  await userEvent.click(await screen.findByRole("button", { name: /Evict…/ }));
  expect(await screen.findByText("Its server answers.")).toBeTruthy();
});

it("asks for an eviction only once name and reason are typed", async () => {
  const sent = open(constraints(), { evict: may, items: [] }, { [`POST ${BASE}/evictions`]: eviction() });
  await userEvent.click(await screen.findByRole("button", { name: "Evict…" }));
  const ask = await screen.findByRole("button", { name: "Request eviction" });
  await userEvent.type(screen.getByLabelText(/Reason for the eviction/), "Its region burnt down and is lost.");
  expect((ask as HTMLButtonElement).disabled).toBe(true);
  const name = screen.getByLabelText(/^Type .* to confirm$/);
  await userEvent.type(name, "another");
  expect(screen.getByText("This is not the name above.")).toBeTruthy();
  await userEvent.clear(name);
  await userEvent.type(name, NAME);
  expect(screen.queryByText("This is not the name above.")).toBeNull();
  await userEvent.click(ask);
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({ reason: "Its region burnt down and is lost." }),
  );
});

it("approves exactly what was shown", async () => {
  const sent = open(
    constraints(),
    { evict: may, items: [eviction()] },
    { "POST /evictions/e1/approve": eviction({ state: "USED", votes_given: 2 }) },
  );
  await userEvent.click(await screen.findByRole("button", { name: "Approve eviction" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.headers.get("If-Match")).toBe('"9c1d"'));
});

it("tells whoever asked why they may not approve", async () => {
  open(constraints(), {
    evict: may,
    items: [
      eviction({
        vote: {
          action: "vote",
          allowed: false,
          reason: "The account that asks for approval cannot vote on it.",
          who_can: ["members of admin, except anna"],
        },
      }),
    ],
  });
  await userEvent.click(await screen.findByRole("button", { name: /Approve eviction/ }));
  expect(await screen.findByText("The account that asks for approval cannot vote on it.")).toBeTruthy();
});
