import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { upgrade, waiver } from "../../test/samples";
import { serve, show } from "../../test/show";
import type { KeptType } from "../deployment/KeptTypes";
import { type Removal, Removals } from "./Removals";

const kept: KeptType = {
  type: "Receipt",
  version: "v1alpha2",
  without: "v1",
  stored: 1200,
  exported: false,
  changed_since: null,
  export: null,
};
const receipt: Removal = {
  rule: "resource-removed",
  path: "Receipt",
  what: "Receipt",
  sentence: "the type Receipt",
  stored: 1200,
  is_estimate: false,
  callers: ["billing"],
  accepted: false,
  waiver: null,
  kept,
};
const others: Removal[] = [
  {
    ...receipt,
    rule: "method-removed",
    path: "LeaseTasks",
    sentence: "the method LeaseTasks",
    stored: null,
    callers: [],
    kept: null,
  },
  {
    ...receipt,
    rule: "symbol-removed",
    path: "Task.view",
    sentence: "FULL of Task.view",
    stored: 40,
    is_estimate: true,
    callers: [],
    kept: null,
  },
  {
    ...receipt,
    rule: "pattern-removed",
    path: "Rule",
    sentence: "names zones/{zone} of Rule",
    stored: null,
    callers: [],
    kept: null,
  },
];
const asked = waiver({ rule: "resource-removed", path: "Receipt", reason: "Receipts are archived." });
const page = (items: Removal[]) => ({ items, next_cursor: null, has_more: false });
const person = (name: string, permissions: string[]) => ({
  "GET /session": { account: { name, roles: ["x"], permissions }, csrf_token: "" },
});

it("names everything that is missing, with its data, its callers and what becomes of it", async () => {
  serve({ ...person("olga", ["registry.write"]), "GET /upgrades/u1/removals": page([receipt, ...others]) });
  show(<Removals upgrade={upgrade()} />);
  const table = await screen.findByRole("region", { name: "Missing in v1" });
  const cells = within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].slice(0, 4).map((cell) => cell.textContent));
  expect(cells).toEqual([
    [
      "The type Receipt",
      "1,200",
      "billing",
      "Kept; v1alpha2 continues to serve it until v1alpha2 retires.Not exportedKept types",
    ],
    ["The method LeaseTasks", "–", "none seen", "v1 answers such calls with an error."],
    ["FULL of Task.view", "about 40", "not counted", "Stored values pass unchanged."],
    [
      "Names zones/{zone} of Rule",
      "unknown",
      "not counted",
      "Resources with such names cannot be copied; each is quarantined.",
    ],
  ]);
  expect(screen.getByText("4 of 4 to be accepted before the switch")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Kept types" }).getAttribute("href")).toBe("/d/secrets.example.com/us-west2");
});

it("asks for acceptance with a reason and an end", async () => {
  const sent = serve({
    ...person("olga", ["registry.write"]),
    "GET /upgrades/u1/removals": page([receipt]),
    "POST /services/secrets.example.com/waivers": asked,
  });
  show(<Removals upgrade={upgrade()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Accept…" }));
  await userEvent.type(screen.getByLabelText(/Reason/), "Receipts are archived.");
  await userEvent.type(screen.getByLabelText(/Until/), "2027-01-31T00:00");
  await userEvent.click(screen.getByRole("button", { name: "Ask for approval" }));
  const posts = () => sent.filter((each) => each.method === "POST" && !each.path.includes("dry_run"));
  await waitFor(() => expect(posts()).toHaveLength(1));
  expect(posts()[0]?.body).toEqual({
    before: "v1alpha2",
    after: "v1",
    rule: "resource-removed",
    path: "Receipt",
    reason: "Receipts are archived.",
    until: "2027-01-31T00:00:00Z",
  });
  await waitFor(() => expect(sent.filter((each) => each.path === "/upgrades/u1/removals")).toHaveLength(2));
});

it("lets another person approve, and never the one who asked", async () => {
  const open = { ...receipt, waiver: asked };
  serve({ ...person("olga", ["registry.write", "approval.vote"]), "GET /upgrades/u1/removals": page([open]) });
  const own = show(<Removals upgrade={upgrade()} />);
  const denied = await screen.findByRole("button", { name: /Approve/ });
  expect(denied.getAttribute("aria-disabled")).toBe("true");
  own.unmount();
  const sent = serve({
    ...person("ann", ["approval.vote"]),
    "GET /upgrades/u1/removals": page([open]),
    "POST /waivers/w1/approve": { ...asked, state: "in-force", approved_by: "ann" },
  });
  show(<Removals upgrade={upgrade()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  await waitFor(() => expect(sent.some((each) => each.path === "/waivers/w1/approve")).toBe(true));
});

it("shows who accepted, and asks nothing once the upgrade is over", async () => {
  const inForce = waiver({ state: "in-force", approved_by: "ann", approved_at: "2026-11-21T00:00:00Z" });
  const answers = { "GET /upgrades/u1/removals": page([{ ...receipt, accepted: true, waiver: inForce }]) };
  const sent = serve(answers);
  const { unmount } = show(<Removals upgrade={upgrade()} />);
  expect(await screen.findByText("All accepted")).toBeTruthy();
  expect(screen.getByText(/olga, approved by ann, until/)).toBeTruthy();
  expect(sent.filter((each) => each.path === "/upgrades/u1/removals")).toHaveLength(1);
  unmount();
  const later = serve(answers);
  const { container } = show(
    <Removals upgrade={upgrade({ state: "COMPLETED", finished_at: "2026-11-22T00:00:00Z" })} />,
  );
  expect(container.querySelector("section")).toBeNull();
  expect(later.filter((each) => each.path === "/upgrades/u1/removals")).toEqual([]);
});

it("shows nothing where nothing is missing, and the problem where that is unknown", async () => {
  const sent = serve({ "GET /upgrades/u1/removals": page([]) });
  const { container, unmount } = show(<Removals upgrade={upgrade()} />);
  await waitFor(() => expect(sent.some((each) => each.path === "/upgrades/u1/removals")).toBe(true));
  expect(container.querySelector("section")).toBeNull();
  unmount();
  serve({ "GET /upgrades/u1/removals": { title: "The database does not answer", status: 503 } });
  show(<Removals upgrade={upgrade()} />);
  expect(await screen.findByText("The database does not answer")).toBeTruthy();
});
