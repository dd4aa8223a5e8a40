import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { twinOfDeed } from "./Confirm";
import { show } from "../../../test/show";
import { CopyPageAs, curlOf, quoted, twinOf } from "../../../parts/commands/CopyAs";

it("names what a page shows by swy and by curl, with its filters", () => {
  expect(twinOf("/upgrades/u123/rollback", "")).toEqual({ swy: "swy get u123", path: "/upgrades/u123" });
  expect(twinOf("/d/iam.example.com/eu-1", "?tab=raw")).toEqual({
    swy: "swy get iam.example.com@eu-1",
    path: "/deployments/iam.example.com/eu-1",
  });
  expect(twinOf("/activity", "?actor=ann&outcome=&request_id=a b")).toEqual({
    swy: "swy audit --actor ann --request 'a b'",
    path: "/audit?actor=ann&request_id=a+b",
  });
  expect(twinOf("/activity", "?service=iam.example.com&region=eu-1")).toEqual({
    swy: "swy audit --service iam.example.com --region eu-1 --quiet",
    path: "/audit?service=iam.example.com&region=eu-1&quiet=true",
  });
  expect(twinOf("/activity", "?since=2026-03-01&quiet=true")).toEqual({
    swy: "swy audit --since 2026-03-01 --quiet",
    path: "/audit?since=2026-03-01&quiet=true",
  });
  expect(twinOf("/compat/iam.example.com/v1..v2", "?client=strict&buf=WIRE")).toEqual({
    swy: "swy compat check iam.example.com v1 v2 --client strict",
    path: "/services/iam.example.com/compatibility?before=v1&after=v2&client=strict",
  });
  expect(twinOf("/upgrades", "?live=true&stalled=true&region=eu-1")).toEqual({
    swy: "swy upgrade list --region eu-1 --live",
    path: "/upgrades?live=true&stalled=true&region=eu-1",
  });
  expect(twinOf("/rollouts", "")?.swy).toBe("swy rollout list");
  expect(twinOf("/refs/deletion", "")).toBeNull();
  expect(twinOf("/upgrades/new", "")).toBeNull();
  expect(twinOf("/account", "")).toBeNull();
});

it("quotes what a shell would take apart", () => {
  expect(quoted("a b")).toBe("'a b'");
  expect(quoted("it's")).toBe("'it'\\''s'");
  expect(quoted("secrets.example.com@eu-1")).toBe("secrets.example.com@eu-1");
  expect(curlOf({ path: "/fleet" }, "http://h")).toBe(
    'curl -H "Authorization: Bearer $SWY_TOKEN" http://h/api/v1/fleet',
  );
});

it("spells a deed with the words that were typed and the revision that was seen", () => {
  const upgrade = { id: "u1", rev: 7 };
  expect(twinOfDeed(upgrade, "throttle", { limit: null }).swy).toBe("swy upgrade throttle u1 0");
  expect(twinOfDeed(upgrade, "break-glass", { comment: "it burns", ticket: "CHG-1" }).swy).toBe(
    "swy upgrade break-glass u1 --reason 'it burns' --ticket CHG-1",
  );
  const curl = curlOf(twinOfDeed(upgrade, "abort", { comment: "no" }), "http://h");
  expect(curl).toBe(
    `curl -X POST -H "Authorization: Bearer $SWY_TOKEN" -H 'If-Match: "7"' -H "Idempotency-Key: $(uuidgen)" ` +
      `-H 'Content-Type: application/json' -d '{"comment":"no"}' http://h/api/v1/upgrades/u1/abort`,
  );
});

it("offers the copy on a page that has a twin, and none elsewhere", async () => {
  show(<CopyPageAs />, "/fleet");
  await userEvent.click(screen.getByRole("button", { name: "Copy as… a command: this page" }));
  expect(await screen.findByText("swy command")).toBeTruthy();
});
