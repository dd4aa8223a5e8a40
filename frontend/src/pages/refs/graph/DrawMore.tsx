import { Button } from "@mantine/core";
import { useState } from "react";
import { HARD_CAP } from "./graph";
import { Dialog } from "../../../parts/forms/Dialog";
import { t } from "../../../words/text";

export function DrawMore({ total, onDraw }: { total: number; onDraw: () => void }) {
  const [asking, ask] = useState(false);
  const most = Math.min(HARD_CAP, total);
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => ask(true)}>
        {t`Show more…`}
      </Button>
      <Dialog opened={asking} onClose={() => ask(false)} title={t`Show ${most} resources?`}>
        <div className="stack">
          <p>
            {t`A large graph is hard to read and slow on some computers.`}{" "}
            {total > HARD_CAP
              ? t`More than ${HARD_CAP} are not drawn; the table lists all.`
              : t`The table lists all of them.`}
          </p>
          <div className="row end">
            <Button data-autofocus onClick={() => ask(false)}>
              {t`Cancel`}
            </Button>
            <Button
              variant="filled"
              onClick={() => {
                ask(false);
                onDraw();
              }}
            >
              {t`Show them`}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
