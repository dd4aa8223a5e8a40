import { expect, it } from "vitest";
import { onDutyOf } from "./duty";

const person = (name: string, ...roles: string[]) => ({ name, display_name: name, roles, since: "", until: "" });

it("finds who on duty is spoken of by role or name, and not who is excepted", () => {
  const people = [person("ann", "approver"), person("bob", "approver"), person("olga", "operator")];
  expect(
    onDutyOf(people, ["people with the role or group approver, except olga and bob"]).map((each) => each.name),
  ).toEqual(["ann"]);
  expect(onDutyOf(people, ["role operator"]).map((each) => each.name)).toEqual(["olga"]);
  expect(onDutyOf(people, ["bob for ann"]).map((each) => each.name)).toEqual(["ann", "bob"]);
  expect(onDutyOf(people, ["admin"])).toEqual([]);
});
