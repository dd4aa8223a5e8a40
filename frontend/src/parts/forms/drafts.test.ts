import { expect, it } from "vitest";
import { queryOf, withDraft, withoutDraft } from "./drafts";

const draft = (deployment: string, target: string, at = ""): { title: string; query: string; at: string } => ({
  title: deployment,
  query: queryOf({ deployment, target, why: "" }),
  at,
});

it("keeps one draft of a deployment, the newest first, and twenty at most", () => {
  const kept = withDraft(withDraft(withDraft([], draft("a", "v1")), draft("b", "v1")), draft("a", "v2"));
  expect(kept.map((each) => each.query)).toEqual(["deployment=a&target=v2", "deployment=b&target=v1"]);
  const many = Array.from({ length: 25 }, (_, at) => draft(`d${at}`, "v1")).reduce(
    withDraft,
    [] as ReturnType<typeof withDraft>,
  );
  expect([many.length, many[0]?.title, many.at(-1)?.title]).toEqual([20, "d24", "d5"]);
});

it("forgets the draft of what was created, whatever else the form said", () => {
  const left = withoutDraft(
    [draft("a", "v1"), draft("b", "v1")],
    queryOf({ deployment: "a", target: "v2", why: "tonight" }),
  );
  expect(left.map((each) => each.title)).toEqual(["b"]);
});

it("keeps drafts of rollouts apart by what they move, and of deployments apart from both", () => {
  const rollout = (waves: string, title: string): Parameters<typeof withDraft>[1] => ({
    title,
    query: queryOf({ waves, target: "v1", title }),
    at: "",
    form: "rollout",
  });
  const kept = withDraft(
    withDraft(withDraft([draft("a", "v1")], rollout("a;b", "one")), rollout("b;a", "two")),
    rollout("a;b", "three"),
  );
  expect(kept.map((each) => each.title)).toEqual(["three", "two", "a"]);
});
