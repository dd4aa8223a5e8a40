import { focusManager, QueryCache, QueryClient, MutationCache } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "../api/problem";
import { signedOut } from "../api/signedOut";
import { Applier } from "./apply";
import { LiveClient, type Wire } from "./client";

function noticeSignOut(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) signedOut.set(true);
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

const applier = new Applier(queries);

function openSocket(): Wire {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/ws`) as unknown as Wire;
}

function openEvents(topics: string[], since: number | null): EventSource | null {
  if (typeof EventSource === "undefined") return null;
  const query = new URLSearchParams({ topics: topics.join(",") });
  if (since !== null) query.set("since", String(since));
  return new EventSource(`/api/v1/events?${query.toString()}`);
}

export const live = new LiveClient({
  openSocket,
  openEvents,
  onEvents: (events) => applier.take(events),
  onResync: (topic) => applier.resync(topic),
  // A right that is gone is asked for once more by whatever shows the topic, and the answer says what is missing.
  onDenied: (topic) => applier.resync(topic),
  onRefused: () => void queries.invalidateQueries({ queryKey: ["session"] }),
});

// While changes are held the page stands still: nothing asks again by the clock or because the window came forward.
live.paused.subscribe(() => focusManager.setFocused(live.paused.get() ? false : undefined));

/** Follow a topic for as long as the component is shown. */
export function useTopic(topic: string | null): void {
  useEffect(() => (topic ? live.follow(topic) : undefined), [topic]);
}
