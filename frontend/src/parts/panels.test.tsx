import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useQuery } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { read } from "../api/client";
import { ApiError } from "../api/problem";
import { live } from "../live/stream";
import { serve, show, type Sent } from "../test/show";
import { tick } from "../time/clock";
import { Chart, tickText, type ChartData } from "./charts/Chart";
import { PasskeyButton } from "./forms/PasskeyButton";
import { PermissionRequest, rightOf } from "./PermissionRequest";
import { Empty, Loaded, Loading, ProblemPanel, Sentence } from "./states";

describe("a chart", () => {
  const at = ["2026-03-01T14:00:00Z", "2026-03-01T14:00:05Z", "2026-03-01T14:00:10Z"];
  const data: ChartData = {
    title: "Lag",
    unit: " s",
    decimals: 1,
    at,
    lines: [
      { name: "p50", colour: "--ok", values: [0.11, 0.25, null] },
      { name: "max", colour: "--wait", values: [null, null, null] },
    ],
  };

  it.each([
    [0, "0 s"],
    [999, "999 s"],
    [1000, "1k s"],
    [1540, "1.5k s"],
    [12_000, "12k s"],
  ])("writes %d at its axis as %s", (tick, text) => expect(tickText(tick, " s")).toBe(text));

  it("says the newest value that is known of each line", () => {
    show(<Chart data={data} />);
    const values = ["p50", "max"].map((name) => screen.getByText(name).textContent);
    expect(values).toEqual(["p50 0.3 s", "max –"]);
  });

  it("has a table that says the same, the newest first", () => {
    show(<Chart data={data} />);
    fireEvent.click(screen.getByRole("button", { name: "Data of Lag" }));
    const table = screen.getByRole("table");
    expect(
      within(table)
        .getAllByRole("row")
        .map((row) => row.textContent),
    ).toEqual(["Timep50 smax s", "14:00:10––", "14:00:050.3–", "14:00:000.1–"]);
    fireEvent.click(screen.getByRole("button", { name: "Chart of Lag" }));
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("draws nothing of a single report", () => {
    show(<Chart data={{ ...data, at: at.slice(0, 1) }} />);
    expect(screen.getByText("The chart starts with the second report.")).toBeTruthy();
  });
});

describe("what one may not do", () => {
  it.each([
    ["request_approval", "approval.request"],
    ["upgrade.switch", "upgrade.switch"],
    ["upgrade.request_approval", "approval.request"],
    ["break-glass", "approval.vote"],
    ["window.write", "window.write"],
    ["set-switch-mode", ""],
    ["plan", "upgrade.plan"],
  ])("%s needs the right %s", (action, right) => expect(rightOf(action)).toBe(right));

  const request = async (comment: string): Promise<void> => {
    fireEvent.click(screen.getByRole("button", { name: "Send a request…" }));
    fireEvent.change(screen.getByLabelText("Message"), { target: { value: comment } });
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Send" })).toBeNull());
  };
  const posted = (sent: Sent[]): [string, unknown][] => sent.map((one) => [one.path, one.body]);

  it("of an upgrade is asked for in its timeline", async () => {
    const sent = serve({ "POST /upgrades/u1/ask": {} });
    show(<PermissionRequest upgrade="u1" action="switch" what="Switch now" />);
    await request(" Please. ");
    expect(posted(sent)).toEqual([["/upgrades/u1/ask", { action: "switch", comment: "Please." }]]);
    expect(screen.getByRole("status").textContent).toContain("It is shown in the timeline, and on the overview");
  });

  it("elsewhere is asked for by its right and the page", async () => {
    const sent = serve({ "POST /asks": {} });
    show(<PermissionRequest action="window.write" what="New window" />);
    await request("");
    expect(posted(sent)).toEqual([
      [
        "/asks",
        { permission: "window.write", what: "New window", link: location.pathname + location.search, comment: "" },
      ],
    ]);
  });

  it("keeps the message where the request was refused", async () => {
    serve({ "POST /asks": { title: "Not now", status: 409, detail: "It was asked for already." } });
    show(<PermissionRequest action="window.write" what="New window" />);
    fireEvent.click(screen.getByRole("button", { name: "Send a request…" }));
    fireEvent.change(screen.getByLabelText("Message"), { target: { value: "Please." } });
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    expect((await screen.findByRole("alert")).textContent).toBe("It was asked for already.");
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("Please.");
  });
});

describe("a button that shows a passkey", () => {
  const get = vi.fn();
  beforeEach(() => {
    get.mockReset();
    vi.stubGlobal("PublicKeyCredential", { parseRequestOptionsFromJSON: (options: unknown) => options });
    Object.defineProperty(navigator, "credentials", { configurable: true, value: { get } });
  });
  afterEach(() => vi.unstubAllGlobals());
  const hosted = (passkey_host: string): Record<string, unknown> => ({
    "GET /session": { account: null, csrf_token: "", server_time: "", passkey_host },
    "POST /session/passkey/ask": { publicKey: { challenge: "x" } },
  });

  it("hands the answer on after what has to come before it", async () => {
    serve(hosted(window.location.hostname));
    const order: string[] = [];
    get.mockImplementation(() => {
      order.push("shown");
      return Promise.resolve({ toJSON: () => ({ id: "k1" }) });
    });
    const done = vi.fn();
    show(
      <PasskeyButton
        before={async () => void order.push("before")}
        hand={async (answer) => {
          order.push(`handed ${String(answer["id"])}`);
          return "in";
        }}
        onDone={done}
      >
        Use a passkey
      </PasskeyButton>,
    );
    fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));
    await waitFor(() => expect(done.mock.calls[0]?.[0]).toBe("in"));
    expect(order).toEqual(["before", "shown", "handed k1"]);
  });

  it("says why none was used, and hands nothing on", async () => {
    serve(hosted(window.location.hostname));
    get.mockResolvedValue(null);
    const hand = vi.fn();
    show(
      <PasskeyButton hand={hand} onDone={vi.fn()}>
        Use a passkey
      </PasskeyButton>,
    );
    fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));
    expect((await screen.findByRole("alert")).textContent).toContain("No passkey was used");
    expect(hand).not.toHaveBeenCalled();
  });

  it("is not there where passkeys do not work", async () => {
    const sent = serve(hosted("elsewhere.example.com"));
    show(
      <PasskeyButton hand={vi.fn()} onDone={vi.fn()}>
        Use a passkey
      </PasskeyButton>,
    );
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("a query in all its states", () => {
  function Name({ path = "/name" }: { path?: string }) {
    const name = useQuery({
      queryKey: ["name"],
      queryFn: async () => {
        const answer: unknown = await read(path as "/session");
        return answer as { name: string };
      },
      retry: false,
    });
    return (
      <>
        <button onClick={() => void name.refetch()}>read again</button>
        <Loaded of={name}>{(data) => <p>name: {data.name}</p>}</Loaded>
      </>
    );
  }
  afterEach(() => act(() => live.pause(false)));

  it("shows lines only when it takes long enough to be noticed", () => {
    vi.useFakeTimers();
    const page = show(<Loading lines={2} />);
    expect(screen.queryByText("Loading")).toBeNull();
    act(() => void vi.advanceTimersByTime(150));
    expect(screen.getByText("Loading")).toBeTruthy();
    expect(page.container.querySelectorAll(".mantine-Skeleton-root")).toHaveLength(2);
    vi.useRealTimers();
  });

  it("fails with a way to try again", async () => {
    const answers: Record<string, unknown> = { "GET /name": { title: "Busy", status: 503, detail: "Try later." } };
    serve(answers);
    show(<Name />);
    expect(await screen.findByText("Try later.")).toBeTruthy();
    answers["GET /name"] = { name: "ann" };
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("name: ann")).toBeTruthy();
  });

  it("keeps what was known where a later reading fails, and says how old it is", async () => {
    const answers: Record<string, unknown> = { "GET /name": { name: "ann" } };
    serve(answers);
    show(<Name />);
    await screen.findByText("name: ann");
    answers["GET /name"] = { title: "The database is away", status: 503 };
    fireEvent.click(screen.getByText("read again"));
    expect((await screen.findByRole("status")).textContent).toMatch(/Last known data, .*: the database is away\./);
    expect(screen.getByText("name: ann")).toBeTruthy();
  });

  it.each([403, 404, 410])("shows nothing that was known once the answer is %d", async (status) => {
    const answers: Record<string, unknown> = { "GET /name": { name: "ann" } };
    serve(answers);
    show(<Name />);
    await screen.findByText("name: ann");
    answers["GET /name"] = { title: "No more", status };
    fireEvent.click(screen.getByText("read again"));
    expect(await screen.findByRole("heading", { name: "No more" })).toBeTruthy();
    expect(screen.queryByText("name: ann")).toBeNull();
  });

  it("says that it stands still while changes are held for longer", async () => {
    serve({ "GET /name": { name: "ann" } });
    show(<Name />);
    await screen.findByText("name: ann");
    act(() => {
      live.pause(true);
      tick.set(Date.now() + 60_000);
    });
    expect(screen.getByRole("status").textContent).toMatch(/Live updates are paused: showing the last known data/);
  });
});

describe("a problem", () => {
  it("names what is wrong field by field, what to do, and who may", () => {
    show(
      <ProblemPanel
        error={
          new ApiError({
            title: "Not valid",
            status: 400,
            detail: "Two fields are wrong.",
            remedy: "Run `swy check` first.",
            errors: [{ path: "plan.target", message: "There is no v9." }] as never,
            who_can: ["operator", "admin"],
          })
        }
      />,
    );
    const panel = screen.getByRole("alert");
    expect(within(panel).getByRole("listitem").textContent).toBe("plan.target There is no v9.");
    expect(within(panel).getByText("swy check").tagName).toBe("CODE");
    expect(within(panel).getByText("Allowed for: operator, admin")).toBeTruthy();
    expect(within(panel).queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("of what is gone leads to what became of it", () => {
    show(<ProblemPanel error={new ApiError({ title: "Gone", status: 410, link: "/activity?target=u9" } as never)} />);
    expect(screen.getByRole("link", { name: "Show in activity" }).getAttribute("href")).toBe("/activity?target=u9");
  });

  it("of another kind does not", () => {
    show(<ProblemPanel error={new ApiError({ title: "Busy", status: 503 })} />);
    expect(screen.queryByRole("link", { name: "Show in activity" })).toBeNull();
  });

  it("shows commands in a sentence as code", () => {
    show(
      <p>
        <Sentence text="Run `swy up`, then `swy health`." />
      </p>,
    );
    expect([...document.querySelectorAll("code")].map((code) => code.textContent)).toEqual(["swy up", "swy health"]);
  });

  it("keeps each date of a sentence on one line, and its text as it is", () => {
    const text = "Rollback to v1 is possible until 2026-12-03 16:31 UTC; planned on 2026-11-26.";
    show(
      <p data-testid="sentence">
        <Sentence text={text} />
      </p>,
    );
    expect(screen.getByTestId("sentence").textContent).toBe(text);
    expect([...document.querySelectorAll(".nowrap")].map((date) => date.textContent)).toEqual([
      "2026-12-03 16:31 UTC",
      "2026-11-26",
    ]);
  });

  it("of an empty list gives the command that fills it", () => {
    show(
      <Empty title="No services." command="swy service apply FOLDER">
        Describe one.
      </Empty>,
    );
    expect(screen.getByText("swy service apply FOLDER").tagName).toBe("CODE");
    expect(screen.getByText("Describe one.")).toBeTruthy();
  });
});
