import { describe, expect, it } from "vitest";
import { curlOf, quoted, twinOf } from "./commands/CopyAs";

const ORIGIN = "https://console.example.com";

describe("a word for a shell", () => {
  it.each([
    ["secrets.example.com@eu-1", "secrets.example.com@eu-1"],
    ["", "''"],
    ["two words", "'two words'"],
    ["it's", "'it'\\''s'"],
    ["$HOME", "'$HOME'"],
  ])("%s is %s", (word, shell) => expect(quoted(word)).toBe(shell));
});

describe("the command of curl", () => {
  it("for what is read has the token alone", () => {
    expect(curlOf({ path: "/fleet" }, ORIGIN)).toBe(
      `curl -H "Authorization: Bearer $SWY_TOKEN" ${ORIGIN}/api/v1/fleet`,
    );
  });

  it("for a change has a key of its own, what it is decided on, and the body", () => {
    const twin = { path: "/approvals/a1/approve", method: "POST", ifMatch: "9c1d", body: { comment: "it's fine" } };
    expect(curlOf(twin, ORIGIN)).toBe(
      [
        "curl -X POST",
        '-H "Authorization: Bearer $SWY_TOKEN"',
        `-H 'If-Match: "9c1d"'`,
        '-H "Idempotency-Key: $(uuidgen)"',
        "-H 'Content-Type: application/json'",
        `-d '{"comment":"it'\\''s fine"}'`,
        `${ORIGIN}/api/v1/approvals/a1/approve`,
      ].join(" "),
    );
  });
});

describe("what gives by hand what a page shows", () => {
  it.each([
    ["/", "", undefined, "/overview"],
    ["/fleet", "", "swy fleet", "/fleet"],
    ["/d/secrets.example.com/eu-1", "", "swy get secrets.example.com@eu-1", "/deployments/secrets.example.com/eu-1"],
    ["/upgrades", "?state=READY&q=iam", "swy upgrade list --state READY", "/upgrades?state=READY&q=iam"],
    ["/upgrades", "?state=&tab=x", "swy upgrade list", "/upgrades"],
    ["/upgrades/u42", "", "swy get u42", "/upgrades/u42"],
    ["/upgrades/u42/rollback", "", "swy get u42", "/upgrades/u42"],
    ["/rollouts/r7", "", "swy get rollouts/r7", "/rollouts/r7"],
    ["/approvals", "", "swy approvals", "/approvals"],
    ["/approvals/a1", "", "swy get a1", "/approvals/a1"],
    [
      "/activity",
      "?actor=ann&request_id=r%201&since=2026-03-01",
      "swy audit --actor ann --request 'r 1' --since 2026-03-01",
      "/audit?actor=ann&request_id=r+1&since=2026-03-01",
    ],
    ["/activity", "", "swy audit --quiet", "/audit?quiet=true"],
    ["/activity", "?quiet=false&actor=ann", "swy audit --actor ann", "/audit?actor=ann"],
    ["/activity", "?outcome=dry_run", "swy audit --outcome dry_run", "/audit?outcome=dry_run"],
    ["/activity", "?outcome=done&quiet=true", "swy audit --outcome done --quiet", "/audit?outcome=done&quiet=true"],
    ["/refs/deletion", "?name=%2F%2Fs%2Fr%2Fa", "swy deletion-check //s/r/a", "/deletion-check?name=%2F%2Fs%2Fr%2Fa"],
    ["/refs", "?name=a%20b&depth=2&view=list", "swy refs 'a b' --depth 2", "/references?name=a+b&depth=2"],
    ["/versions", "", "swy services list", "/services"],
    ["/versions/iam.example.com", "", "swy get services/iam.example.com", "/services/iam.example.com"],
    [
      "/compat/iam.example.com/v1alpha2..v1",
      "",
      "swy compat check iam.example.com v1alpha2 v1",
      "/services/iam.example.com/compatibility?before=v1alpha2&after=v1",
    ],
    ["/windows", "", "swy windows", "/windows"],
    ["/health", "", undefined, "/health"],
  ])("%s%s", (pathname, search, swy, path) => {
    const twin = twinOf(pathname, search);
    expect([twin?.swy, twin?.path]).toEqual([swy, path]);
  });

  it.each(["/refs", "/refs/deletion", "/account", "/upgrades/new", "/rollouts/new"])(
    "is nothing for %s, which only asks",
    (pathname) => {
      expect(twinOf(pathname, "")).toBeNull();
    },
  );
});
