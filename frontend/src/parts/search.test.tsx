import { act, screen } from "@testing-library/react";
import { useLocation } from "react-router";
import { expect, it } from "vitest";
import { show } from "../test/show";
import { useFilters } from "./search";

let put: ReturnType<typeof useFilters<"at" | "to">>["put"] = () => undefined;

function Filtered() {
  ({ put } = useFilters(["at", "to"]));
  return <output>{useLocation().search}</output>;
}

it("keeps both of two changes that come before the page is drawn again", () => {
  show(<Filtered />, "/refs?name=a");
  const first = put;
  act(() => {
    first([["at", "b"]]);
    first([["to", "c"]]);
  });
  expect(screen.getByRole("status").textContent).toBe("?name=a&at=b&to=c");
});

it("bases a change on the address that is shown, though the function is of an earlier drawing", () => {
  show(<Filtered />, "/refs?name=a");
  const first = put;
  act(() => put([["at", "b"]]));
  act(() => first([["to", "c"]]));
  expect(screen.getByRole("status").textContent).toBe("?name=a&at=b&to=c");
});
