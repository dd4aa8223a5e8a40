import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { serve, show, type Sent } from "../../../test/show";
import { tick } from "../../../time/clock";
import type { DeletionCheck, ReferenceEdge, Referring } from "../../../wire/references";
import { HiddenResources, isHidden, NameForm, place, ResourceName, UnansweredDeployments } from "../Parts";
import { Blockers, byDeployment } from "./Blockers";
import { Chain, Drawing } from "./Chain";
import { DeletionPreparation } from "./DeletionWatch";

const DOOR = "//secrets.example.com/eu-1/projects/p/secrets/door";
const id = (service: string, name: string, region = "eu-1"): string => `//${service}.example.com/${region}/${name}`;
const edge = (source: string, part: Partial<Referring> = {}): Referring =>
  ({
    source,
    target: DOOR,
    kind: "BLOCK",
    path: "spec.secret",
    version: "v1",
    type: "App",
    owner: "",
    since: "2026-03-01T14:00:00Z",
    ...part,
  }) as Referring;
const session = (...permissions: string[]): Record<string, unknown> => ({
  account: { name: "ann", email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});

beforeEach(() => tick.set(Date.parse("2026-03-01T14:10:00Z")));

describe("the name of a resource", () => {
  it("is taken apart into service, region and name", () => {
    expect(place(DOOR)).toEqual({ service: "secrets.example.com", region: "eu-1", name: "projects/p/secrets/door" });
    expect(place("")).toEqual({ service: "", region: "", name: "" });
    expect([isHidden(id("apps", "hidden/3")), isHidden(DOOR)]).toEqual([true, false]);
  });

  it("leads to its references, unless it may not be read", () => {
    show(
      <>
        <ResourceName id={DOOR} />
        <ResourceName id={id("apps", "hidden/3")} />
      </>,
    );
    expect(screen.getByRole("link").getAttribute("href")).toBe(`/refs?name=${encodeURIComponent(DOOR)}`);
    expect(screen.getByText("hidden: no read permission")).toBeTruthy();
  });

  it("is asked for without the blanks around it", () => {
    const ask = vi.fn();
    show(<NameForm value="a" onAsk={ask} button="Show" />);
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Name of a resource" });
    fireEvent.change(field, { target: { value: "   " } });
    fireEvent.click(screen.getByRole("button", { name: "Show" }));
    expect(ask).not.toHaveBeenCalled();
    fireEvent.change(field, { target: { value: " projects/p " } });
    fireEvent.submit(screen.getByRole("search"));
    expect(ask.mock.calls).toEqual([["projects/p"]]);
  });
});

describe("what is not shown", () => {
  const said = (): string | undefined => screen.queryByRole("status")?.textContent?.trim();

  it("is counted once, with the deployments where it lies", () => {
    show(
      <HiddenResources ids={[id("apps", "hidden/1"), id("apps", "hidden/1"), id("iam", "hidden/2", "us-1"), DOOR]} />,
    );
    expect(said()).toMatch(/^2 resources are in deployments.*: apps\.example\.com @ eu-1, iam\.example\.com @ us-1\.$/);
  });

  it("is not spoken of where all may be read", () => {
    show(<HiddenResources ids={[DOOR]} />);
    expect(said()).toBeUndefined();
  });

  it("names the deployments that did not answer, and why", () => {
    show(<UnansweredDeployments unknown={[{ service: "apps.example.com", region: "eu-1", reason: "timed out" }]} />);
    expect(said()).toMatch(/^One deployment did not answer\./);
    expect(screen.getByRole("listitem").textContent).toBe("apps.example.com @ eu-1: timed out");
  });

  it("is nothing where all answered", () => {
    show(<UnansweredDeployments unknown={[]} />);
    expect(said()).toBeUndefined();
  });
});

describe("what stands in the way of a deletion", () => {
  const edges = [
    edge(id("apps", "apps/1")),
    edge(id("iam", "users/1", "us-1")),
    edge(id("iam", "users/2", "us-1"), { kind: "WEAK", owner: "ann", type: "" }),
    edge(id("base", "things/1")),
  ];

  it("is listed by deployment, the one with the most first", () => {
    expect(byDeployment(edges).map((each) => [each.deployment, each.edges.length])).toEqual([
      ["iam.example.com @ us-1", 2],
      ["apps.example.com @ eu-1", 1],
      ["base.example.com @ eu-1", 1],
    ]);
    expect(byDeployment([])).toEqual([]);
  });

  it("is named with what refers to it, by which field and since when", () => {
    show(<Blockers edges={edges.slice(2)} label="Blockers" />);
    const table = screen.getByRole("region", { name: "Blockers in iam.example.com @ us-1" });
    const row = within(table).getByRole("row", { name: /users\/2/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .slice(0, 3)
        .map((cell) => cell.textContent),
    ).toEqual(["unknown", "v1", "spec.secret"]);
    expect(row.textContent).toContain("ann");
  });

  it("is shown two hundred at a time", () => {
    const many = Array.from({ length: 201 }, (_, at) => edge(id("apps", `apps/${at}`), { path: "spec.door" }));
    show(<Blockers edges={many} label="Blockers" />);
    const rows = (): number => screen.getAllByText("spec.door").length;
    expect(rows()).toBe(200);
    fireEvent.click(screen.getByText("Show 1 more of 1"));
    expect([rows(), screen.queryByText(/^Show \d/)]).toEqual([201, null]);
  });
});

describe("the shortest chain to a blocker", () => {
  const check = (blockers: Referring[]): DeletionCheck =>
    ({ focus: { id: DOOR }, blockers }) as unknown as DeletionCheck;

  it("is one reference where a blocker refers to it directly", () => {
    const sent = serve({});
    show(<Chain of={check([edge(id("apps", "apps/1"))])} />);
    expect(screen.getByText("1 reference")).toBeTruthy();
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe("door, which is referred to by 1");
    expect(sent).toEqual([]);
  });

  it("goes through what refers to it where the blocker is further away", async () => {
    const [link, far] = [id("apps", "links/l"), id("apps", "apps/far")];
    const edges: ReferenceEdge[] = [{ source: link, target: DOOR, kind: "CASCADE", path: "door", version: "v1" }];
    serve({ "GET /references": { focus: DOOR, nodes: [], edges, hidden: { budget: 0, filter: 0 }, unknown: [] } });
    show(<Chain of={check([edge(far, { target: link })])} />);
    expect((await screen.findByRole("img")).getAttribute("aria-label")).toBe(
      "door, which is referred to by l, which is referred to by far",
    );
    expect(screen.getByText("2 references")).toBeTruthy();
  });

  it("is none where nothing blocks", () => {
    serve({});
    show(<Chain of={check([])} />);
    expect(screen.queryByRole("img")).toBeNull();
  });

  it("clips long names, and hides what may not be read", () => {
    const long = id("apps", `apps/${"x".repeat(40)}`);
    const by = { source: "", target: "", kind: "BLOCK" as const, path: "spec.a.very.long.path", version: "v1" };
    show(
      <Drawing
        legs={[
          { id: long, by: null },
          { id: id("apps", "hidden/1"), by },
        ]}
      />,
    );
    expect(screen.getByText(`${"x".repeat(23)}…`)).toBeTruthy();
    expect(screen.getByText("spec.a.very.long…")).toBeTruthy();
    expect(screen.getByText("hidden")).toBeTruthy();
  });
});

describe("getting ready to delete", () => {
  const watch = (cleared_at: string | null): unknown => ({
    id: "w1",
    name: DOOR,
    since: "2026-03-01T14:00:00Z",
    cleared_at,
  });
  const open = (watches: unknown[], permissions: string[], more: Record<string, unknown> = {}): Sent[] => {
    const sent = serve({
      "GET /session": session(...permissions),
      "GET /deletion-watches": { items: watches, has_more: false, next_cursor: null },
      ...more,
    });
    show(<DeletionPreparation name={DOOR} />);
    return sent;
  };

  it("rehearses it, and says what stands against it", async () => {
    open([], ["resource.write"], {
      "POST /deletion-check/rehearsals": {
        outcome: "refuse",
        sentence: "It cannot be deleted.",
        asks: ["apps.example.com @ eu-1 is asked."],
        violations: [{ path: "apps/1", message: "blocks it" }],
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Dry-run delete" }));
    const said = await screen.findByText("It cannot be deleted.");
    expect(
      within(said)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["apps.example.com @ eu-1 is asked.", "apps/1 blocks it"]);
  });

  it("is no dry run for who may not write", async () => {
    const sent = open([], []);
    fireEvent.click(await screen.findByRole("button", { name: /^Dry-run delete/ }));
    expect(await screen.findByText(/so it requires write permission/)).toBeTruthy();
    expect(sent.some((one) => one.method === "POST")).toBe(false);
  });

  it.each([
    [[], "Watch until it can be deleted", "POST /deletion-watches"],
    [[watch(null)], "Stop watching", "DELETE /deletion-watches/w1"],
    [[watch("2026-03-01T14:09:00Z")], "Dismiss", "DELETE /deletion-watches/w1"],
  ])("watches until nothing blocks: %j offers %s", async (watches, name, request) => {
    const sent = open(watches, [], { [request]: {} });
    fireEvent.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(sent.map((one) => `${one.method} ${one.path}`)).toContain(request));
  });
});
