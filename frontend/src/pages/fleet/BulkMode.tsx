import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/client";
import { problemFrom, problemText } from "../../api/problem";
import { Shape, type Tone } from "../../parts/Shape";
import type { Cell } from "../../wire/model";
import { Dialog } from "../../parts/forms/Dialog";
import { plural, t } from "../../words/text";

export interface Result {
  cell: Cell;
  tone: Tone;
  text: string;
}

/** What became of each, one by one. */
export function Outcomes({ of }: { of: readonly Result[] }) {
  return (
    <ul className="plain-list small" aria-label={t`Results`}>
      {of.map((each) => (
        <li key={each.cell.name}>
          <Shape tone={each.tone} size={13} /> {each.cell.service} @ {each.cell.region}: {each.text}
        </li>
      ))}
    </ul>
  );
}

/** Each deployment by itself: one that is refused keeps no other from being changed. */
export async function setMode(cells: readonly Cell[], automatic: boolean): Promise<Result[]> {
  const results: Result[] = [];
  for (const cell of cells) {
    if (cell.automatic === automatic) {
      results.push({ cell, tone: "plain", text: t`already set` });
      continue;
    }
    try {
      await write.put("/deployments/{service}/{region}", {
        path: { service: cell.service, region: cell.region },
        body: { deployment: { automaticVersionSwitch: automatic } },
        ifMatch: cell.rev,
      });
      results.push({ cell, tone: "ok", text: t`done` });
    } catch (error) {
      const problem = problemFrom(error);
      results.push({ cell, tone: problem.status === 403 ? "blocked" : "bad", text: problemText(problem) });
    }
  }
  return results;
}

/** Say of every selected deployment whether it switches by itself; what became of each is shown one by one. */
export function BulkMode({ cells }: { cells: readonly Cell[] }) {
  const cache = useQueryClient();
  const [asked, ask] = useState<boolean | null>(null);
  const change = useMutation({
    mutationFn: (automatic: boolean) => setMode(cells, automatic),
    onSettled: () => {
      for (const key of ["deployment", "fleet"]) void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  const open = (automatic: boolean): void => {
    change.reset();
    ask(automatic);
  };
  return (
    <>
      <Menu withinPortal>
        <Menu.Target>
          <Button size="xs">{t`Switch mode…`}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => open(true)}>{t`Switch automatically`}</Menu.Item>
          <Menu.Item onClick={() => open(false)}>{t`Switch manually`}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === null ? null : (
        <Dialog
          opened
          onClose={() => ask(null)}
          title={
            (asked ? t`Switch automatically: ` : t`Switch manually: `) +
            plural(cells.length, "# deployment", "# deployments")
          }
        >
          <div className="stack dialog">
            <p>
              {asked
                ? t`They switch automatically when every check passes and their approvals are complete.`
                : t`An operator starts each switch.`}{" "}
              {t`Running upgrades keep the mode of their plan.`}
            </p>
            {change.data ? <Outcomes of={change.data} /> : null}
            <div className="row end">
              <Button data-autofocus onClick={() => ask(null)}>
                {change.data ? t`Close` : t`Cancel`}
              </Button>
              {change.data ? null : (
                <Button variant="filled" loading={change.isPending} onClick={() => change.mutate(asked)}>
                  {t`Apply`}
                </Button>
              )}
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
