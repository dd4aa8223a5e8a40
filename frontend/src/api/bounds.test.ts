import { expect, it } from "vitest";
import { wideRefusal } from "./bounds";

const account = (held?: string[], permissions = ["registry.write"]) => ({
  name: "olga",
  email: "",
  kind: "user",
  roles: ["operator"],
  permissions,
  reach: [],
  zone: "",
  bounds: (held ? { "registry.write": held } : {}) as Record<string, string[]>,
});
const why = (of: ReturnType<typeof account> | null, service = "iam.example.com"): string =>
  wideRefusal(of, "registry.write", service, "Operators may.");

it("refuses what concerns every region to a role of some, and says for which it holds", () => {
  expect(why(account())).toBe("");
  expect(why(account(["* @ eu-1", "iam.* @ *"]))).toBe("");
  expect(why(account(["* @ eu-1"]))).toBe(
    "This concerns every region of iam.example.com; your role holds for * @ eu-1.",
  );
  expect(why(account(["iam.* @ *"]), "secrets.example.com")).toContain("secrets.example.com");
  expect(why(account(["iam.example.com @ *"]), "iamXexample.com")).not.toBe("");
  expect([why(account([], [])), why(null)]).toEqual(["Operators may.", "Operators may."]);
});
