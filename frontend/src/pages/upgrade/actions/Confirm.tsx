import { Button, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { newKey, rehearse } from "../../../api/client";
import { CopyAs, quoted, type Twin } from "../../../parts/commands/CopyAs";
import { Checks } from "../../../parts/checks/Checks";
import { Conflict, conflictOf, otherwise, type Difference } from "../../../parts/forms/Conflict";
import { isNameTyped, NameConfirmation } from "../../../parts/forms/NameConfirmation";
import { Form } from "../../../parts/forms/Form";
import { useForm } from "../../../parts/forms/useForm";
import { Shape } from "../../../parts/Shape";
import { Loading, ProblemPanel } from "../../../parts/states";
import { passes, upgradeWord } from "../../../parts/status";
import type { Upgrade } from "../../../wire/model";
import { pathOf, useAct } from "../queries";
import { worded } from "../../../words/server";
import { Dialog } from "../../../parts/forms/Dialog";
import { rich, t } from "../../../words/text";

export interface Deed {
  action: string;
  title: string;
  button: string;
  text: ReactNode;
  danger: boolean;
  /** Irreversible deeds ask for the deployment's name. */
  typed: boolean;
  /** Whether the deed carries words for the others. */
  comment: "none" | "optional" | "required";
  ticket?: boolean | "required";
  /** A reason has to say something. */
  shortest?: number;
  /** For how many hours from now: the deed asks for a number. */
  hours?: number;
  /** The bound to begin with: the deed asks for a rate, or for none. */
  limit?: number;
  /** What cannot be rehearsed says so by itself. */
  unrehearsed?: boolean;
}

const spelled: Record<string, string> = {
  "settle comment": "--finding",
  "break-glass comment": "--reason",
  "throttle limit": "",
  "extend hours": "",
};

/** The same deed by hand: what `swy` and the API call it, with the words that are typed here. */
export function twinOfDeed(
  upgrade: Pick<Upgrade, "id" | "rev">,
  action: string,
  body: Record<string, string | number | null>,
): Twin {
  const words = Object.entries(body).map(([name, value]) =>
    [spelled[`${action} ${name}`] ?? `--${name}`, quoted(String(value ?? 0))].filter(Boolean).join(" "),
  );
  return {
    swy: ["swy upgrade", action, upgrade.id, ...words].join(" "),
    path: `/upgrades/${upgrade.id}/${action}`,
    method: "POST",
    body,
    ifMatch: upgrade.rev,
  };
}

const facts: Record<string, (of: Upgrade) => string> = {
  [t`State`]: (of) => upgradeWord(of).word,
  [t`Shards ready`]: (of) => t`${of.shards.ready} of ${of.shards.total}`,
  [t`Checks that do not pass`]: (of) =>
    of.readiness.checks
      .filter((check) => !passes(check))
      .map((check) => check.check)
      .join(", ") || t`none`,
  [t`Approvals`]: (of) => t`${of.readiness.approvals.votes_given} of ${of.readiness.approvals.needed}`,
  [t`Switches`]: (of) => (of.automatic ? t`automatic` : t`manual`),
  [t`Not before`]: (of) => String(of.plan["not_before"] ?? t`any time`),
  [t`Rate limit`]: (of) => (of.copy_limit ? `${of.copy_limit}/s` : t`no limit`),
};

/** In what an upgrade is another one than was read. */
export function moved(now: Upgrade, read: Upgrade): Difference[] {
  return otherwise(facts, now, read);
}

function Rehearsal({ upgrade, pendingAction: dialog }: { upgrade: Upgrade; pendingAction: Deed }) {
  const rehearsal = useQuery({
    queryKey: ["dry-run", upgrade.id, dialog.action, upgrade.rev],
    queryFn: async () =>
      rehearse.post(pathOf(dialog.action), { path: { id: upgrade.id }, body: {}, ifMatch: upgrade.rev }),
    retry: false,
    gcTime: 0,
  });
  if (rehearsal.isPending) return <Loading lines={2} />;
  if (rehearsal.isError) return <ProblemPanel error={rehearsal.error} retry={() => void rehearsal.refetch()} />;
  const { sentence, phrases, rehearsal: rehearsed } = rehearsal.data;
  const open = upgrade.readiness.checks.filter((check) => !passes(check));
  return (
    <div className="rehearsal">
      <h3>{t`Dry run: the server accepts this action`}</h3>
      {/* What only begins by the action leaves the state as it is: that is on the page behind. */}
      {sentence === upgrade.sentence ? null : <p>{worded(sentence, phrases)}</p>}
      {rehearsed?.steps.length ? (
        <ol className="would small">
          {rehearsed.steps.map((step) => (
            <li key={step.step}>{worded(step.text, step.phrases)}</li>
          ))}
        </ol>
      ) : null}
      {rehearsed?.stopped ? (
        <p className="row tight ink-wait">
          <Shape tone="wait" /> {rich`It would stop: ${worded(rehearsed.stopped, rehearsed.stopped_phrases)}`}
        </p>
      ) : null}
      {open.length && ["switch", "rollback", "request-approval"].includes(dialog.action) ? (
        <Checks checks={open} />
      ) : null}
    </div>
  );
}

/**
 * What happens, rehearsed; then the name. Before what cannot be taken back the focus starts on Cancel, and Enter does
 * nothing; anything else begins in its first field and is sent by Enter.
 */
export function Confirm({ upgrade, deed: operation, onClose }: { upgrade: Upgrade; deed: Deed; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [comment, setComment] = useState("");
  const [ticket, setTicket] = useState("");
  const [hours, setHours] = useState(operation.hours ?? 0);
  const [limit, setLimit] = useState<number | null>(operation.limit ?? null);
  const [key, setKey] = useState(newKey);
  const form = useForm({});
  const act = useAct(upgrade);
  const name = `${upgrade.service}@${upgrade.region}`;
  const named = !operation.typed || isNameTyped(typed, name);
  const said = operation.comment !== "required" || comment.trim().length >= (operation.shortest ?? 1);
  const ready = named && said && (operation.ticket !== "required" || ticket.trim() !== "");
  const stale = conflictOf(act.error);
  const [read, reread] = useState(upgrade);
  const guarded = operation.danger || operation.typed;
  const body = {
    ...(comment.trim() ? { comment: comment.trim() } : {}),
    ...(ticket.trim() ? { ticket: ticket.trim() } : {}),
    ...(operation.hours === undefined ? {} : { hours }),
    ...(operation.limit === undefined ? {} : { limit: limit || null }),
  };
  const blocked = !ready || stale !== null;
  const send = (): void => act.mutate({ action: operation.action, body, key }, { onSuccess: onClose });
  const onSend = (): void => {
    if (!guarded && !blocked && !act.isPending) send();
  };
  const hasField = operation.comment !== "none" || operation.hours !== undefined || operation.limit !== undefined;
  const first = guarded ? {} : { "data-autofocus": true };
  return (
    <Dialog opened onClose={onClose} title={operation.title} size="lg">
      <Form of={form} onSend={onSend} error={act.error} className="stack dialog">
        <div>{operation.text}</div>
        {operation.unrehearsed ? null : <Rehearsal upgrade={upgrade} pendingAction={operation} />}
        {operation.comment === "none" ? null : (
          <Textarea
            {...first}
            label={operation.comment === "required" ? t`Reason` : t`Comment`}
            required={operation.comment === "required"}
            {...(operation.shortest
              ? { description: t`At least ${operation.shortest} characters; the reviewer reads it.` }
              : {})}
            autosize
            minRows={2}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        )}
        {operation.ticket ? (
          <TextInput
            label={t`Ticket`}
            required={operation.ticket === "required"}
            placeholder={t`CHG-1234`}
            value={ticket}
            onChange={(event) => setTicket(event.currentTarget.value)}
          />
        ) : null}
        {operation.hours === undefined ? null : (
          <NumberInput
            {...first}
            label={t`Duration in hours`}
            min={1}
            max={2160}
            value={hours}
            onChange={(value) => setHours(Number(value) || 1)}
          />
        )}
        {operation.limit === undefined ? null : (
          <NumberInput
            {...first}
            label={t`Maximum resources per second`}
            description={t`Empty: no limit.`}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            thousandSeparator=","
            value={limit || ""}
            onChange={(value) => setLimit(Number(value) || null)}
          />
        )}
        {operation.typed ? <NameConfirmation name={name} value={typed} onChange={setTyped} /> : null}
        {stale ? (
          <Conflict
            of={stale}
            mine={t`you saw`}
            differences={moved((stale.current ?? upgrade) as unknown as Upgrade, read)}
            onTheirs={onClose}
            onMine={() => {
              reread(upgrade);
              setKey(newKey());
              act.reset();
            }}
          />
        ) : act.isError ? (
          <ProblemPanel error={act.error} />
        ) : null}
        <div className="row end">
          <CopyAs of={twinOfDeed(upgrade, operation.action, body)} label={t`a command: this action`} />
          <span className="grow" />
          {/* On a phone both go to the next line together. */}
          <div className="row end">
            <Button {...(guarded || !hasField ? { "data-autofocus": true } : {})} onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button
              variant="filled"
              {...(operation.danger ? { color: "red" } : {})}
              disabled={blocked}
              loading={act.isPending}
              {...(guarded ? { onClick: send } : { type: "submit" as const })}
            >
              {act.isPending ? t`Recording…` : operation.button}
            </Button>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}
