import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newKey, send } from "../../api/client";
import { useTopic } from "../../live/stream";
import type { components } from "../../wire/schema";
import type { Page, QuarantinedResource, Samples, Upgrade, UpgradeEvent } from "../../wire/model";

const STORY_PAGE = 200;
const STORY_PAGES = 20;

const MOVING = new Set(["SYNCING", "READY", "SWITCHING", "REVERTING", "REVERSIBLE"]);

export function useUpgrade(id: string) {
  useTopic(`upgrade:${id}`);
  return useQuery({
    queryKey: ["upgrade", id],
    queryFn: ({ signal }) => send<Upgrade>(`/upgrades/${id}`, { signal }),
    // The stream says when something changed; this only heals what a stream can lose.
    refetchInterval: (query) => (query.state.data && MOVING.has(query.state.data.state) ? 10_000 : false),
  });
}

export function useSamples(id: string, moving: boolean) {
  return useQuery({
    queryKey: ["upgrade", id, "samples"],
    queryFn: ({ signal }) => send<Samples>(`/upgrades/${id}/samples`, { signal }),
    refetchInterval: moving ? 5000 : false,
  });
}

/** What was recorded, to draw and to replay; read again when the upgrade comes into another revision. */
export function useHistory(id: string, rev: number) {
  return useQuery({
    queryKey: ["upgrade", id, "history", rev],
    queryFn: ({ signal }) => send<components["schemas"]["History"]>(`/upgrades/${id}/history`, { signal }),
    placeholderData: (before) => before,
  });
}

export function useUpgradeEvents(id: string) {
  const cache = useQueryClient();
  const queryKey = ["upgrade", id, "events"];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      // The story only grows at its end, so a later read begins with the page that was not full yet.
      const known = cache.getQueryData<Story>(queryKey) ?? { lines: [], cursor: null, full: 0 };
      const lines = known.lines.slice(0, known.full);
      let { cursor, full } = known;
      for (let page = 0; page < STORY_PAGES; page += 1) {
        const got = await send<Page<UpgradeEvent>>(`/upgrades/${id}/events`, {
          query: { cursor, limit: STORY_PAGE },
          signal,
        });
        lines.push(...got.items);
        if (!got.has_more || !got.next_cursor) break;
        cursor = got.next_cursor;
        full = lines.length;
      }
      return { lines, cursor, full };
    },
    refetchInterval: 10_000,
  });
}

interface Story {
  lines: UpgradeEvent[];
  /** Where the last page begins, and how many lines stand before it. */
  cursor: string | null;
  full: number;
}

export function useQuarantine(id: string, count: number) {
  return useQuery({
    queryKey: ["upgrade", id, "quarantined", count],
    queryFn: ({ signal }) => send<Page<QuarantinedResource>>(`/upgrades/${id}/quarantine`, { signal }),
    enabled: count > 0,
  });
}

export interface Deed {
  action: string;
  body?: Record<string, unknown>;
  key?: string;
}

/** Do one thing to the upgrade; the page shows only what the server answered. */
export function useAct(upgrade: Upgrade) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ action, body = {}, key = newKey() }: Deed) =>
      send<Partial<Upgrade>>(`/upgrades/${upgrade.id}/${action}`, {
        method: "POST",
        body,
        ifMatch: upgrade.rev,
        idempotencyKey: key,
      }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: ["upgrade", upgrade.id] });
      void cache.invalidateQueries({ queryKey: ["approvals"] });
      void cache.invalidateQueries({ queryKey: ["overview"] });
    },
  });
}
