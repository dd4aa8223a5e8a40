import { useMantineColorScheme } from "@mantine/core";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "../../test/show";
import { Chart } from "./Chart";

const made = vi.hoisted(() => ({ charts: 0, destroyed: 0 }));
// The library draws on a canvas, which the tests' browser does not have.
vi.mock("uplot", () => ({
  default: class {
    constructor() {
      made.charts += 1;
    }
    setSize(): void {
      /* The size of nothing. */
    }
    setData(): void {
      /* Nothing is drawn. */
    }
    redraw(): void {
      /* Nothing is drawn. */
    }
    destroy(): void {
      made.destroyed += 1;
    }
  },
}));

function Both() {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <button onClick={() => setColorScheme("dark")}>{"Dark"}</button>
      <Chart
        data={{
          title: "Lag",
          unit: "s",
          at: ["2026-03-01T14:00:00Z", "2026-03-01T14:01:00Z"],
          lines: [{ name: "p95", colour: "--run", values: [1, 2] }],
        }}
      />
    </>
  );
}

it("is drawn with the colours of the new scheme when it changes while the chart is open", async () => {
  show(<Both />);
  await waitFor(() => expect(made.charts).toBe(1));
  fireEvent.click(screen.getByRole("button", { name: "Dark" }));
  await waitFor(() => expect(made).toEqual({ charts: 2, destroyed: 1 }));
});
