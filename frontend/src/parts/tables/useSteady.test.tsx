import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { show } from "../../test/show";
import { inPlaces, useSteady } from "./useSteady";

it("keeps rows in their places, with what is new after them and nothing where one is gone", () => {
  expect(inPlaces(["new", "c", "a"], ["a", "b", "c"], (row) => row)).toEqual(["a", "c", "new"]);
});

function List() {
  const [order, turn] = useState(["a", "b", "c"]);
  const [by, sort] = useState("lag");
  const { rows, over } = useSteady(order, (row) => row, by);
  return (
    <>
      <button onClick={() => turn(["c", "d", "b", "a"])}>Time passes</button>
      <button onClick={() => sort("name")}>Sort by name</button>
      <ul aria-label="Rows" {...over}>
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </>
  );
}

const shown = (): string =>
  screen
    .getAllByRole("listitem")
    .map((row) => row.textContent)
    .join("");

it("moves no row under the pointer, and brings them into order when it leaves", () => {
  show(<List />);
  fireEvent.pointerEnter(screen.getByRole("list", { name: "Rows" }));
  fireEvent.click(screen.getByText("Time passes"));
  expect(shown()).toBe("abcd");
  fireEvent.pointerLeave(screen.getByRole("list", { name: "Rows" }));
  expect(shown()).toBe("cdba");
});

it("takes another order at once when somebody asks for it", () => {
  show(<List />);
  fireEvent.pointerEnter(screen.getByRole("list", { name: "Rows" }));
  fireEvent.click(screen.getByText("Time passes"));
  fireEvent.click(screen.getByText("Sort by name"));
  expect(shown()).toBe("cdba");
});
