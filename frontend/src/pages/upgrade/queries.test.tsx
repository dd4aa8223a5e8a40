import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import type { UpgradeEvent } from "../../wire/model";
import { useUpgradeEvents } from "./queries";

const line = (seq: number): UpgradeEvent =>
  ({
    id: seq,
    at: "2026-03-01T14:00:00Z",
    kind: "note",
    text: `line ${seq}`,
    actor: "olga",
    shard: null,
  }) as unknown as UpgradeEvent;

function Probe() {
  const story = useUpgradeEvents("u1");
  return (
    <>
      <button onClick={() => void story.refetch()}>again</button>
      <p>
        {story.data?.lines.map((each) => each.text).join(", ")} read {story.dataUpdatedAt ? "yes" : "no"}
      </p>
    </>
  );
}

it("reads a story on from its last page, and shows no line twice", async () => {
  const at = (cursor: string): string => `GET /upgrades/u1/events?${cursor}limit=200`;
  const answers: Record<string, unknown> = {
    [at("")]: { items: [line(1), line(2)], has_more: true, next_cursor: "c2" },
    [at("cursor=c2&")]: { items: [line(3)], has_more: false, next_cursor: null },
  };
  const sent = serve(answers);
  show(<Probe />);
  expect(await screen.findByText("line 1, line 2, line 3 read yes")).toBeTruthy();
  answers[at("cursor=c2&")] = { items: [line(3), line(4)], has_more: false, next_cursor: null };
  await userEvent.click(screen.getByText("again"));
  expect(await screen.findByText("line 1, line 2, line 3, line 4 read yes")).toBeTruthy();
  expect(sent.map((each) => each.path)).toEqual([
    "/upgrades/u1/events?limit=200",
    "/upgrades/u1/events?cursor=c2&limit=200",
    "/upgrades/u1/events?cursor=c2&limit=200",
  ]);
});

it("shows a short story once however often it is read", async () => {
  serve({ "GET /upgrades/u1/events": { items: [line(1)], has_more: false, next_cursor: null } });
  show(<Probe />);
  await screen.findByText("line 1 read yes");
  await userEvent.click(screen.getByText("again"));
  await userEvent.click(screen.getByText("again"));
  expect(screen.getByText("line 1 read yes")).toBeTruthy();
});
