import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import { RemovedFields } from "./RemovedFields";

const ADDRESS = "GET /services/secrets.example.com/compatibility/removedFields";
const card = <RemovedFields service="secrets.example.com" before="v1alpha2" after="v1" />;
const field = (path: string, more: object) => ({
  source: "v1alpha2",
  target: "v1",
  type: "Secret",
  path,
  written: true,
  candidates: [],
  ...more,
});
const page = (items: object[]) => ({ items, next_cursor: null, has_more: false });

it("shows each removed field with its candidates in order, how sure each is, and why", async () => {
  serve({
    [ADDRESS]: page([
      field("tensorflow_version", {
        written: false,
        candidates: [
          { path: "runtime_version", confidence: 0.41, reasons: ["the names share words", "the types are equal"] },
          { path: "tags", confidence: 0.05, reasons: ["the documents are alike"] },
        ],
      }),
      field("legacy_etag", {}),
    ]),
  });
  show(card, "/");
  expect(await screen.findByRole("heading", { name: "Removed fields and their candidates: 2" })).toBeTruthy();
  const first = screen.getByRole("row", { name: /tensorflow_version/ });
  const second = screen.getByRole("row", { name: /legacy_etag/ });
  expect(within(first).getByRole("rowheader").textContent).toBe(
    "Secret.tensorflow_versionv1alpha2 → v1, not in the edge file yet",
  );
  expect(
    within(first)
      .getAllByRole("listitem")
      .map((each) => each.textContent),
  ).toEqual([
    "runtime_version 41 % surethe names share words; the types are equal",
    "tags 5 % surethe documents are alike",
  ]);
  expect(within(second).getByText("No new field is like it.")).toBeTruthy();
  expect(within(second).queryByText(/not in the edge file yet/)).toBeNull();
  expect(screen.getByText("1 of them has a candidate.")).toBeTruthy();
});

it("says that nothing is removed", async () => {
  serve({ [ADDRESS]: page([]) });
  show(card, "/");
  expect(await screen.findByText("Every field of the older version has a counterpart.")).toBeTruthy();
});
