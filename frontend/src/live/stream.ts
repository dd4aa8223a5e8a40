import { focusManager, MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "../api/problem";
import { signedOut } from "../api/signedOut";
import { Applier } from "./apply";
import { tickAlong } from "../time/clock";
import type { LiveEvent } from "../wire/model";
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

/** The clock's tick and what the events changed are drawn once: components hear of both in one go. */
export function takeEvents(events: LiveEvent[]): void {
  notifyManager.batch(() => {
    applier.take(events);
    notifyManager.schedule(tickAlong);
  });
}

export const live = new LiveClient({
  openSocket,
  openEvents,
  onEvents: takeEvents,
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
