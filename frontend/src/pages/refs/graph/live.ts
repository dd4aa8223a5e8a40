import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { changedEdges, listed, recoloured, type StreamedGraph } from "../../../live/graph";
import { useTopic } from "../../../live/stream";
import type { References } from "../../../wire/references";

/** The graph as it was first read, kept level by the stream: colours at once, what came and went when it is asked for. */
export function useLiveGraph(
  read: References,
  readAt: number,
  direction: string,
  depth: string,
): { graph: References; held: number; apply: () => void } {
  const topic = `references:${direction || "both"}:${depth || "1"}:${read.focus}`;
  const cache = useQueryClient();
  useTopic(topic);
  useEffect(() => () => cache.removeQueries({ queryKey: ["reference-stream", topic] }), [cache, topic]);
  const streamed = useQuery<StreamedGraph>({ queryKey: ["reference-stream", topic], queryFn: skipToken });
  const newer = streamed.data && streamed.dataUpdatedAt >= readAt ? streamed.data : undefined;
  const latest = useMemo(() => (newer ? listed(newer) : read), [newer, read]);
  const [shown, setShown] = useState(latest);
  const [graph, held] = useMemo(() => [recoloured(shown, latest), changedEdges(shown, latest)], [shown, latest]);
  return { graph, held, apply: () => setShown(latest) };
}
