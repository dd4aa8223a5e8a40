import { Button } from "@mantine/core";
import { useState } from "react";
import { rich } from "../../words/text";

/** What stands above the first row that was shown is new; it waits, so that nothing moves under the pointer. */
export function withoutNewRows<T>(
  all: readonly T[],
  first: T | undefined,
  same: (one: T, other: T) => boolean,
): { fresh: T[]; shown: T[] } {
  const at = first === undefined ? 0 : all.findIndex((each) => same(each, first));
  return at > 0 ? { fresh: all.slice(0, at), shown: all.slice(at) } : { fresh: [], shown: [...all] };
}

/** A list whose newest rows come in only when they are asked for. */
export function useNewRows<T extends { id: string | number }>(
  all: readonly T[],
): { fresh: T[]; shown: T[]; show: () => void } {
  const [first, setFirst] = useState(all[0]);
  const held = withoutNewRows(all, first, (one, other) => one.id === other.id);
  return { ...held, show: () => setFirst(all[0]) };
}

export function NewRows({
  count,
  what,
  onShow,
}: {
  count: number;
  what: [one: string, many: string];
  onShow: () => void;
}) {
  if (count === 0) return null;
  return (
    <div className="held" role="status">
      <Button size="xs" variant="filled" onClick={onShow}>
        {rich`${count} new ${count === 1 ? what[0] : what[1]}: show`}
      </Button>
    </div>
  );
}
