import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Fleet, LiveEvent, Shard, Upgrade } from "../wire/model";
import { applied, type Document, fold } from "./fold";
import { isGraph } from "./client";
import { laid, type StreamedGraph } from "./graph";

/** Which lists a topic makes old; they are read again, at most once a second each. */
export function touched(topic: string, kind: string): QueryKey[] {
  if (topic.startsWith("upgrade:")) {
    const id = topic.slice("upgrade:".length);
    if (kind === "line") return [["upgrade", id, "events"]];
    // The wall of a rollout follows its upgrades.
    return kind === "upgrade"
      ? [["upgrade", id], ["upgrade", id, "events"], ["rollout"]]
      : [["upgrade", id], ["rollout"]];
  }
  switch (topic) {
    case "fleet":
      if (kind === "deletion") return [["deletion-check"], ["overview"]];
      return [["fleet"], ["deployment"], ["upgrades"], ["overview"]];
    case "approvals":
      return kind === "duty" ? [["duty"], ["approval"]] : [["approvals"], ["approval"], ["overview"]];
    case "audit":
      return [["audit"]];
    case "health":
      return [["health"]];
    default:
      return isGraph(topic) ? [["deletion-check", topic.split(":").slice(3).join(":")]] : [];
  }
}

/** What is costly to answer is asked again only when the last answer is there and so long ago. */
export const COSTLY_MS = 5000;
const MANY_CELLS = 1000;

/** Put events into what the pages already show; what cannot be patched is asked for again. */
export class Applier {
  private readonly due = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private stopped = false;
  /** The costly questions that are being asked or rest; true: something happened meanwhile. */
  private readonly resting = new Map<string, boolean>();

  constructor(
    private readonly cache: QueryClient,
    private readonly everyMs = 1000,
  ) {}

  take(events: LiveEvent[]): void {
    const cells = new Map<string, Document>();
    for (const event of fold(events)) {
      if (event.topic === "fleet" && event.kind === "cell" && event.patch) cells.set(event.id, event.patch);
      if (event.kind === "upgrade") this.patchUpgrade(event);
      if (event.kind === "shards") this.patchShards(event);
      if (event.kind === "graph")
        this.cache.setQueryData<StreamedGraph>(["reference-stream", event.topic], (before) => laid(before, event));
      for (const key of touched(event.topic, event.kind)) this.refresh(key);
    }
    if (cells.size) this.patchCells(cells);
  }

  resync(topic: string | null): void {
    if (topic === null) {
      void this.cache.invalidateQueries({ refetchType: "active" });
      return;
    }
    for (const key of touched(topic, "resync")) this.refresh(key);
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.due.clear();
    this.stopped = true;
  }

  private patchUpgrade(event: LiveEvent): void {
    const key = ["upgrade", event.id];
    const current = this.cache.getQueryData<Document>(key);
    const next = current ? applied(current, event) : null;
    if (next) this.cache.setQueryData(key, next);
  }

  /** Deployments that did not change stay the very ones they were. */
  private patchCells(patches: ReadonlyMap<string, Document>): void {
    this.cache.setQueryData<Fleet>(["fleet"], (before) => {
      if (!before) return before;
      const cells = before.cells.map((cell) => {
        const patch = patches.get(cell.name);
        return patch ? { ...cell, ...patch } : cell;
      });
      return { ...before, cells };
    });
  }

  /** A shard carries no revision of the upgrade; its own report time says which report is newer. */
  private patchShards(event: LiveEvent): void {
    const reports = new Map(((event.patch?.["items"] ?? []) as Shard[]).map((report) => [report.shard, report]));
    this.cache.setQueryData<Upgrade>(["upgrade", event.id], (before) => {
      if (!before) return before;
      const items = before.shards.items.map((shard) => {
        const report = reports.get(shard.shard);
        return report && (shard.reported_at ?? "") <= (report.reported_at ?? "") ? { ...shard, ...report } : shard;
      });
      return { ...before, shards: { ...before.shards, items } };
    });
  }

  private refresh(key: QueryKey): void {
    this.due.set(JSON.stringify(key), key);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const keys = [...this.due.values()];
      this.due.clear();
      for (const one of keys) {
        if (one[0] === "deletion-check" || (one[0] === "fleet" && this.isLarge())) void this.askCostly(one);
        else void this.cache.invalidateQueries({ queryKey: one, exact: one.length === 2 && one[0] === "upgrade" });
      }
    }, this.everyMs);
  }

  /** A large fleet is patched at once, and read whole from time to time. */
  private isLarge(): boolean {
    return (this.cache.getQueryData<Fleet>(["fleet"])?.cells.length ?? 0) > MANY_CELLS;
  }

  /** Many events are one question; the last of them is never lost. */
  private async askCostly(key: QueryKey): Promise<void> {
    const name = JSON.stringify(key);
    if (this.resting.has(name)) {
      this.resting.set(name, true);
      return;
    }
    do {
      this.resting.set(name, false);
      await this.cache.invalidateQueries({ queryKey: key }, { cancelRefetch: false });
      await new Promise((rested) => setTimeout(rested, COSTLY_MS));
    } while (this.resting.get(name) && !this.stopped);
    this.resting.delete(name);
  }
}
