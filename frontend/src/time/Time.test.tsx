import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { offset, regionZone, startClock, tick, tickAlong, zone } from "./clock";
import { Age, Time } from "./Time";

const NOW = Date.parse("2026-03-01T14:06:11Z");

function show(part: ReactNode): HTMLElement {
  return render(<MantineProvider env="test">{part}</MantineProvider>).container;
}

beforeEach(() => tick.set(NOW));
afterEach(() => {
  zone.set("utc");
  regionZone.set("");
  offset.set(0);
});

describe("a time", () => {
  it("is shown with its zone and its age", () => {
    show(<Time at="2026-03-01T14:02:11Z" />);
    const time = screen.getByText(/14:02:11/);
    expect(time.textContent).toBe("14:02:11 UTC (4 min ago)");
    expect(time.getAttribute("datetime")).toBe("2026-03-01T14:02:11.000Z");
  });

  it("of another day has its date before it", () => {
    show(<Time at="2026-02-28T23:59:59Z" age={false} />);
    expect(screen.getByText(/23:59:59/).textContent).toBe("2026-02-28 23:59:59 UTC");
  });

  it("moves on with the clock that all ages share", () => {
    show(<Age at="2026-03-01T14:06:01Z" />);
    expect(screen.getByText("10 s ago")).toBeTruthy();
    act(() => tick.set(NOW + 1000));
    expect(screen.getByText("11 s ago")).toBeTruthy();
  });

  it("goes by the clock of the server, not by that of this browser", () => {
    offset.set(60_000);
    show(<Age at="2026-03-01T14:06:01Z" />);
    expect(screen.getByText("1 min ago")).toBeTruthy();
  });

  it("is in the zone of the region where that is chosen and the page is about one", () => {
    zone.set("region");
    regionZone.set("Asia/Kolkata");
    show(<Time at="2026-03-01T14:02:11Z" age={false} />);
    expect(screen.getByText(/19:32:11/).textContent).toBe("19:32:11 ");
  });

  it.each([null, undefined, "", "tomorrow"])("that is not known (%s) is a dash", (at) => {
    const page = show(
      <>
        <Time at={at} />
        <Age at={at} />
      </>,
    );
    expect([...page.querySelectorAll("span")].map((span) => span.textContent)).toEqual(["–", "–"]);
    expect(page.querySelector("time")).toBeNull();
  });
});

describe("the clock", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("ticks once a second until it is stopped", () => {
    vi.setSystemTime(NOW);
    const stop = startClock();
    expect(tick.get()).toBe(NOW);
    vi.advanceTimersByTime(3000);
    expect(tick.get()).toBe(NOW + 3000);
    stop();
    vi.advanceTimersByTime(3000);
    expect(tick.get()).toBe(NOW + 3000);
  });

  it("ticks along with what is drawn where a tick is due soon, and not again right after it", () => {
    vi.setSystemTime(NOW);
    const stop = startClock();
    vi.advanceTimersByTime(600);
    tickAlong();
    expect(tick.get()).toBe(NOW);
    vi.advanceTimersByTime(200);
    tickAlong();
    expect(tick.get()).toBe(NOW + 800);
    vi.advanceTimersByTime(999);
    expect(tick.get()).toBe(NOW + 800);
    vi.advanceTimersByTime(1);
    expect(tick.get()).toBe(NOW + 1800);
    stop();
  });
});
