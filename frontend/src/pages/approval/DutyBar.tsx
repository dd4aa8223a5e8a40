import { Button, NumberInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { OnDuty, useDuty } from "../../parts/duty";
import { Form } from "../../parts/forms/Form";
import { useForm } from "../../parts/forms/useForm";
import { ProblemPanel } from "../../parts/states";
import { Dialog } from "../../parts/forms/Dialog";
import { t } from "../../words/text";

/** Who looks after approvals now, and the way to be one of them. */
export function DutyBar() {
  const cache = useQueryClient();
  const account = useAccount();
  const duty = useDuty();
  const [open, setOpen] = useState(false);
  const form = useForm({ hours: 8 });
  const turn = useMutation({
    mutationFn: (target: number) => (target ? write.put("/duty", { body: { hours: target } }) : write.delete("/duty")),
    onSuccess: () => setOpen(false),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["duty"] }),
  });
  if (!duty.data) return null;
  const people = duty.data.items;
  const mine = people.some((person) => person.name === account?.name);
  const may = account?.permissions.includes("approval.vote") ?? false;
  return (
    <div className="row between wrap small duty">
      <span>
        <span className="muted">{t`On duty now:`}</span> {people.length ? <OnDuty people={people} /> : t`none`}
      </span>
      {may ? (
        <span className="row tight">
          {mine ? (
            <Button size="compact-xs" variant="subtle" loading={turn.isPending} onClick={() => turn.mutate(0)}>
              {t`I am off duty`}
            </Button>
          ) : null}
          <Button
            size="xs"
            onClick={() => {
              turn.reset();
              setOpen(true);
            }}
          >
            {mine ? t`Change the end…` : t`I am on duty…`}
          </Button>
        </span>
      ) : null}
      <Dialog opened={open} onClose={() => setOpen(false)} title={t`On duty for approvals`}>
        <Form of={form} onSend={({ hours }) => turn.mutate(hours)} error={turn.error}>
          <p>{t`Your name is shown next to requests that you may decide, until your duty ends.`}</p>
          <NumberInput
            data-autofocus
            label={t`Duration in hours`}
            min={1}
            max={336}
            {...form.getInputProps("hours")}
            onChange={(value) => form.setFieldValue("hours", Number(value) || 1)}
          />
          {turn.isError ? <ProblemPanel error={turn.error} /> : null}
          <div className="row end">
            <Button onClick={() => setOpen(false)}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" loading={turn.isPending}>
              {t`I am on duty`}
            </Button>
          </div>
        </Form>
      </Dialog>
    </div>
  );
}
