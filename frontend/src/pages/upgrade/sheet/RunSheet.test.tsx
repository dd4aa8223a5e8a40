import { act, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { RunSheet } from "./RunSheet";
import type { SheetStep } from "./steps";

const step = (phase: string, state: string): SheetStep => ({ phase, state, text: "", at: null, expected: "" }) as never;
const before = [step("Evidence", "current"), step("Approvals", "todo")];
const after = [step("Evidence", "done"), step("Approvals", "current")];

it("keeps the focus in the present step when the button that had it is gone", () => {
  const page = render(
    <RunSheet steps={before}>
      <button type="button">{"Request approval"}</button>
    </RunSheet>,
  );
  act(() => page.getByText("Request approval").focus());
  page.rerender(<RunSheet steps={after}>{"0 of 2 approvals"}</RunSheet>);
  expect(document.activeElement?.textContent).toBe("0 of 2 approvals");
});

it("takes no focus that was not in it", () => {
  const page = render(<RunSheet steps={before}>{"Evidence"}</RunSheet>);
  page.rerender(<RunSheet steps={after}>{"0 of 2 approvals"}</RunSheet>);
  expect(document.activeElement).toBe(document.body);
});
