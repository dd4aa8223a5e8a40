import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { LiveEvent } from "../wire/model";
import { applied, type Document, fold } from "./fold";

/** Which lists a topic makes old; they are read again, at most once a second each. */
export function touched(topic: string, kind: string): QueryKey[] {
  if (topic.startsWith("upgrade:")) {
    const id = topic.slice("upgrade:".length);
    return kind === "upgrade" ? [["upgrade", id, "events"], ["upgrade", id, "samples"]] : [["upgrade", id]];
  }
  switch (topic) {
    case "fleet":
      return [["fleet"], ["deployment"], ["upgrades"], ["overview"]];
    case "approvals":
      return [["approvals"], ["approval"], ["overview"]];
    case "audit":
      return [["audit"]];
    case "health":
      return [["health"]];
    default:
      return [];
  }
}

/** Put events into what the pages already show; what cannot be patched is asked for again. */
export class Applier {
  private readonly due = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly cache: QueryClient, private readonly everyMs = 1000) {}

  take(events: LiveEvent[]): void {
    for (const event of fold(events)) {
      const whole = this.patchUpgrade(event);
      for (const key of touched(event.topic, event.kind)) this.refresh(key);
      if (!whole && event.topic.startsWith("upgrade:")) this.refresh(["upgrade", event.topic.slice(8)]);
    }
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
  }

  private patchUpgrade(event: LiveEvent): boolean {
    if (!event.topic.startsWith("upgrade:") || event.kind !== "upgrade") return false;
    const key = ["upgrade", event.id];
    const current = this.cache.getQueryData<Document>(key);
    if (!current) return false;
    const next = applied(current, event);
    if (next) this.cache.setQueryData(key, next);
    return Boolean(event.full) || next === null;
  }

  private refresh(key: QueryKey): void {
    this.due.set(JSON.stringify(key), key);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const keys = [...this.due.values()];
      this.due.clear();
      for (const one of keys) void this.cache.invalidateQueries({ queryKey: one, exact: one.length === 2 && one[0] === "upgrade" });
    }, this.everyMs);
  }
}
