import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTopic } from "../../../live/stream";
import type { ReferenceGroup, ReferenceGroups } from "./groups";

interface StreamedGroups extends Omit<ReferenceGroups, "groups"> {
  nodes: Record<string, ReferenceGroup>;
}

/** The counts as they were read, followed by the stream: a write changes a count where it stands. */
export function useLiveGroups(read: ReferenceGroups, readAt: number): ReferenceGroups {
  const topic = `references:groups:1:${read.focus.id}`;
  const cache = useQueryClient();
  useTopic(topic);
  useEffect(() => () => cache.removeQueries({ queryKey: ["reference-stream", topic] }), [cache, topic]);
  const streamed = useQuery<StreamedGroups>({ queryKey: ["reference-stream", topic], queryFn: skipToken });
  const newer = streamed.data && streamed.dataUpdatedAt >= readAt ? streamed.data : undefined;
  return useMemo(
    () => (newer ? { focus: newer.focus, unknown: newer.unknown, groups: Object.values(newer.nodes) } : read),
    [newer, read],
  );
}
