import { expect, it } from "vitest";
import { among } from "./duty";

const person = (name: string, ...roles: string[]) => ({ name, display_name: name, roles, since: "", until: "" });

it("finds who on duty is spoken of by role or name, and not who is excepted", () => {
  const people = [person("ann", "approver"), person("bob", "approver"), person("olga", "operator")];
  expect(among(people, ["members of approver, except olga and bob"]).map((each) => each.name)).toEqual(["ann"]);
  expect(among(people, ["role operator"]).map((each) => each.name)).toEqual(["olga"]);
  expect(among(people, ["bob for ann"]).map((each) => each.name)).toEqual(["ann", "bob"]);
  expect(among(people, ["admin"])).toEqual([]);
});
