import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { ActivityPage } from "../pages/Activity";
import { Conflict } from "../parts/forms/Conflict";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

const ABORTED = { key: "{who} aborted it: {reason}", values: { who: "ann", reason: "too late" } };
const WORDED = pseudo(ABORTED.key).replace("{who}", "ann").replace("{reason}", "too late");
const entry = {
  id: 1,
  seq: 1,
  digest: "",
  at: "2026-03-01T14:00:00Z",
  actor: "ann",
  actor_kind: "service",
  actor_kind_title: "service",
  token: "",
  address: "",
  request_id: "",
  action: "upgrade.abort",
  action_title: "Abort an upgrade",
  target_kind: "upgrade",
  target_kind_title: "upgrade",
  target: "u1",
  service: "secrets.example.com",
  region: "eu-1",
  outcome: "done",
  reason: "ann aborted it: too late",
  before: null,
  after: null,
};
const VALUES = "ann u1 secrets.example.com eu-1 written by hand too late";

it("words the recorded reasons, leaves what a person wrote, and words why the chain is broken", async () => {
  const differs = {
    key: "it was rewritten: entry {seq} is not what the anchor of {anchored_at} names",
    values: { seq: 3, anchored_at: "2026" },
  };
  serve({
    "GET /audit": {
      items: [
        { ...entry, reason_phrases: [ABORTED] },
        { ...entry, id: 2, reason: "written by hand" },
      ],
      has_more: false,
      next_cursor: null,
    },
    "GET /audit/chain": {
      intact: false,
      length: 3,
      unsealed: 0,
      digest: "",
      broken_at: 3,
      entry: 3,
      reason: "it was rewritten: entry 3 is not what the anchor of 2026 names",
      reason_phrases: [differs],
    },
    "GET /views/activity": { items: [], has_more: false, next_cursor: null },
  });
  show(<ActivityPage />, "/activity");
  await screen.findByText(WORDED);
  expect(screen.getAllByText(pseudo("upgrade"))).toHaveLength(2);
  expect(screen.getAllByText(pseudo("service"))).toHaveLength(2);
  expect(screen.getAllByText(new RegExp(pseudo("Abort an upgrade").slice(1, 16)))).toHaveLength(2);
  await screen.findByText(new RegExp(pseudo("it was rewritten: entry {seq} is not").slice(1, 20)));
  const [details] = screen.getAllByRole("button", { name: pseudo("Details") });
  if (details) fireEvent.click(details);
  expect(screen.getAllByText(WORDED)).toHaveLength(2);
  expect(outsideTexts(document.body, VALUES)).toEqual([]);
  cleanup();
});

it("words what another request did to a thing in the meantime", () => {
  const of = {
    title: "Stale",
    status: 412,
    changed: { who: "ann", at: entry.at, what: entry.reason, what_phrases: [ABORTED] },
  };
  show(<Conflict of={of} differences={[]} onTheirs={() => undefined} onMine={() => undefined} />);
  expect(screen.getByText(WORDED)).toBeTruthy();
  expect(outsideTexts(document.body, "ann too late")).toEqual([]);
  cleanup();
});
