import { Button } from "@mantine/core";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Page } from "../../wire/model";
import { t } from "../../words/text";

/** A list the server answers page by page; `again` says after how many milliseconds it is asked anew. */
export function usePages<T>(
  key: readonly [name: string, ...parameters: unknown[]],
  readPage: (of: { cursor: string | null; signal: AbortSignal }) => Promise<Page<T>>,
  again?: (rows: T[]) => number,
): UseInfiniteQueryResult<InfiniteData<Page<T>>> {
  return useInfiniteQuery({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }) => readPage({ cursor: pageParam, signal }),
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
