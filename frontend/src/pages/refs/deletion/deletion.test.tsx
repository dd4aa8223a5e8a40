import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import type { DeletionCheck, ReferenceNode, Referring } from "../../../wire/references";
import { Bulk, namesOf } from "./Bulk";
import { DeletionPage, tally } from "./DeletionPage";

const DOOR = "//secrets.example.com/eu-1/projects/p/secrets/door";
const node = (id: string, type = "Secret"): ReferenceNode => ({
  id,
  name: id.split("/").slice(4).join("/"),
  type,
  service: "secrets.example.com",
  region: "eu-1",
  version: "v1",
  state: "ACTIVE",
  changed_at: null,
});
const blocker = (source: string, part: Partial<Referring> = {}): Referring => ({
  source,
  target: DOOR,
  kind: "BLOCK",
  path: "secret",
  version: "v1",
  type: "SecretGrant",
  owner: "projects/p",
  since: "2026-03-01T14:00:00Z",
  ...part,
});
const check: DeletionCheck = {
  focus: node(DOOR),
  verdict: "blocked",
  sentence: "Blocked by 3 references in 2 deployments.",
  unsets: [],
  unknown: [],
  cascades: [],
  blockers: [
    blocker("//devices.example.com/us-2/devices/d", { type: "", owner: "", since: null }),
    blocker("//secrets.example.com/eu-1/projects/p/secretGrants/a"),
    blocker("//secrets.example.com/eu-1/projects/p/secretGrants/b"),
  ],
};
const account = (permissions: string[]) => ({
  account: { name: "olga", email: "", roles: [], permissions },
  csrf_token: "",
  server_time: "2026-03-01T00:00:00Z",
  environment: "",
  version: "",
});
const WATCH = {
  id: "d1",
  name: DOOR,
  verdict: "blocked",
  sentence: "",
  since: "2026-03-01T14:00:00Z",
  looked_at: null,
  cleared_at: null,
};
const at = `/refs/deletion?name=${encodeURIComponent(DOOR)}`;
const answers = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  "GET /deletion-check": check,
  "GET /session": account(["resource.write"]),
  "GET /deletion-watches": { items: [] },
  ...more,
});

it("answers first, names blockers by deployment with owner and age, and draws the shortest chain", async () => {
  serve(answers());
  show(<DeletionPage />, at);
  expect(await screen.findByText("Blocked by 3 references in 2 deployments.")).toBeTruthy();
  expect(screen.getAllByRole("heading", { level: 3 }).map((each) => each.textContent)).toEqual([
    "secrets.example.com @ eu-1: 2",
    "devices.example.com @ us-2: 1",
  ]);
  const [, row] = within(
    screen.getByRole("region", { name: "Blocking references in secrets.example.com @ eu-1" }),
  ).getAllByRole("row");
  expect(row?.textContent).toContain("SecretGrant");
  expect(row?.textContent).toContain("projects/p");
  expect(screen.getByRole("img", { name: "door, which is referred to by d" })).toBeTruthy();
});

it("names the deployment of a blocker that one may not read, and leads nowhere", async () => {
  serve(
    answers({
      "GET /deletion-check": {
        ...check,
        blockers: [
          blocker("//devices.example.com/us-2/hidden/3fae", { type: "hidden", owner: "", since: null, path: "" }),
        ],
      },
    }),
  );
  show(<DeletionPage />, at);
  expect(
    await screen.findByText(/One resource is in deployments that you may not read.*devices\.example\.com @ us-2/),
  ).toBeTruthy();
  const row = within(screen.getByRole("region", { name: /Blocking references in devices/ }));
  expect(row.getByText("hidden: no read permission")).toBeTruthy();
  expect(row.queryByRole("link")).toBeNull();
  expect(screen.queryByText("3fae")).toBeNull();
});

it("rehearses the deletion and shows what came of it", async () => {
  const sent = serve(
    answers({
      "POST /deletion-check/rehearsals": {
        outcome: "refuse",
        sentence: "It was refused: door is referred to by a.",
        deleted: 0,
        asks: [],
        violations: [{ path: "a#secret", message: "refers to door" }],
      },
    }),
  );
  show(<DeletionPage />, at);
  await userEvent.click(await screen.findByRole("button", { name: "Dry-run delete" }));
  expect(await screen.findByText(/It was refused: door is referred to by a/)).toBeTruthy();
  expect(sent.find((each) => each.method === "POST")?.body).toEqual({ name: DOOR });
});

it("says why not to whoever may not write", async () => {
  serve(answers({ "GET /session": account([]), "GET /duty": { items: [] } }));
  show(<DeletionPage />, at);
  await userEvent.click(await screen.findByRole("button", { name: /Dry-run delete/ }));
  expect(await screen.findByText(/requires write permission/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Send a request…" })).toBeTruthy();
});

it("watches until clear, and says that it does", async () => {
  const sent = serve(answers({ "GET /deletion-watches": { items: [WATCH] }, "DELETE /deletion-watches/d1": {} }));
  show(<DeletionPage />, at);
  await userEvent.click(await screen.findByRole("button", { name: "Stop watching" }));
  expect(sent.some((each) => each.method === "DELETE" && each.path === "/deletion-watches/d1")).toBe(true);
});

it("checks a pasted list, each name once", async () => {
  const brief = { name: "a", id: DOOR, verdict: "safe", sentence: "Safe now.", blockers: 0, cascades: 2 };
  const sent = serve({
    "POST /deletion-checks": { items: [brief] },
    "GET /fleet": { services: [], regions: [], cells: [] },
  });
  show(<DeletionPage />, "/refs/deletion");
  await userEvent.type(screen.getByLabelText("Names, one per line"), "a, b\na");
  await userEvent.click(screen.getByRole("button", { name: "Check all" }));
  expect(await screen.findByRole("link", { name: "a" })).toBeTruthy();
  expect(sent.find((each) => each.method === "POST")?.body).toEqual({ names: ["a", "b"] });
});

it("counts what would go with it by type, the most first", () => {
  expect(tally([node("//s/r/a", "Pod"), node("//s/r/b", "Key"), node("//s/r/c", "Key")])).toEqual([
    ["Key", 2],
    ["Pod", 1],
  ]);
  expect(namesOf(" a,b;\n\n a c")).toEqual(["a", "b", "c"]);
});

it("checks a thousand names of a filter in hundreds, and says how many of how many were checked", async () => {
  const named = (from: number, count: number): { name: string }[] =>
    Array.from({ length: count }, (_, at) => ({ name: `projects/p/secrets/s${from + at}` }));
  const brief = (name: string) => ({
    id: name,
    name,
    verdict: "safe",
    blockers: 0,
    cascades: 0,
    sentence: "Safe now.",
  });
  const id = (at: number): string => `//secrets.example.com/eu-1/projects/p/secrets/s${at}`;
  const place = "/deployments/secrets.example.com/eu-1/resources?limit=500";
  const replies: Record<string, unknown> = answers({
    "GET /fleet": { regions: [], services: [], cells: [{ service: "secrets.example.com", region: "eu-1" }] },
    [`GET ${place}`]: { items: named(0, 120), next_page_token: "n1" },
    [`GET ${place}&page_token=n1`]: { items: named(120, 30), next_page_token: "" },
    "POST /deletion-checks": { items: Array.from({ length: 100 }, (_, at) => brief(id(at))) },
  });
  const sent = serve(replies);
  show(<Bulk />);
  await userEvent.click(screen.getByText("Names from a filter"));
  await userEvent.click(screen.getByLabelText("Deployment", { selector: "input" }));
  await userEvent.click(await screen.findByRole("option", { name: "secrets.example.com @ eu-1" }));
  await userEvent.click(screen.getByRole("button", { name: "Add the names" }));
  expect(await screen.findByText("150 names taken, complete.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check the first 100" }));
  expect(await screen.findByText("100 of 150 checked")).toBeTruthy();
  replies["POST /deletion-checks"] = { items: Array.from({ length: 50 }, (_, at) => brief(id(100 + at))) };
  await userEvent.click(screen.getByRole("button", { name: "Check 50 more" }));
  expect(await screen.findByText("150 of 150 checked")).toBeTruthy();
  const asked = sent.filter((each) => each.method === "POST").map((each) => (each.body as { names: string[] }).names);
  expect(asked.map((each) => [each.length, each[0], each.at(-1)])).toEqual([
    [100, id(0), id(99)],
    [50, id(100), id(149)],
  ]);
  expect(screen.queryByRole("button", { name: /more/ })).toBeNull();
});
