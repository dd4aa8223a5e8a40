import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { show } from "../test/show";
import { plural, rich, t } from "./text";

describe("texts in English, which are their own keys", () => {
  it("puts the values where they stand", () => {
    expect(t`${3} of ${16} shards caught up`).toBe("3 of 16 shards caught up");
  });

  it("reads a line break of the source as one space", () => {
    expect(t`Votes are void
      when a check gets worse.`).toBe("Votes are void when a check gets worse.");
  });

  it("keeps elements as elements", () => {
    show(<p>{rich`Requested by ${(<b>olga</b>)} for ${2} regions`}</p>);
    expect(screen.getByText("olga").tagName).toBe("B");
    expect(screen.getByText("olga").parentElement?.textContent).toBe("Requested by olga for 2 regions");
  });

  it("chooses the form by the count", () => {
    expect([0, 1, 2].map((count) => plural(count, "# vote", "# votes"))).toEqual(["0 votes", "1 vote", "2 votes"]);
  });
});
