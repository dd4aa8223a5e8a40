import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "../../test/show";
import type { AuditEntry } from "../../wire/model";
import { targetLink, TargetName } from "./Target";

const planned = { target_kind: "upgradesview", target: "/api/v1/upgrades", service: "iam", region: "eu-1" };

it("names a request that changed nothing by its deployment, and by its address where it has none", () => {
  expect(targetLink(planned)).toEqual({ name: "iam @ eu-1", to: "/d/iam/eu-1" });
  expect(targetLink({ ...planned, service: "", region: "" })).toEqual({ name: "/api/v1/upgrades", to: "" });
});

it.each([
  [{ from_version: "v1", to_version: "v2" }, "Upgrade iam @ eu-1 v1 → v2"],
  [{ version: "v2" }, "Upgrade iam @ eu-1 v2"],
  [{ votes: 2 }, "Upgrade iam @ eu-1"],
])("names the versions of a target that its entry keeps", (after, text) => {
  const entry = { ...planned, target_kind: "upgrade", target: "u1", target_kind_title: "Upgrade", before: null, after };
  show(
    <p data-testid="target">
      <TargetName of={entry as unknown as AuditEntry} />
    </p>,
  );
  expect(screen.getByTestId("target").textContent).toBe(text);
});
