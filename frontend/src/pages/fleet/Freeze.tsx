import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/client";
import { problemFrom, problemText } from "../../api/problem";
import { serverNow } from "../../time/clock";
import { Form } from "../../parts/forms/Form";
import { required, useForm } from "../../parts/forms/useForm";
import type { Cell } from "../../wire/model";
import type { components } from "../../wire/schema";
import { Outcomes, type Result } from "./BulkMode";
import { Dialog } from "../../parts/forms/Dialog";
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
  const form = useForm({ hours: 24, reason: "", ticket: "" }, { reason: required });
  const freeze = useMutation({
    mutationFn: async (asked: typeof form.values): Promise<Result[]> => {
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
          form.reset();
          setOpen(true);
        }}
      >
        {t`Freeze…`}
      </Button>
      <Dialog
        opened={open}
        onClose={() => setOpen(false)}
        title={t`Freeze ${plural(cells.length, "# deployment", "# deployments")}`}
      >
        {freeze.data ? (
          <div className="stack dialog">
            <Outcomes of={freeze.data} />
            <div className="row end">
              {/* eslint-disable-next-line jsx-a11y/no-autofocus -- what was pressed to get here is gone */}
              <Button autoFocus onClick={() => setOpen(false)}>{t`Close`}</Button>
            </div>
          </div>
        ) : (
          <Form of={form} onSend={(asked) => freeze.mutate(asked)} className="stack dialog">
            <p>{t`They do not switch until the freeze ends. The backfill continues, and rollback stays possible.`}</p>
            <NumberInput
              data-autofocus
              label={t`Duration in hours`}
              min={1}
              max={2160}
              {...form.getInputProps("hours")}
              onChange={(value) => form.setFieldValue("hours", Number(value) || 1)}
            />
            <TextInput
              label={t`Reason`}
              required
              description={t`Shown to operators who try to switch.`}
              {...form.getInputProps("reason")}
            />
            <TextInput label={t`Ticket`} {...form.getInputProps("ticket")} />
            <div className="row end">
              <Button onClick={() => setOpen(false)}>{t`Cancel`}</Button>
              <Button type="submit" variant="filled" loading={freeze.isPending}>
                {t`Freeze`}
              </Button>
            </div>
          </Form>
        )}
      </Dialog>
    </>
  );
}
