import { Button, Modal, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../api/client";
import { ActionButton } from "../../parts/ActionButton";
import { ProblemPanel } from "../../parts/states";
import type { Ruling, Upgrade } from "../../wire/model";
import { t } from "../../words/text";

function Dialog({ upgrade, ruling, onClose }: { upgrade: Upgrade; ruling: Ruling; onClose: () => void }) {
  const cache = useQueryClient();
  const [reason, setReason] = useState("");
  const lift = useMutation({
    mutationFn: () =>
      send(`/upgrades/${upgrade.id}/window-override`, { method: "POST", body: { reason: reason.trim() } }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ["upgrade", upgrade.id] });
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Override the window or freeze`}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <form
        className="stack dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim()) lift.mutate();
        }}
      >
        <p>{ruling.sentence}</p>
        <p>
          {t`The rule does not apply to this upgrade for one hour. All other checks apply. The activity records
          the account and the reason.`}
        </p>
        <Textarea
          label={t`Reason`}
          required
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {lift.isError ? <ProblemPanel error={lift.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="filled" color="red" disabled={reason.trim() === ""} loading={lift.isPending}>
            {t`Override`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Ready to switch, where a window or freeze forbids the switch: those whom it names may go past it; others are told who can. */
export function Override({ upgrade }: { upgrade: Upgrade }) {
  const check = upgrade.readiness.checks.find((each) => each.check === "window");
  const barred = upgrade.state === "READY" && check?.verdict === "fail";
  const ruling = useQuery({
    queryKey: ["windows", "explain", upgrade.deployment, ""],
    queryFn: ({ signal }) => send<Ruling>("/windows/explain", { query: { deployment: upgrade.deployment }, signal }),
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
          who_can: now.overriders,
        }}
        quiet
        full
        onAct={() => setOpen(true)}
      >
        {t`Override the window…`}
      </ActionButton>
      {open ? <Dialog upgrade={upgrade} ruling={now} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
