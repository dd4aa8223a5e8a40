import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { serve, show, type Sent } from "../../test/show";
import { tick } from "../../time/clock";
import { BrownOuts, type BrownOut } from "./usage/BrownOuts";
import { DefinitionRollouts, StartInPhases, type DefinitionRollout } from "./changes/DefinitionRollouts";
import { KeyStrategies, type KeyStrategy } from "./usage/KeyStrategies";

const SERVICE = "shelves.example.com";
const NOW = Date.parse("2026-03-01T14:10:00Z");

const session = (
  name: string,
  permissions: string[],
  bounds: Record<string, string[]> = {},
): Record<string, unknown> => ({
  account: { name, email: "", roles: [], permissions, reach: [], zone: "", bounds },
  csrf_token: "",
  server_time: "",
});
const posted = (sent: Sent[]): string[] => sent.filter((one) => one.method === "POST").map((one) => one.path);

beforeEach(() => tick.set(NOW));

describe("brown-outs", () => {
  const brownOut = (part: Partial<BrownOut> = {}): BrownOut =>
    ({
      id: "b1",
      service: SERVICE,
      version: "v1",
      place: "Box.title",
      kind: "field",
      percent: 5,
      begins_at: "2026-03-01T14:00:00Z",
      ends_at: "2026-03-01T16:00:00Z",
      sunset: "2026-12-01",
      note: "",
      state: "running",
      requested_by: "olga",
      approved_by: [],
      stopped_by: "",
      stop_reason: "",
      refused: 0,
      refused_clients: [],
      ...part,
    }) as BrownOut;

  function open(items: BrownOut[], account = session("olga", ["registry.write"]), more = {}): Sent[] {
    const sent = serve({
      "GET /session": account,
      [`GET /services/${SERVICE}/usage/brown-outs`]: { items },
      ...more,
    });
    show(<BrownOuts service={SERVICE} />);
    return sent;
  }

  it("say whose requests were refused, and by whom they were approved", async () => {
    const refused_clients = [{ client: "stock", release: "1.4", method: "POST", requests: 3 }];
    open([brownOut({ refused: 3, refused_clients, approved_by: ["ann"], note: "Use label." } as never)]);
    const row = await screen.findByRole("row", { name: /Box\.title/ });
    expect(row.textContent).toContain("v1, removed on 2026-12-01. Use label.");
    expect(row.textContent).toContain("olga, approved by ann");
    expect(within(row).getByText(/^stock/).textContent).toBe("stock (1.4): 3 POST");
  });

  it("can be stopped while they are open, and are over afterwards", async () => {
    const sent = open([brownOut(), brownOut({ id: "b2", place: "Box.old", state: "over" })], undefined, {
      "POST /brown-outs/b1/stop": {},
    });
    const stops = await screen.findAllByRole("button", { name: "Stop" });
    expect(stops).toHaveLength(1);
    fireEvent.click(stops[0] as HTMLElement);
    await waitFor(() => expect(posted(sent)).toEqual(["/brown-outs/b1/stop"]));
  });

  it("name who stopped them and why", async () => {
    open([brownOut({ state: "stopped", stopped_by: "ann", stop_reason: "Errors rose." })]);
    expect((await screen.findByRole("row", { name: /Box\.title/ })).textContent).toContain("ann. Errors rose.");
    expect(screen.queryByRole("button", { name: /Stop/ })).toBeNull();
  });

  it("are not approved by who asked for them", async () => {
    open([brownOut({ state: "requested" })], session("olga", ["registry.write", "approval.vote"]));
    fireEvent.click(await screen.findByRole("button", { name: /^Approve/ }));
    expect(await screen.findByText("You requested this; another person must decide.")).toBeTruthy();
  });

  it("are approved by another person who may", async () => {
    const sent = open([brownOut({ state: "requested" })], session("ann", ["approval.vote"]), {
      "POST /brown-outs/b1/approve": {},
    });
    fireEvent.click(await screen.findByRole("button", { name: "Approve" }));
    await waitFor(() => expect(posted(sent)).toEqual(["/brown-outs/b1/approve"]));
    fireEvent.click(screen.getByRole("button", { name: /^Stop/ }));
    expect(await screen.findByText("This requires permission to change services.")).toBeTruthy();
  });

  it("of all regions are not stopped by who may change one", async () => {
    open([brownOut()], session("olga", ["registry.write"], { "registry.write": ["* @ eu-1"] }));
    fireEvent.click(await screen.findByRole("button", { name: /^Stop/ }));
    expect(
      await screen.findByText(`This concerns every region of ${SERVICE}; your role holds for * @ eu-1.`),
    ).toBeTruthy();
  });

  it("that cannot be stopped say so, and stay", async () => {
    open([brownOut()], undefined, {
      "POST /brown-outs/b1/stop": { title: "Not now", status: 409, detail: "It is over already." },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Stop" }));
    expect(await screen.findByText("It is over already.")).toBeTruthy();
  });

  it("are explained where there are none", async () => {
    open([]);
    expect(await screen.findByText("No brown-outs.")).toBeTruthy();
  });
});

describe("strategies for unknown fields", () => {
  const strategy = (part: Partial<KeyStrategy> = {}): KeyStrategy =>
    ({
      id: "k1",
      service: SERVICE,
      version: "v1",
      place: "Box.parts[].note",
      strategy: "filter",
      until: "2026-04-01T00:00:00Z",
      state: "in-force",
      is_known: false,
      set_by: "olga",
      reason: "An old client.",
      ...part,
    }) as KeyStrategy;

  function open(items: KeyStrategy[], more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({
      "GET /session": session("olga", ["registry.write"]),
      [`GET /services/${SERVICE}/usage/key-strategies`]: { items },
      ...more,
    });
    show(<KeyStrategies service={SERVICE} version="v1" />);
    return sent;
  }

  it("say who set them and why, and that a field which the definition has is treated by it", async () => {
    open([strategy(), strategy({ id: "k2", place: "Box.known", is_known: true, state: "expired" })]);
    const row = await screen.findByRole("row", { name: /Box\.parts/ });
    expect(row.textContent).toContain("in forceolga: An old client.");
    expect(screen.getByRole("row", { name: /Box\.known/ }).textContent).toContain(
      "v1, known by the definition: not applied",
    );
    expect(screen.getAllByRole("button", { name: "End" })).toHaveLength(1);
  });

  it("are ended before their time", async () => {
    const sent = open([strategy()], { "POST /key-strategies/k1/end": {} });
    fireEvent.click(await screen.findByRole("button", { name: "End" }));
    await waitFor(() => expect(posted(sent)).toEqual(["/key-strategies/k1/end"]));
  });

  it("are the service's where no field has one of its own", async () => {
    open([]);
    expect(
      await screen.findByText("Fields that a version does not know are treated as the service says."),
    ).toBeTruthy();
  });
});

describe("rollouts of a definition in phases", () => {
  const rollout = (part: Partial<DefinitionRollout> = {}): DefinitionRollout =>
    ({
      id: "d1",
      service: SERVICE,
      state: "RUNNING",
      created_by: "olga",
      created_at: "2026-03-01T14:00:00Z",
      started_by: "olga",
      checked_at: "2026-03-01T14:09:00Z",
      note: "",
      reason: "",
      phases: [
        { action: "add label", state: "done", settled_at: "2026-03-01T14:05:00Z", wait: "", lacking: [] },
        {
          action: "require label",
          state: "current",
          settled_at: null,
          wait: "until 7 days passed",
          lacking: ["2 clients send none."],
        },
        { action: "remove title", state: "waiting", settled_at: null, wait: "", lacking: [] },
      ],
      ...part,
    }) as DefinitionRollout;

  function open(items: DefinitionRollout[], more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({
      "GET /session": session("olga", ["registry.write"]),
      [`GET /services/${SERVICE}/definition-rollouts`]: { items },
      ...more,
    });
    show(<DefinitionRollouts service={SERVICE} />);
    return sent;
  }
  const buttons = (): string[] => screen.queryAllByRole("button").map((button) => button.textContent ?? "");

  it("say of each phase what it waits for, and what stands against it", async () => {
    open([rollout()]);
    await screen.findByText(/require label/);
    const [list] = screen.getAllByRole("list").slice(1);
    const phases = within(list as HTMLElement).getAllByRole("listitem");
    expect(phases.map((phase) => phase.textContent)).toEqual([
      "done add label 14:05:00 UTC (5 min ago)",
      "current require label Wait until 7 days passed.2 clients send none.",
      "waiting remove title ",
    ]);
    expect(screen.getByText(/^Evidence checked/).textContent).toContain("1 min ago");
  });

  it.each<[DefinitionRollout["state"], string, string[]]>([
    ["PLANNED", "", ["Start", "Stop"]],
    ["RUNNING", "olga", ["Pause", "Stop"]],
    ["PAUSED", "olga", ["Resume", "Stop"]],
    ["DONE", "olga", []],
    ["STOPPED", "olga", []],
  ])("in %s, started by %j, offer %j", async (state, started_by, actions) => {
    open([rollout({ state, started_by })]);
    await screen.findByText("d1");
    await waitFor(() => expect(buttons()).toEqual(actions));
  });

  it("are held where something is wrong", async () => {
    const sent = open([rollout()], { "POST /definition-rollouts/d1/pause": {} });
    fireEvent.click(await screen.findByRole("button", { name: "Pause" }));
    await waitFor(() => expect(posted(sent)).toEqual(["/definition-rollouts/d1/pause"]));
  });

  it("begin once, however often the button is pressed", async () => {
    const address = `POST /services/${SERVICE}/definition-rollouts`;
    const answers: Record<string, unknown> = {
      [address]: { title: "Not now", status: 409, detail: "Another rollout runs." },
    };
    const sent = serve(answers);
    show(<StartInPhases service={SERVICE} files={{ "service.yaml": "eA==" }} refusal="" />);
    fireEvent.click(screen.getByRole("button", { name: "Start in phases" }));
    expect(await screen.findByText("Another rollout runs.")).toBeTruthy();
    answers[address] = rollout();
    fireEvent.click(screen.getByRole("button", { name: "Start in phases" }));
    expect(await screen.findByText("Started. Its phases are shown below.")).toBeTruthy();
    expect(new Set(sent.map((one) => one.headers.get("Idempotency-Key"))).size).toBe(1);
    expect(sent.map((one) => one.body)).toEqual([
      { files: { "service.yaml": "eA==" }, start: true },
      { files: { "service.yaml": "eA==" }, start: true },
    ]);
  });
});
