import { useQueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { serve, show } from "../../../test/show";
import { curve, columnOf, type ReferenceGroup, summary, thickness } from "./groups";
import { GroupsView } from "./GroupsView";

const SECRET = "//secrets.example.com/eu-1/projects/p/secrets/database";
const group = (part: Partial<ReferenceGroup> = {}): ReferenceGroup => ({
  direction: "in",
  service: "secrets.example.com",
  region: "eu-1",
  version: "v1",
  type: "SecretGrant",
  field: "secret",
  kind: "BLOCK",
  count: 1_000_000,
  is_exact: true,
  ...part,
});
const weak = group({
  service: "apps.example.com",
  region: "us-2",
  type: "App",
  field: "refs[]",
  kind: "WEAK",
  count: 3,
});
const hidden = group({ service: "iam.example.com", version: "", type: "hidden", field: "", count: 7 });
const key = group({ direction: "out", type: "CryptoKey", field: "key", count: 1 });
const counted = {
  focus: {
    id: SECRET,
    name: "projects/p/secrets/database",
    type: "Secret",
    service: "secrets.example.com",
    region: "eu-1",
    version: "v1",
    state: "ACTIVE",
    changed_at: null,
  },
  groups: [group(), hidden, weak, key],
  unknown: [],
};
const verdict = {
  focus: counted.focus,
  verdict: "blocked",
  sentence: "Blocked by at least 1001 references in 1 deployment.",
  blockers: [],
  cascades: [],
  unsets: [],
  unknown: [],
};
const member = (number: number) => ({
  id: `//secrets.example.com/eu-1/projects/p/secretGrants/g${number}`,
  path: "secret",
});
const answers = {
  "GET /references/groups": counted,
  "GET /deletion-check": verdict,
  "GET /references/groups/members": {
    items: Array.from({ length: 200 }, (_, number) => member(number)),
    next_cursor: "c2",
    has_more: true,
  },
};

afterEach(() => vi.restoreAllMocks());

it("draws a million references as one row, and lists the single ones of a chosen group", async () => {
  // Without a layout every box has no height, and no row would be in sight.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(420);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(320);
  const sent = serve(answers);
  show(<GroupsView name={SECRET} />);
  expect(
    await screen.findByText("1,000,010 incoming references from 3 deployments; 1 outgoing reference to 1 deployment."),
  ).toBeTruthy();
  const incoming = screen.getByRole("region", { name: "Incoming references" });
  expect(within(incoming).getAllByRole("button")).toHaveLength(3);
  const grants = within(incoming).getByRole("button", {
    name: /^SecretGrant\s*1,000,000\s*secret\s*blocks deletion\s*secrets.example.com @ eu-1$/,
  });
  await userEvent.click(grants);
  expect(grants.getAttribute("aria-pressed")).toBe("true");
  const list = await screen.findByRole("region", { name: "References of the group" });
  expect(within(list).getByRole("table").getAttribute("aria-rowcount")).toBe("1000001");
  expect(within(list).getAllByRole("row").length).toBeLessThan(60);
  expect(screen.getByText("The first 200; scrolling loads more.")).toBeTruthy();
  const asked = sent.find((each) => each.path.startsWith("/references/groups/members"));
  expect(new URLSearchParams(asked?.path.split("?")[1]).get("field")).toBe("secret");

  await userEvent.click(within(list).getByRole("button", { name: "Path of projects/p/secretGrants/g0" }));
  const path = screen.getByRole("list", { name: "Path" });
  expect(
    within(path)
      .getAllByRole("link")
      .map((link) => link.textContent),
  ).toEqual(["projects/p/secretGrants/g0", "projects/p/secrets/database"]);
});

it("names of a deployment that may not be read the count alone, and asks for no members", async () => {
  const sent = serve(answers);
  show(<GroupsView name={SECRET} />);
  await userEvent.click(await screen.findByRole("button", { name: /^No read permission 7/ }));
  expect(screen.getByText(/You may not read iam.example.com @ eu-1/)).toBeTruthy();
  expect(sent.filter((each) => each.path.includes("members"))).toEqual([]);
});

it("changes a count where it stands when the stream says so", async () => {
  serve(answers);
  function Stream() {
    const cache = useQueryClient();
    const { groups, ...rest } = counted;
    const nodes = { a: { ...groups[0], count: 1_000_001 }, b: weak };
    return (
      <button
        onClick={() =>
          cache.setQueryData(["reference-stream", `references:groups:1:${SECRET}`], { ...rest, nodes, edges: {} })
        }
      >
        stream
      </button>
    );
  }
  show(
    <>
      <Stream />
      <GroupsView name={SECRET} />
    </>,
  );
  await screen.findByText(/1,000,010 incoming references/);
  await userEvent.click(screen.getByText("stream"));
  await vi.waitFor(() => expect(screen.getByText(/^1,000,004 incoming references/)).toBeTruthy());
});

it("says of what is not exact that there is at least so much, and of nothing that there is none", () => {
  expect(summary([group({ count: 2_000_001, is_exact: false })], "in")).toBe(
    "at least 2,000,001 incoming references from 1 deployment",
  );
  expect(summary([], "out")).toBe("no outgoing references");
});

it("gives each group its height under its deployment and keeps the rest for a button", () => {
  const column = columnOf([group(), weak, group({ field: "other" })], 3);
  expect(column.rows.map((row) => ("head" in row ? row.head : row.y))).toEqual([
    "secrets.example.com @ eu-1",
    62,
    124,
    "apps.example.com @ us-2",
    220,
  ]);
  expect(columnOf([group(), weak], 1).left).toBe(1);
  expect(curve(0, 10, 20)).toBe("M 0 0 C 10 0, 10 10, 20 10");
  expect([thickness(1), thickness(1_000_000)]).toEqual([1.25, 6]);
});

it("says that there is no such resource, and not that it has no references", async () => {
  const focus = { ...counted.focus, state: "MISSING" };
  serve({ ...answers, "GET /references/groups": { ...counted, focus, groups: [] } });
  show(<GroupsView name={SECRET} />);
  expect(await screen.findByText("There is no such resource, and nothing refers to this name.")).toBeTruthy();
  expect(screen.queryByText("This resource has no references.")).toBeNull();
});
