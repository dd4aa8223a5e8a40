import { Button } from "@mantine/core";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { send } from "../api/client";
import type { Page } from "../wire/model";
import { t } from "../words/text";

/** A list the server answers page by page; `again` says after how many milliseconds it is asked anew. */
export function usePages<T>(
  key: string,
  path: string,
  query: Record<string, string>,
  again?: (rows: T[]) => number,
): UseInfiniteQueryResult<InfiniteData<Page<T>>> {
  return useInfiniteQuery({
    queryKey: [key, path, query],
    queryFn: ({ pageParam, signal }) => send<Page<T>>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : undefined),
    refetchInterval: again ? (of) => again(of.state.data ? items(of.state.data) : []) : false,
  });
}

export function items<T>(data: InfiniteData<Page<T>>): T[] {
  return data.pages.flatMap((page) => page.items);
}

export function More({
  of,
}: {
  of: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}) {
  if (!of.hasNextPage) return null;
  return (
    <div className="more">
      <Button onClick={() => void of.fetchNextPage()} loading={of.isFetchingNextPage}>
        {t`Show more`}
      </Button>
    </div>
  );
}
