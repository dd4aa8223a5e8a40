import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { problemFrom } from "../../api/problem";
import { t } from "../../words/text";

/** Whether a list may not be read by who asked: then there is nothing to filter. */
export const isForbidden = (of: UseQueryResult<unknown>): boolean => of.isError && problemFrom(of.error).status === 403;

/** The filters of the list `of`, once it may be read; on a phone behind one button, which says how many are set. */
export function Filters({
  of,
  active,
  children,
}: {
  of: UseQueryResult<unknown>;
  active: number;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const id = useId();
  if (isForbidden(of)) return null;
  // Another choice asks again: what was drawn stays while that answer is awaited.
  if (!isAnswered && !of.isPending) setAnswered(true);
  const unseen = isAnswered ? {} : { style: { display: "none" } };
  return (
    <>
      <div className="filters-button" {...unseen}>
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {active ? t`Filters (${active})` : t`Filters`}
        </Button>
      </div>
      <div id={id} className={`row wrap foldable ${open ? "" : "folded"}`} {...unseen}>
        {children}
      </div>
    </>
  );
}
