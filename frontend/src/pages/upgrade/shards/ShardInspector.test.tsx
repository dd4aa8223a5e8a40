import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import { upgrade } from "../../../test/samples";
import { ShardInspector } from "./ShardInspector";

function open(part: object): void {
  serve({ "GET /upgrades/u1/shards/0/turns": { items: [], next_cursor: null, has_more: false } });
  const [shard] = upgrade().shards.items;
  if (!shard) throw new Error("The sample has no shard.");
  const may = { action: "retry-shard", allowed: true, reason: "", who_can: [] };
  show(
    <ShardInspector
      upgrade="u1"
      shard={{ ...shard, ...part }}
      may={may}
      onClose={() => undefined}
      onRetry={() => undefined}
      retrying={false}
    />,
  );
}

it("words why a shard rests by its phrases, and shows a text without phrases as it is", async () => {
  const key = "{active} sessions are active, more than {limit}.";
  open({ throttled: "kept", throttled_phrases: [{ key, values: { active: 52, limit: 48 } }] });
  expect(await screen.findByText("Idle: 52 sessions are active, more than 48.")).toBeTruthy();
  open({ throttled: "The backup runs" });
  expect(await screen.findByText("Idle: The backup runs")).toBeTruthy();
});
