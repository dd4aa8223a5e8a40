import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { read } from "../api/client";
import { ApiError } from "../api/problem";
import { check, shard } from "../test/samples";
import { serve, show } from "../test/show";
import { tick } from "../time/clock";
import type { Page as PageOf } from "../wire/model";
import { Checks } from "./checks/Checks";
import { FoldedChecks } from "./checks/FoldedChecks";
import { Conflict, conflictOf, otherwise } from "./forms/Conflict";
import { download } from "./tables/download";
import { FilterInput, PAUSE_MS } from "./tables/FilterInput";
import { isMoment } from "./moments";
import { inspectorWidths, WithInspector } from "./Inspector";
import { MiniSpine } from "./charts/MiniSpine";
import { items, More, usePages } from "./tables/More";
import { Breadcrumb, Page } from "./Page";
import { Refusal } from "./forms/Refusal";
import { RetryDelay, useRetryDelay } from "./forms/RetryDelay";
import { ShardStrip } from "./charts/ShardStrip";
import { Version, Versions } from "./Status";
import { useFlash } from "./tables/useFlash";

const refused = (part: Partial<ApiError["problem"]> = {}): ApiError =>
  new ApiError({ title: "Not now", status: 409, ...part });

describe("a filter", () => {
  const commit = vi.fn();
  beforeEach(() => commit.mockReset());

  it("asks once a word is finished, not at each letter", () => {
    show(<FilterInput label="Actor" value="" onCommit={commit} />);
    const field = screen.getByRole("searchbox", { name: "Actor" });
    fireEvent.change(field, { target: { value: " ann " } });
    expect(commit).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: "Enter" });
    fireEvent.keyDown(field, { key: "x" });
    expect(commit.mock.calls).toEqual([["ann"]]);
    fireEvent.change(field, { target: { value: "bob" } });
    fireEvent.blur(field);
    expect(commit.mock.calls).toEqual([["ann"], ["bob"]]);
  });

  it("asks a moment after typing, and keeps what is typed meanwhile", async () => {
    function Address() {
      const [value, setValue] = useState("");
      return (
        <FilterInput
          label="Actor"
          value={value}
          onCommit={(text) => {
            commit(text);
            setValue(text);
          }}
        />
      );
    }
    show(<Address />);
    const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Actor" });
    fireEvent.change(field, { target: { value: "an" } });
    fireEvent.change(field, { target: { value: "ann " } });
    await waitFor(() => expect(commit.mock.calls).toEqual([["ann"]]), { timeout: 5000 });
    expect(field.value).toBe("ann ");
  });

  it("does not ask for half a date while it is typed", async () => {
    show(<FilterInput label="From" value="" isWhole={isMoment} onCommit={commit} />);
    const field = screen.getByRole("searchbox", { name: "From" });
    fireEvent.change(field, { target: { value: "2026-03" } });
    await new Promise((done) => setTimeout(done, 2 * PAUSE_MS));
    expect(commit).not.toHaveBeenCalled();
    fireEvent.change(field, { target: { value: "2026-03-01" } });
    await waitFor(() => expect(commit.mock.calls).toEqual([["2026-03-01"]]), { timeout: 5000 });
  });

  it("shows what the address says once that changes", () => {
    function Address() {
      const [value, setValue] = useState("ann");
      return (
        <>
          <FilterInput label="Actor" value={value} onCommit={commit} />
          <button onClick={() => setValue("")}>Clear</button>
        </>
      );
    }
    show(<Address />);
    const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Actor" });
    expect(field.value).toBe("ann");
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(field.value).toBe("");
  });
});

describe("checks", () => {
  const all = [
    { ...check("a", "pass", "A holds."), remedy: "" },
    { ...check("b", "warn", "B is odd."), remedy: "Look at it." },
    { ...check("c", "fail", "C fails."), at: "2026-03-01T14:00:00Z" },
    check("d", "pending", "D waits."),
    check("e", "unknown", "E is not known."),
  ];
  const sentences = (): (string | undefined)[] =>
    screen
      .getAllByRole("listitem")
      .map((item) => /(\w) (holds|is odd|fails|waits|is not)/.exec(item.textContent ?? "")?.[1]);

  it("stand in the order of what does not hold, unless they were sorted already", () => {
    show(<Checks checks={all} />);
    expect(sentences()).toEqual(["C", "E", "D", "B", "A"]);
  });

  it("keep the order that they were given in where that is asked for", () => {
    show(<Checks checks={all} sorted={false} />);
    expect(sentences()).toEqual(["A", "B", "C", "D", "E"]);
  });

  it("say their verdict in a word, the remedy and the age", () => {
    tick.set(Date.parse("2026-03-01T14:02:00Z"));
    show(<Checks checks={all} />);
    const [first] = screen.getAllByRole("listitem");
    expect(first?.textContent).toBe("failed: C fails.Wait.2 min ago");
  });

  it("that passed are one line with the age of the oldest", () => {
    tick.set(Date.parse("2026-03-01T14:02:00Z"));
    const passed = ["2026-03-01T14:01:00Z", "2026-03-01T13:02:00Z", null].map((at, index) => ({
      ...check(`p${index}`, "pass", `P${index}.`),
      at,
    }));
    show(<FoldedChecks checks={[...passed, check("x", "fail", "X fails.")]} />);
    expect(screen.getByText(/3 checks passed/).textContent).toBe("3 checks passed · 1 h ago");
    const open = screen.getAllByRole("list")[0];
    expect(open && within(open).getAllByRole("listitem")).toHaveLength(1);
  });
});

describe("a conflict", () => {
  const problem = {
    title: "Changed",
    status: 412,
    changed: { who: "ann", at: "2026-03-01T14:01:00Z", what: "ann set 3 votes." },
  };

  it("is a refusal of who decided on what was no longer so", () => {
    expect(conflictOf(refused({ status: 412 }))?.title).toBe("Not now");
    expect([conflictOf(refused()), conflictOf(new Error("x")), conflictOf(null)]).toEqual([null, null, null]);
  });

  it("names only what differs", () => {
    interface Plan {
      votes: number;
      group: string;
    }
    const facts = { Votes: (plan: Plan) => String(plan.votes), Group: (plan: Plan) => plan.group };
    expect(otherwise(facts, { votes: 3, group: "approver" }, { votes: 2, group: "approver" })).toEqual([
      { field: "Votes", theirs: "3", yours: "2" },
    ]);
  });

  it("says who changed what, and leaves the choice", () => {
    tick.set(Date.parse("2026-03-01T14:02:00Z"));
    const [theirs, mine] = [vi.fn(), vi.fn()];
    show(
      <Conflict
        of={problem as never}
        differences={[{ field: "Votes", theirs: "3", yours: "2" }]}
        onTheirs={theirs}
        onMine={mine}
      />,
    );
    const notice = screen.getByRole("alert");
    expect(notice.textContent).toContain("Changed by ann 1 min ago. Your change was not recorded.");
    expect(notice.textContent).toContain("ann set 3 votes.");
    expect(within(notice).getByRole("row", { name: "Votes 3 2" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Use theirs" }));
    fireEvent.click(screen.getByRole("button", { name: "Review mine" }));
    expect([theirs.mock.calls.length, mine.mock.calls.length]).toEqual([1, 1]);
  });

  it("says that it was another request where the ledger does not name one", () => {
    show(<Conflict of={{ title: "Changed", status: 412 }} differences={[]} onTheirs={vi.fn()} onMine={vi.fn()} />);
    expect(screen.getByRole("alert").textContent).toContain("Changed by another request.");
    expect(screen.queryByRole("table")).toBeNull();
  });
});

describe("a refusal", () => {
  it("is its detail and its remedy, or its title where there is no more", () => {
    const { unmount } = show(<Refusal error={refused({ detail: "Another switch runs.", remedy: "Wait for it." })} />);
    expect(screen.getByRole("alert").textContent).toBe("Another switch runs. Wait for it.");
    unmount();
    show(<Refusal error={refused()} />);
    expect(screen.getByRole("alert").textContent?.trim()).toBe("Not now");
  });
});

describe("a refusal that says when to try again", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function Delay({ error }: { error: unknown }) {
    return <RetryDelay seconds={useRetryDelay(error)} />;
  }

  it("counts down to nothing", () => {
    show(<Delay error={refused({ status: 429, retry_after: 61.2 } as never)} />);
    expect(screen.getByRole("timer").textContent).toBe("1:02");
    act(() => void vi.advanceTimersByTime(3000));
    expect(screen.getByRole("timer").textContent).toBe("0:59");
    act(() => void vi.advanceTimersByTime(60_000));
    expect(screen.queryByRole("timer")).toBeNull();
  });

  it.each([
    ["another refusal", refused({ status: 409, retry_after: 5 } as never)],
    ["one without a time", refused({ status: 429 })],
    ["no refusal", null],
  ])("is not %s", (_, error) => {
    show(<Delay error={error} />);
    expect(screen.queryByRole("timer")).toBeNull();
  });
});

describe("a list that comes page by page", () => {
  function List() {
    const rows = usePages(["rows"], async ({ cursor }) => {
      const query = { q: "a", ...(cursor === null ? {} : { cursor }) };
      const answer: unknown = await read("/rows" as "/upgrades", { query: query as object });
      return answer as PageOf<{ id: string }>;
    });
    return (
      <>
        {rows.data ? items(rows.data).map((row) => <p key={row.id}>{row.id}</p>) : null}
        <More of={rows} />
      </>
    );
  }

  it("goes on after the last row of the page before, until there are no more", async () => {
    const sent = serve({
      "GET /rows?q=a": { items: [{ id: "r1" }, { id: "r2" }], has_more: true, next_cursor: "c2" },
      "GET /rows?q=a&cursor=c2": { items: [{ id: "r3" }], has_more: false, next_cursor: null },
    });
    show(<List />);
    expect(await screen.findByText("r2")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("r3")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    expect(screen.getAllByText(/^r\d$/).map((row) => row.textContent)).toEqual(["r1", "r2", "r3"]);
    expect(sent.map((one) => one.path)).toEqual(["/rows?q=a", "/rows?q=a&cursor=c2"]);
  });
});

describe("the width of what stands on the right", () => {
  const separator = (): HTMLElement => screen.getByRole("separator", { name: "Width of shard 3" });
  const width = (): string | null => separator().getAttribute("aria-valuenow");

  it("is moved by keys within its bounds, and remembered page by page", () => {
    show(
      <WithInspector page="upgrade" label="shard 3" side={<p>3</p>}>
        <p>shards</p>
      </WithInspector>,
    );
    expect(width()).toBe("340");
    const widths = ["ArrowLeft", "Home", "ArrowLeft", "End", "ArrowRight", "Enter", "Tab"].map((key) => {
      fireEvent.keyDown(separator(), { key });
      return width();
    });
    expect(widths).toEqual(["364", "640", "640", "260", "260", "340", "340"]);
    fireEvent.keyDown(separator(), { key: "ArrowRight" });
    expect(inspectorWidths.get()).toEqual({ upgrade: 316 });
    fireEvent.doubleClick(separator());
    expect(inspectorWidths.get()).toEqual({ upgrade: 340 });
  });

  it("is not shown while nothing is chosen", () => {
    show(
      <WithInspector page="upgrade" label="shard 3" side={null}>
        <p>shards</p>
      </WithInspector>,
    );
    expect(screen.queryByRole("separator")).toBeNull();
    expect(screen.queryByRole("complementary")).toBeNull();
    expect(screen.getByText("shards")).toBeTruthy();
  });
});

describe("a page", () => {
  it("names itself in the tab and in the bar, below the pages above it", () => {
    show(
      <>
        <Breadcrumb />
        <Page title="u42" under={[{ title: "Upgrades", to: "/upgrades" }]}>
          <p>content</p>
        </Page>
      </>,
      "/upgrades/u42",
    );
    expect(document.title).toBe("u42 · Switchyard");
    const bar = screen.getByRole("navigation", { name: "Breadcrumb" });
    expect(within(bar).getByRole("link", { name: "Upgrades" }).getAttribute("href")).toBe("/upgrades");
    expect(within(bar).getByText("u42").getAttribute("aria-current")).toBe("page");
  });

  it("takes the focus to its heading after a navigation inside the console", () => {
    const before = document.createElement("button");
    document.body.append(before);
    before.focus();
    show(<Page title="Fleet">content</Page>);
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1, name: "Fleet" }));
    before.remove();
  });
});

describe("small pictures", () => {
  it("say the step of an upgrade in words", () => {
    show(<MiniSpine state="SYNCING" tone="run" />);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Step 3 of 8: Backfill");
  });

  it("say that all steps are done", () => {
    show(<MiniSpine state="COMPLETED" tone="ok" />);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe("All steps are done");
  });

  it("draw a block for each shard, and nothing without shards", () => {
    const page = show(<ShardStrip shards={[shard(0, { state: "failed" }), shard(1, { state: "ready" })]} />);
    expect([...page.container.querySelectorAll(".strip span")].map((block) => block.className)).toEqual([
      "fill-bad",
      "fill-ok",
    ]);
    page.unmount();
    expect(show(<ShardStrip shards={[]} />).container.querySelector(".strip")).toBeNull();
  });
});

describe("versions", () => {
  it("are an old and a new one, with the way between them in words", () => {
    const page = show(<Versions from="v1alpha2" to="v1" />);
    expect(screen.getByText("v1alpha2").className).toBe("version old");
    expect(screen.getByText("v1").className).toBe("version new");
    expect(page.container.querySelector(".versions")?.textContent).toBe("v1alpha2→tov1");
  });

  it("are one where nothing changes, and it is the new one where it is the newest", () => {
    show(<Versions from="v1" to={null} newest="v1" />);
    expect(screen.getByText("v1").className).toBe("version new");
  });

  it("keep their colours where the way is back from the newest", () => {
    show(<Versions from="v1" to="v1alpha2" newest="v1" />);
    expect(screen.getByText("v1").className).toBe("version new");
    expect(screen.getByText("v1alpha2").className).toBe("version old");
  });

  it("are none where there is none", () => {
    show(<Version of={null} />);
    expect(screen.getByText("none")).toBeTruthy();
  });
});

it("flashes what changed under the eyes of the reader, and not what is shown first", () => {
  function Value({ of }: { of: number }) {
    return <p ref={useFlash<HTMLParagraphElement>(of)}>{of}</p>;
  }
  const { rerender } = render(<Value of={1} />);
  expect(screen.getByText("1").className).toBe("");
  rerender(<Value of={1} />);
  expect(screen.getByText("1").className).toBe("");
  rerender(<Value of={2} />);
  expect(screen.getByText("2").className).toBe("flash");
});

it("hands a file to the browser under its name, and lets go of it afterwards", async () => {
  vi.useFakeTimers();
  const [clicked, blobs]: [[string, string][], Blob[]] = [[], []];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push([this.download, this.href]);
  });
  const revoke = vi.fn();
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      blobs.push(blob);
      return "blob:1";
    },
    revokeObjectURL: revoke,
  });
  download("report.json", '{"a":1}');
  expect(clicked).toEqual([["report.json", "blob:1"]]);
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(revoke).toHaveBeenCalledWith("blob:1");
  await waitFor(async () => expect([blobs[0]?.type, blobs[0]?.size]).toEqual(["application/json", 7]));
});
