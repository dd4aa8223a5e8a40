import { fireEvent, screen, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { shard, upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import { tick } from "../../time/clock";
import type { Upgrade } from "../../wire/model";
import { Progress, ReadinessRows, ShardPanel } from "./shards/Shards";
import { Figures } from "./sheet/Figures";

const NOW = Date.parse("2026-03-01T14:10:00Z");
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const session = (...permissions: string[]): Record<string, unknown> => ({
  account: { name: "olga", email: "", roles: [], permissions, reach: [], zone: "", bounds: {} },
  csrf_token: "",
  server_time: "",
});

beforeEach(() => tick.set(NOW));

describe("the grid of shards", () => {
  const [view, choose] = [vi.fn(), vi.fn()];
  const shards = [0, 1, 2, 3, 4].map((number) => shard(number, { state: number === 3 ? "failed" : "ready" }));
  function Grid({ items }: { items: Upgrade["shards"]["items"] }) {
    const chosen = useLocation().hash.slice(1);
    return (
      <ShardPanel
        upgrade={upgrade({ state: "COMPLETED", shards: { total: items.length, ready: 4, items } })}
        view={{ order: "number", state: "" }}
        chosen={chosen ? Number(chosen) : null}
        onView={view}
        onChoose={choose}
      />
    );
  }
  beforeEach(() => {
    view.mockReset();
    choose.mockReset();
    serve({ "GET /session": session() });
  });
  const focused = (): string | null | undefined => document.activeElement?.getAttribute("data-shard");

  it("is walked by arrows, Home and End, and one cell of it is in the order of tabs", () => {
    show(<Grid items={shards} />);
    const grid = screen.getByRole("grid", { name: "Shards" });
    const cells = within(grid).getAllByRole("gridcell");
    expect(cells.filter((cell) => cell.tabIndex === 0)).toHaveLength(1);
    cells[0]?.focus();
    const walk = ["ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "a"].map((key) => {
      fireEvent.keyDown(document.activeElement ?? grid, { key });
      return focused();
    });
    expect(walk).toEqual(["1", "2", "4", "4", "3", "0", "0"]);
  });

  it("shows one state alone when its count is pressed", () => {
    show(<Grid items={shards} />);
    fireEvent.click(screen.getByRole("button", { name: "1 failed" }));
    expect(view).toHaveBeenCalledWith({ order: "number", state: "failed" });
    expect(screen.getByRole("button", { name: "4 caught up" }).getAttribute("aria-pressed")).toBe("false");
  });

  it("opens a shard, and closes the one that is open", () => {
    show(<Grid items={shards} />, "/#3");
    fireEvent.click(screen.getByRole("gridcell", { name: /Shard 02/ }));
    fireEvent.click(screen.getByRole("gridcell", { name: /Shard 03/ }));
    expect(choose.mock.calls).toEqual([[2], [null]]);
  });

  it("says that nothing has been reported yet", () => {
    show(<Grid items={[]} />);
    expect(screen.getByText("No shard has reported yet.")).toBeTruthy();
  });
});

describe("progress", () => {
  const values = (): Record<string, string> =>
    Object.fromEntries(
      screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ""]),
    );

  it("names what is known, with a range of what is left", () => {
    const eta = { low_seconds: 120, high_seconds: 240 };
    const progress = { ...upgrade().progress, eta, total_is_minimum: true, oldest_report_at: ago(3) };
    show(<Progress of={upgrade({ state: "SYNCING", copy_limit: 5000, progress })} />);
    expect(values()).toEqual({
      Copied: "15 of at least 20",
      Rate: "3/s",
      Lag: "0.2 s",
      Reported: "3 s ago",
      "Rate limit": "5,000/s",
      "Time left": "2–4 min",
    });
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("75");
  });

  it("says what is not known as that", () => {
    const progress = { ...upgrade().progress, percent: null, lag_seconds: null };
    show(<Progress of={upgrade({ state: "SYNCING", progress: { ...progress, eta_reason: "" } })} />);
    expect(values()).toEqual({ Copied: "15 of 20", Rate: "3/s", Lag: "–", "Time left": "no estimate" });
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("counts what is ready for the switch and what has switched", () => {
    const items = [shard(0, { state: "ready" }), shard(1, { state: "switched" }), shard(2)];
    show(<ReadinessRows of={upgrade({ state: "SWITCHING", shards: { total: 3, ready: 2, items } })} />);
    expect(values()).toEqual({ "Initial sync INITIAL_SYNCING": "2 of 3", "Switch SWITCHING": "1 of 3" });
  });
});

describe("the figures of the present step", () => {
  const figures = (part: Partial<Upgrade>): (string | null)[] => {
    const view = show(<Figures upgrade={upgrade(part)} />);
    const found = screen.queryAllByRole("definition").map((figure) => figure.textContent);
    view.unmount();
    return found;
  };

  it("are those that matter there, and what is not known is left out", () => {
    expect(figures({ state: "SYNCING" })).toEqual(["1 of 2", "75 %", "unknown", "3 /s", "0.2 s"]);
    const progress = { ...upgrade().progress, percent: null, rate_per_second: 0 };
    expect(figures({ state: "SYNCING", progress })).toEqual(["1 of 2", "unknown", "0.2 s"]);
    expect(figures({ state: "READY" })).toEqual(["210 ms", "0.2 s"]);
    expect(figures({ state: "REVERSIBLE", freeze_ms: 71.6, reversible_until: ago(-7200) })).toEqual([
      "in 2 h",
      "0.2 s",
    ]);
    expect(figures({ state: "COMPLETED" })).toEqual([]);
  });
});
