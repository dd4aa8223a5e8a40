import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { serve, show } from "../../test/show";
import type { Deployment } from "../../wire/model";
import { exportWord, type KeptType, KeptTypes } from "./KeptTypes";

const deployment = {
  name: "services/tasks.example.com/deployments/eu-1",
  service: "tasks.example.com",
  region: "eu-1",
} as unknown as Deployment;
const row: KeptType = {
  type: "Receipt",
  version: "v1",
  without: "v2",
  stored: 3,
  exported: false,
  changed_since: null,
  export: null,
};
const noted = { at: "2026-11-20T10:00:00Z", by: "olga", resources: 3, sha256: "00" };
const ADDRESS = "GET /deployments/tasks.example.com/eu-1/kept-types";
const person = (permissions: string[]) => ({
  "GET /session": { account: { name: "olga", roles: ["x"], permissions }, csrf_token: "" },
});

it("exports a kept type to a file, and shows the export once the server noted it", async () => {
  const answers: Record<string, unknown> = {
    ...person(["resource.read", "resource.write"]),
    [ADDRESS]: { items: [row], next_cursor: null, has_more: false },
  };
  serve(answers);
  const links: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    links.push(`${this.download} ${new URL(this.href).pathname}`);
  });
  show(<KeptTypes of={deployment} />);
  const table = await screen.findByRole("region", { name: "Kept types" });
  expect(within(table).getByRole("status").textContent).toBe("Not exported");
  await userEvent.click(screen.getByRole("button", { name: "Export Receipt" }));
  expect(links).toEqual(["Receipt@v1.jsonl /api/v1/deployments/tasks.example.com/eu-1/kept-types/Receipt/v1/export"]);
  expect(within(table).getByRole("status").textContent).toMatch(/^Export started/);
  answers[ADDRESS] = {
    items: [{ ...row, exported: true, changed_since: false, export: noted }],
    next_cursor: null,
    has_more: false,
  };
  expect(await screen.findByText("Exported", {}, { timeout: 30_000 })).toBeTruthy();
  expect(within(table).getByText(/3 by olga/)).toBeTruthy();
  click.mockRestore();
}, 60_000);

it("says to those who may only read who may export, and asks nothing without the right to read", async () => {
  serve({ ...person(["resource.read"]), [ADDRESS]: { items: [row], next_cursor: null, has_more: false } });
  const { unmount } = show(<KeptTypes of={deployment} />);
  const denied = await screen.findByRole("button", { name: /Export Receipt/ });
  expect(denied.getAttribute("aria-disabled")).toBe("true");
  unmount();
  const sent = serve(person([]));
  const { container } = show(<KeptTypes of={deployment} />);
  await vi.waitFor(() => expect(sent.some((each) => each.path === "/session")).toBe(true));
  expect(sent.filter((each) => each.path.includes("kept-types"))).toEqual([]);
  expect(container.querySelector("section")).toBeNull();
});

it("does not call data exported that was written since, that cannot be read, or that is not there", () => {
  expect([
    exportWord({ ...row, exported: true, changed_since: false, export: noted }),
    exportWord({ ...row, exported: false, changed_since: true, export: noted }),
    exportWord({ ...row, exported: null, stored: null }),
    exportWord({ ...row, exported: true, stored: 0 }),
    exportWord(row),
  ]).toEqual([
    "Exported",
    "Written since the export",
    "Unknown whether exported: the data cannot be read now",
    "Nothing to export",
    "Not exported",
  ]);
});
