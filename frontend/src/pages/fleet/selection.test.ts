import { expect, test } from "vitest";
import { selectionFrom, selectionText } from "./selection";

test("a selection is written into an address and read back, and what is no name is left out", () => {
  const names = ["services/iam.example.com/deployments/eu-1", "services/apps/deployments/us"];
  expect(selectionText(names)).toBe("iam.example.com@eu-1,apps@us");
  expect([...selectionFrom(selectionText(names))]).toEqual(names);
  expect([...selectionFrom("")]).toEqual([]);
  expect([...selectionFrom("apps@us,nonsense")]).toEqual(["services/apps/deployments/us"]);
});
