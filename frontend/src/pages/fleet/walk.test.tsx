import { fireEvent, screen } from "@testing-library/react";
import { useLocation } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { letterKeys } from "../../parts/keyboard/keys";
import { show } from "../../test/show";
import type { Cell, FleetService } from "../../wire/model";
import { groupNames, labelKeys } from "./groups";
import { nextPlace, nextSelection, type Field } from "./gridNavigation";
import { useSelection } from "./selection";

// Two rows, four columns; nothing is deployed at 0,1 and 1,2.
const NAMES: (string | undefined)[][] = [
  ["a", undefined, "b", "c"],
  ["d", "e", undefined, "f"],
];
const nameAt = (row: number, column: number): string | undefined => NAMES[row]?.[column];
const field = { rows: 2, columns: 4, nameAt };

describe("the next place of the grid", () => {
  it.each<[string, [number, number], [number, number] | null]>([
    ["ArrowRight", [0, 0], [0, 2]],
    ["ArrowLeft", [0, 2], [0, 0]],
    ["ArrowLeft", [0, 0], null],
    ["ArrowRight", [0, 3], null],
    ["ArrowDown", [0, 0], [1, 0]],
    ["ArrowDown", [0, 2], null],
    ["ArrowUp", [1, 1], null],
    ["ArrowUp", [1, 3], [0, 3]],
    ["Home", [0, 3], [0, 0]],
    ["End", [1, 0], [1, 3]],
    ["PageDown", [0, 0], null],
  ])("after %s from %j is %j", (key, from, to) => expect(nextPlace(key, from, field)).toEqual(to));
});

describe("keys on the grid", () => {
  const [select, go] = [vi.fn(), vi.fn()];
  let selected = new Set<string>();

  function Grid() {
    const whole: Field = { ...field, selected, onSelect: select, go };
    return (
      <div role="grid" tabIndex={-1} onKeyDown={(event) => nextSelection(event, whole)}>
        <button data-at="0,0" data-name="a">
          a
        </button>
        <button data-at="0,1">none</button>
      </div>
    );
  }
  const press = (name: string, key: string, more: KeyboardEventInit = {}): boolean => {
    const cell = screen.getByRole("button", { name });
    cell.focus();
    return fireEvent.keyDown(cell, { key, ...more });
  };

  beforeEach(() => {
    select.mockReset();
    go.mockReset();
    selected = new Set();
  });

  it("select the place that is in focus, by Space and by x", () => {
    show(<Grid />);
    expect(press("a", " ")).toBe(false);
    press("a", "x");
    press("none", " ");
    expect(select.mock.calls).toEqual([["a"], ["a"]]);
  });

  it("leave x to the reader's computer where letters are turned off", () => {
    letterKeys.set(false);
    show(<Grid />);
    expect(press("a", "x")).toBe(true);
    expect(select).not.toHaveBeenCalled();
  });

  it("walk by arrows, and select a range with Shift", () => {
    show(<Grid />);
    press("a", "ArrowRight");
    expect([go.mock.calls, select.mock.calls]).toEqual([[[0, 2]], []]);
    press("a", "ArrowRight", { shiftKey: true });
    expect(select.mock.calls).toEqual([["a"], ["b"]]);
  });

  it("do not take a place out of the range that is in it already", () => {
    selected = new Set(["a"]);
    show(<Grid />);
    press("a", "ArrowRight", { shiftKey: true });
    expect(select.mock.calls).toEqual([["b"]]);
  });

  it("stop at the edge, and let other keys through", () => {
    show(<Grid />);
    expect(press("a", "ArrowLeft")).toBe(false);
    expect(go).not.toHaveBeenCalled();
    expect(press("a", "q")).toBe(true);
  });
});

describe("the selection", () => {
  const name = (at: number): string => `services/s${at}/deployments/eu`;
  let selection: ReturnType<typeof useSelection>;
  function Selected() {
    selection = useSelection();
    const { search } = useLocation();
    return (
      <>
        <output>{[...selection.selected].sort().join(" ")}</output>
        <p data-testid="address">{search}</p>
        <button onClick={() => selection.choose([name(1), name(2)], true)}>add</button>
        <button onClick={() => selection.choose([name(1)], false)}>remove</button>
        <button
          onClick={() =>
            selection.choose(
              Array.from({ length: 201 }, (_, at) => name(at)),
              true,
            )
          }
        >
          many
        </button>
        <button onClick={selection.clear}>clear</button>
      </>
    );
  }
  const click = (label: string): void => void fireEvent.click(screen.getByRole("button", { name: label }));
  const address = (): string => decodeURIComponent(screen.getByTestId("address").textContent ?? "");

  it("stands in the address, so that it can be shared", () => {
    show(<Selected />, "/fleet?selected=s9%40us");
    expect(screen.getByRole("status").textContent).toBe("services/s9/deployments/us");
    click("add");
    expect(address()).toBe("?selected=s9@us,s1@eu,s2@eu");
    click("remove");
    expect(address()).toBe("?selected=s9@us,s2@eu");
    click("clear");
    expect([address(), selection.selected.size]).toEqual(["", 0]);
  });

  it("is kept by the page alone where it is too large for an address", () => {
    show(<Selected />);
    click("many");
    expect([address(), selection.selected.size]).toEqual(["", 201]);
    click("remove");
    expect(selection.selected.size).toBe(200);
    expect(address()).toContain("s0@eu");
  });
});

describe("groups of services", () => {
  const service = (name: string, rank: number): FleetService => ({ name, rank }) as FleetService;
  const cell = (of: string, labels: Record<string, string>): Cell => ({ service: of, labels }) as unknown as Cell;
  const services = [service("a", 0), service("b", 2), service("c", 1)];
  const cells = [
    cell("a", { team: "x" }),
    cell("a", { team: "x", zone: "1" }),
    cell("b", { team: "x" }),
    cell("b", { team: "y" }),
  ];

  it("are tiers, or the labels that their deployments agree on", () => {
    expect([...groupNames(services, cells, "tier").values()]).toEqual(["tier 0", "tier 2", "tier 1"]);
    expect([...groupNames(services, cells, "team")]).toEqual([
      ["a", "x"],
      ["b", "several"],
      ["c", "no label"],
    ]);
    expect(groupNames(services, cells, "zone").get("a")).toBe("1");
  });

  it("can be made by every key that a deployment carries", () => {
    expect(labelKeys(cells)).toEqual(["team", "zone"]);
    expect(labelKeys([])).toEqual([]);
  });
});
