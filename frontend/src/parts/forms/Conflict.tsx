import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiError } from "../../api/problem";
import { Age } from "../../time/Time";
import type { Problem } from "../../wire/model";
import { Shape } from "../Shape";
import { DataTable } from "../tables/DataTable";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export interface Difference {
  field: string;
  theirs: ReactNode;
  yours: ReactNode;
}

/** The refusal of somebody who decided on what was no longer so; null for any other error. */
export function conflictOf(error: unknown): Problem | null {
  return error instanceof ApiError && error.status === 412 ? error.problem : null;
}

/** In what a thing is another one than was read, by what is said of it. */
export function otherwise<T>(facts: Record<string, (of: T) => string>, now: T, read: T): Difference[] {
  return Object.entries(facts)
    .map(([field, say]) => ({ field, theirs: say(now), yours: say(read) }))
    .filter((each) => each.theirs !== each.yours);
}

/** Somebody was faster: who and when, what differs, and the choice: leave it as they made it, or go on with what is written here. */
export function Conflict({
  of,
  differences,
  mine = t`yours`,
  onTheirs,
  onMine,
}: {
  of: Problem;
  differences: readonly Difference[];
  /** What stands against theirs: what was written here, or only what was read. */
  mine?: string;
  onTheirs: () => void;
  onMine: () => void;
}) {
  const { changed } = of;
  return (
    <div className="notice soft-wait" role="alert">
      <Shape tone="wait" />
      <div className="grow">
        <b>
          {changed ? (
            <>{rich`Changed by ${changed.who || t`Switchyard`} ${(<Age at={changed.at} />)}.`}</>
          ) : (
            t`Changed by another request.`
          )}
        </b>{" "}
        {t`Your change was not recorded.`}
        {changed?.what ? <div className="small">{worded(changed.what, changed.what_phrases)}</div> : null}
        {differences.length ? (
          <DataTable
            label={t`Differences`}
            isBoxed={false}
            isDense
            isFit
            rows={differences}
            rowKey={(each) => each.field}
            columns={[
              { header: t`Field`, isRowHeader: true, cell: (each) => each.field },
              { header: t`theirs`, cell: (each) => each.theirs },
              { header: mine, cell: (each) => each.yours },
            ]}
          />
        ) : null}
        <div className="row">
          <Button size="xs" onClick={onTheirs}>
            {t`Use theirs`}
          </Button>
          <Button size="xs" onClick={onMine}>
            {t`Review mine`}
          </Button>
        </div>
      </div>
    </div>
  );
}
