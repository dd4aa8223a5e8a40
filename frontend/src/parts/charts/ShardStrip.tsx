import type { Shard, ShardState } from "../../wire/model";
import { shardWords } from "../status";

const MOST = 64;
const WORST: ShardState[] = ["failed", "regressed", "unknown", "pending", "syncing", "switching", "ready", "switched"];

/** So many blocks at most: beyond that each stands for a range of shards and looks like the worst of them. */
export function blocks(shards: readonly Pick<Shard, "shard" | "state">[]): { from: number; state: ShardState }[] {
  const size = Math.max(1, Math.ceil(shards.length / MOST));
  const result = [];
  for (let at = 0; at < shards.length; at += size) {
    const states = new Set(shards.slice(at, at + size).map((shard) => shard.state));
    result.push({ from: shards[at]?.shard ?? 0, state: WORST.find((state) => states.has(state)) ?? "unknown" });
  }
  return result;
}

/** The shards as small blocks: how far, at a glance; the sentence beside it says the same in words. */
export function ShardStrip({ shards }: { shards: readonly Shard[] }) {
  if (shards.length === 0) return null;
  return (
    <div className="strip" aria-hidden="true">
      {blocks(shards).map((block) => (
        <span key={block.from} className={`fill-${shardWords[block.state].tone}`} />
      ))}
    </div>
  );
}
