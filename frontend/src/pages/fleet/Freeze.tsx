import { Button, Modal, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/client";
import { problemFrom, problemText } from "../../api/problem";
import { serverNow } from "../../time/clock";
import type { Cell } from "../../wire/model";
import type { components } from "../../wire/schema";
import { Outcomes, type Result } from "./BulkMode";
import { plural, t } from "../../words/text";

const HOUR_MS = 3_600_000;

/** The freeze of one deployment from an instant on, as the rules of windows have it. */
export function freezeOf(
  cell: Pick<Cell, "service" | "region">,
  from: number,
  hours: number,
  reason: string,
  ticket: string,
): components["schemas"]["NewWindowRequest"] {
  const local = (at: number): string => new Date(at).toISOString().slice(0, 16);
  const stamp = local(from).replace(/[-:T]/g, "");
  return {
    name: `freeze-${cell.service}-${cell.region}-${stamp}`.slice(0, 100),
    effect: "deny",
    zone: "UTC",
    service: cell.service,
    region: cell.region,
    starts: local(from),
    ends: local(from + hours * HOUR_MS),
    reason,
    ticket,
  };
}

/** Nothing selected may switch for a while; each deployment gets a freeze of its own, to be lifted by itself. */
export function Freeze({ cells }: { cells: readonly Cell[] }) {
  const cache = useQueryClient();
  const [open, setOpen] = useState(false);
  const [asked, ask] = useState({ hours: 24, reason: "", ticket: "" });
  const freeze = useMutation({
    mutationFn: async (): Promise<Result[]> => {
      const results: Result[] = [];
      for (const cell of cells) {
        try {
          await write.post("/windows", {
            body: freezeOf(cell, serverNow(Date.now()), asked.hours, asked.reason.trim(), asked.ticket.trim()),
          });
          results.push({ cell, tone: "ok", text: t`frozen` });
        } catch (error) {
          const problem = problemFrom(error);
          results.push({
            cell,
            tone: problem.status === 403 ? "blocked" : "bad",
            text: problemText(problem),
          });
        }
      }
      return results;
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: ["windows"] }),
  });
  return (
    <>
      <Button
        size="xs"
        onClick={() => {
          freeze.reset();
          setOpen(true);
        }}
      >
        {t`Freeze…`}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t`Freeze ${plural(cells.length, "# deployment", "# deployments")}`}
        closeButtonProps={{ "aria-label": t`Close` }}
      >
        <div className="stack dialog">
          {freeze.data ? (
            <Outcomes of={freeze.data} />
          ) : (
            <>
              <p>{t`They do not switch until the freeze ends. The backfill continues, and rollback stays possible.`}</p>
              <NumberInput
                data-autofocus
                label={t`Duration in hours`}
                min={1}
                max={2160}
                value={asked.hours}
                onChange={(value) => ask({ ...asked, hours: Number(value) || 1 })}
              />
              <TextInput
                label={t`Reason`}
                required
                description={t`Shown to operators who try to switch.`}
                value={asked.reason}
                onChange={(event) => ask({ ...asked, reason: event.currentTarget.value })}
              />
              <TextInput
                label={t`Ticket`}
                value={asked.ticket}
                onChange={(event) => ask({ ...asked, ticket: event.currentTarget.value })}
              />
            </>
          )}
          <div className="row end">
            <Button onClick={() => setOpen(false)}>{freeze.data ? t`Close` : t`Cancel`}</Button>
            {freeze.data ? null : (
              <Button
                variant="filled"
                disabled={!asked.reason.trim()}
                loading={freeze.isPending}
                onClick={() => freeze.mutate()}
              >
                {t`Freeze`}
              </Button>
            )}
          </div>
        </div>
      </Modal>
    </>
  );
}
