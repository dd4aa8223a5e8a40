import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newKey, read, write } from "../../api/client";
import { useTopic } from "../../live/stream";
import type { Upgrade, UpgradeEvent } from "../../wire/model";
import type { components } from "../../wire/schema";
import { t } from "../../words/text";

const STORY_PAGE = 200;
const STORY_PAGES = 20;

const MOVING = new Set(["SYNCING", "READY", "SWITCHING", "REVERTING", "REVERSIBLE"]);

export function useUpgrade(id: string) {
  useTopic(`upgrade:${id}`);
  return useQuery({
    queryKey: ["upgrade", id],
    queryFn: ({ signal }) => read("/upgrades/{id}", { path: { id }, signal }),
    // The stream says when something changed; this only heals what a stream can lose.
    refetchInterval: (query) => (query.state.data && MOVING.has(query.state.data.state) ? 10_000 : false),
  });
}

export function useSamples(id: string, moving: boolean) {
  return useQuery({
    queryKey: ["upgrade", id, "samples"],
    queryFn: ({ signal }) => read("/upgrades/{id}/samples", { path: { id }, signal }),
    refetchInterval: moving ? 5000 : false,
  });
}

/** What was recorded, to draw and to replay; read again when `stand` names another revision, request or vote. */
export function useHistory(id: string, stand: string) {
  return useQuery({
    queryKey: ["upgrade", id, "history", stand],
    queryFn: ({ signal }) => read("/upgrades/{id}/history", { path: { id }, signal }),
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
        const got = await read("/upgrades/{id}/events", { path: { id }, query: { cursor, limit: STORY_PAGE }, signal });
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
    queryFn: ({ signal }) => read("/upgrades/{id}/quarantine", { path: { id }, signal }),
    enabled: count > 0,
  });
}

/** The actions on an upgrade that are decided on the revision that was shown. */
const ACTIONS = [
  "abort",
  "break-glass",
  "complete",
  "edit",
  "enable-reverse-replication",
  "extend",
  "pause",
  "request-approval",
  "resume",
  "retry-shard",
  "rollback",
  "settle",
  "start",
  "switch",
  "throttle",
] as const;

/** The path of an action that the server names. */
export function pathOf(action: string): `/upgrades/{id}/${(typeof ACTIONS)[number]}` {
  const known = ACTIONS.find((each) => each === action);
  if (known === undefined) throw new Error(t`This console does not know ${action}. Reload the page.`);
  return `/upgrades/{id}/${known}`;
}

export interface Deed {
  action: string;
  body?: components["schemas"]["UpgradeActionRequest"];
  key?: string;
}

/** Do one thing to the upgrade; the page shows only what the server answered. */
export function useAct(upgrade: Upgrade) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, body = {}, key = newKey() }: Deed) =>
      write.post(pathOf(action), {
        path: { id: upgrade.id },
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
