import { focusManager, skipToken, useQuery } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useStore } from "../state/store";
import { startClock, tick } from "../time/clock";
import { live, queries, takeEvents } from "./stream";

afterEach(() => live.pause(false));

it("lets nothing ask again by itself while changes are held", () => {
  expect(focusManager.isFocused()).toBe(true);
  live.pause(true);
  expect(focusManager.isFocused()).toBe(false);
  live.pause(false);
  expect(focusManager.isFocused()).toBe(true);
});

it("draws a tick of the clock together with what events changed", async () => {
  const stop = startClock();
  queries.setQueryData(["upgrade", "u1"], {
    id: "u1",
    shards: { items: [{ shard: 0, copied: 1, reported_at: null }] },
  });
  let copied = 0;
  const drawn: string[] = [];
  function Panel() {
    const now = useStore(tick);
    const of = useQuery<{ shards: { items: { copied: number }[] } }>(
      {
        queryKey: ["upgrade", "u1"],
        queryFn: skipToken,
      },
      queries,
    );
    copied = of.data?.shards.items[0]?.copied ?? 0;
    drawn.push(`${now} ${copied}`);
    return null;
  }
  render(<Panel />);
  const before = tick.get();
  const clock = vi.spyOn(Date, "now").mockReturnValue(before + 900);
  drawn.length = 0;
  takeEvents([
    {
      op: "event",
      seq: 1,
      ts: "2026-03-01T14:00:00Z",
      topic: "upgrade:u1",
      kind: "shards",
      id: "u1",
      rev: 0,
      patch: { items: [{ shard: 0, copied: 2, reported_at: "2026-03-01T14:00:00Z" }] },
    },
  ]);
  await vi.waitFor(() => expect(copied).toBe(2));
  expect(drawn).toEqual([`${before + 900} 2`]);
  clock.mockRestore();
  stop();
});
