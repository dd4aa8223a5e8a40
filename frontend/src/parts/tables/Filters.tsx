import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import { t } from "../../words/text";

/** The filters of a list; on a phone behind one button, which says how many are set. */
export function Filters({ active, children }: { active: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className="filters-button">
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {active ? t`Filters (${active})` : t`Filters`}
        </Button>
      </div>
      <div id={id} className={`row wrap foldable ${open ? "" : "folded"}`}>
        {children}
      </div>
    </>
  );
}
