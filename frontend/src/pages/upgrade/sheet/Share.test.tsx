import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { show } from "../../../test/show";
import { Share, sheetAddress, sheetCommand } from "./Share";

const AT = Date.UTC(2026, 2, 1, 14, 2);

it("names the moment that is shown in the address and in the command", () => {
  expect(sheetAddress("u1", "md", null)).toBe("/api/v1/upgrades/u1/run-sheet?as=md");
  expect(sheetAddress("u1", "html", AT)).toBe("/api/v1/upgrades/u1/run-sheet?as=html&at=2026-03-01T14%3A02%3A00.000Z");
  expect(sheetCommand("u1", AT)).toBe("swy report get u1 --at 2026-03-01T14:02:00.000Z -o run-sheet.html");
});

it("offers both files of what is shown", async () => {
  show(<Share upgrade={{ id: "u1" }} at={AT} />);
  await userEvent.click(screen.getByRole("button", { name: "Share…" }));
  expect((await screen.findByRole("link", { name: "Markdown file" })).getAttribute("href")).toBe(
    sheetAddress("u1", "md", AT),
  );
  expect(screen.getByText(/Signed copy as of 2026-03-01 14:02/)).toBeTruthy();
});
