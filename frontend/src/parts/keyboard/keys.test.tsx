import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { letterKeys, useKeys } from "./keys";
import { show } from "../../test/show";
import { DataTable } from "../tables/DataTable";
import { beside, useNeighbours } from "../tables/rows";

const press = (key: string, more: KeyboardEventInit = {}): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

function Keys({ actions }: { actions: Record<string, () => void> }) {
  useKeys(actions);
  return <input aria-label="Name" />;
}

describe("the keys of a page", () => {
  const run = vi.fn();
  beforeEach(() => run.mockReset());

  it("act once, and keep the browser from acting as well", () => {
    render(<Keys actions={{ a: run }} />);
    expect(press("a")).toBe(false);
    expect(press("b")).toBe(true);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("are the newest that the page was shown with", () => {
    const later = vi.fn();
    const { rerender } = render(<Keys actions={{ a: run }} />);
    rerender(<Keys actions={{ a: later }} />);
    press("a");
    expect([run.mock.calls.length, later.mock.calls.length]).toEqual([0, 1]);
  });

  it("act of the innermost part that knows them", () => {
    const outer = vi.fn();
    const page = render(
      <>
        <Keys actions={{ a: outer, b: outer }} />
        <Keys actions={{ a: run }} />
      </>,
    );
    press("a");
    press("b");
    expect([run.mock.calls.length, outer.mock.calls.length]).toEqual([1, 1]);
    page.unmount();
    press("a");
    expect([run.mock.calls.length, outer.mock.calls.length]).toEqual([1, 1]);
  });

  it("are read as a sequence after g", () => {
    render(<Keys actions={{ "g f": run }} />);
    press("f");
    press("g");
    press("f");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["while a field is typed into", () => screen.getByLabelText("Name").focus()],
    ["where letter keys are turned off", () => letterKeys.set(false)],
    [
      "behind a dialog",
      () => {
        const dialog = document.createElement("div");
        dialog.setAttribute("role", "dialog");
        dialog.setAttribute("aria-modal", "true");
        document.body.append(dialog);
      },
    ],
  ])("rest %s", (_, prepare) => {
    render(<Keys actions={{ a: run }} />);
    prepare();
    press("a");
    document.querySelector('[role="dialog"]')?.remove();
    expect(run).not.toHaveBeenCalled();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])("rest with %o, which is the browser's", (more) => {
    render(<Keys actions={{ a: run }} />);
    press("a", more);
    expect(run).not.toHaveBeenCalled();
  });
});

function List() {
  return (
    <DataTable
      label="Upgrades"
      hasRowLinks
      rows={["u1", "u2", "u3"]}
      rowKey={(id) => id}
      columns={[
        { header: "Selected", cell: (id) => <input type="checkbox" aria-label={`Select ${id}`} /> },
        {
          header: "Upgrade",
          cell: (id) => (
            <a data-row href={`/upgrades/${id}`} onClick={(event) => event.preventDefault()}>
              {id}
            </a>
          ),
        },
      ]}
    />
  );
}

describe("the rows of a list", () => {
  const focused = (): string | null | undefined => document.activeElement?.textContent;

  it("are walked by j and k, and the walk ends at both ends", () => {
    show(<List />);
    const walk = ["j", "j", "j", "j", "k", "k", "k", "k"].map((key) => {
      press(key);
      return focused();
    });
    expect(walk).toEqual(["u1", "u2", "u3", "u3", "u2", "u1", "u1", "u1"]);
  });

  it("are selected by x, the one in focus alone", () => {
    show(<List />);
    press("x");
    press("j");
    press("j");
    press("x");
    const selected = screen.getAllByRole<HTMLInputElement>("checkbox").map((box) => box.checked);
    expect(selected).toEqual([false, true, false]);
    press("x");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Select u2" }).checked).toBe(false);
  });
});

describe("the neighbours of what was opened from a list", () => {
  function Item() {
    useNeighbours();
    return <p>{useLocation().pathname}</p>;
  }

  it("are before and after it, in the order of the list", () => {
    expect([beside(["a", "b"], "a", 1), beside(["a", "b"], "b", 1), beside(["a", "b"], "a", -1)]).toEqual([
      "b",
      null,
      null,
    ]);
    expect(beside(["a", "b"], "c", 1)).toBeNull();
  });

  it("are opened by [ and ]", () => {
    const list = show(<List />);
    fireEvent.click(screen.getByText("u2"));
    list.unmount();
    render(
      <MemoryRouter initialEntries={["/upgrades/u2"]}>
        <Routes>
          <Route path="/upgrades/:id" element={<Item />} />
        </Routes>
      </MemoryRouter>,
    );
    press("]");
    expect(screen.getByText("/upgrades/u3")).toBeTruthy();
    press("]");
    expect(screen.getByText("/upgrades/u3")).toBeTruthy();
    press("[");
    press("[");
    expect(screen.getByText("/upgrades/u1")).toBeTruthy();
  });
});
