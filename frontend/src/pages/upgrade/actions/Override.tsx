import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../../../api/client";
import { ActionButton } from "../../../parts/ActionButton";
import { Form } from "../../../parts/forms/Form";
import { isBlank, required, useForm } from "../../../parts/forms/useForm";
import { ProblemPanel } from "../../../parts/states";
import type { Ruling, Upgrade } from "../../../wire/model";
import { Dialog } from "../../../parts/forms/Dialog";
import { worded } from "../../../words/server";
import { t } from "../../../words/text";

function OverrideDialog({ upgrade, ruling, onClose }: { upgrade: Upgrade; ruling: Ruling; onClose: () => void }) {
  const cache = useQueryClient();
  const form = useForm({ reason: "" }, { reason: required });
  const lift = useMutation({
    mutationFn: (reason: string) =>
      write.post("/upgrades/{id}/window-override", { path: { id: upgrade.id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ["upgrade", upgrade.id] });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t`Override the window or freeze`}>
      <Form of={form} onSend={({ reason }) => lift.mutate(reason)} error={lift.error} className="stack dialog">
        <p>{worded(ruling.sentence, ruling.phrases)}</p>
        <p>
          {t`The rule does not apply to this upgrade for one hour. All other checks apply. The activity records
          the account and the reason.`}
        </p>
        <Textarea label={t`Reason`} required autosize minRows={2} {...form.getInputProps("reason")} />
        {lift.isError ? <ProblemPanel error={lift.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            variant="filled"
            color="red"
            disabled={isBlank(form.values.reason)}
            loading={lift.isPending}
          >
            {t`Override`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Ready to switch, where a window or freeze forbids the switch: those whom it names may go past it; others are told who can. */
export function Override({ upgrade }: { upgrade: Upgrade }) {
  const check = upgrade.readiness.checks.find((each) => each.check === "window");
  const barred = upgrade.state === "READY" && check?.verdict === "fail";
  const ruling = useQuery({
    queryKey: ["windows", "explain", upgrade.deployment, ""],
    queryFn: ({ signal }) => read("/windows/explain", { query: { deployment: upgrade.deployment }, signal }),
    enabled: barred,
  });
  const [open, setOpen] = useState(false);
  const now = ruling.data;
  if (!barred || !now || now.allowed) return null;
  return (
    <>
      <ActionButton
        of={{
          action: "window-override",
          allowed: now.may_override,
          reason: now.override_refusal,
          ...(now.override_refusal_phrases ? { phrases: now.override_refusal_phrases } : {}),
          who_can: now.overriders,
        }}
        quiet
        full
        onAct={() => setOpen(true)}
      >
        {t`Override the window…`}
      </ActionButton>
      {open ? <OverrideDialog upgrade={upgrade} ruling={now} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
