import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { useTopic } from "../../../live/stream";

/** Whoever follows the graph of the resource as well is told when references come and go; the answer is read again then. */
export function useDeletionCheck(name: string, follow = false) {
  useTopic("fleet");
  const check = useQuery({
    queryKey: ["deletion-check", name],
    queryFn: ({ signal }) => read("/deletion-check", { query: { name }, signal }),
    enabled: name !== "",
  });
  const focus = check.data?.focus.id;
  useTopic(follow && focus === name ? `references:in:1:${focus}` : null);
  return check;
}
