import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { read, write } from "../../api/client";
import { Copy } from "../../parts/Copy";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Loaded, Loading, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { components } from "../../wire/schema";
import { pathOf } from "./qr";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

type Proposal = components["schemas"]["Proposal"];
type SpareCodes = components["schemas"]["SpareCodes"];

const KEY = ["session", "totp"];

function Qr({ rows }: { rows: readonly string[] }) {
  // Dark on light in both themes: many readers do not take an inverted code.
  return (
    <svg
      className="qr"
      role="img"
      aria-label={t`QR code of the secret below`}
      width={208}
      height={208}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={pathOf(rows)} fill="#000" />
    </svg>
  );
}

/** Codes for the day a second factor is lost; whoever sees them keeps them. */
export function SpareCodesShown({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="stack">
      <div className="notice soft-wait">
        <Shape tone="wait" />{" "}
        {t`Store these codes with your passwords. Each code signs you in once if the authenticator or the
          passkey is lost. They are shown only now.`}
      </div>
      <ol className="mono spare-codes" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="row between">
        <span className="row small muted">
          <Copy value={codes.join("\n")} what={t`all codes`} /> {t`Copy all`}
        </span>
        <Button variant="filled" onClick={onDone}>
          {t`I have stored them`}
        </Button>
      </div>
    </div>
  );
}

function Enter({
  proposal,
  onSet,
  onClose,
}: {
  proposal: Proposal;
  onSet: (codes: SpareCodes) => void;
  onClose: () => void;
}) {
  const form = useForm({ code: "" }, { code: required });
  const field = useRef<HTMLInputElement>(null);
  // The dialog opened before there was a field.
  useEffect(() => field.current?.focus(), []);
  const set = useMutation({
    mutationFn: (code: string) => write.put("/session/totp", { body: { code: code.trim() } }),
    onSuccess: onSet,
  });
  return (
    <Form of={form} onSend={({ code }) => set.mutate(code)} error={set.error}>
      <p>{t`Scan the QR code with your authenticator, or enter the secret. Then type the displayed code.`}</p>
      <Qr rows={proposal.qr} />
      <div className="row command">
        <code>{proposal.secret}</code>
        <Copy value={proposal.secret} what={t`the secret`} />
      </div>
      <TextInput
        label={t`Current code`}
        {...form.getInputProps("code")}
        autoComplete="one-time-code"
        inputMode="numeric"
        ref={field}
      />
      {set.isError ? <ProblemPanel error={set.error} /> : null}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="filled" disabled={isBlank(form.values.code)} loading={set.isPending}>
          {t`Turn on`}
        </Button>
      </div>
    </Form>
  );
}

function SetUp({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const proposal = useQuery({
    queryKey: [...KEY, "proposal"],
    queryFn: () => write.post("/session/totp"),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const done = (): void => {
    void cache.invalidateQueries({ queryKey: KEY, exact: true });
    onClose();
  };
  return (
    <Dialog opened onClose={done} title={t`Set up an authenticator`}>
      {codes ? (
        <SpareCodesShown codes={codes} onDone={done} />
      ) : proposal.isError ? (
        <ProblemPanel error={proposal.error} />
      ) : proposal.data ? (
        <Enter proposal={proposal.data} onSet={(answer) => setCodes(answer.recovery_codes)} onClose={done} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const form = useForm({ code: "" }, { code: required });
  const drop = useMutation({
    mutationFn: (code: string) => write.post("/session/totp/drop", { body: { code: code.trim() } }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: KEY, exact: true });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t`Turn the second factor off?`}>
      <Form of={form} onSend={({ code }) => drop.mutate(code)} error={drop.error}>
        <p>{t`Without a passkey, your password alone signs you in, and the recovery codes are void.`}</p>
        <TextInput
          label={t`Current code`}
          description={t`Or one of your recovery codes.`}
          {...form.getInputProps("code")}
          autoComplete="one-time-code"
        />
        {drop.isError ? <ProblemPanel error={drop.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            variant="filled"
            color="red"
            disabled={isBlank(form.values.code)}
            loading={drop.isPending}
          >
            {t`Turn off`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Whether signing in asks for a code as well, and the way to change that. */
export function SecondFactor() {
  const state = useQuery({ queryKey: KEY, queryFn: ({ signal }) => read("/session/totp", { signal }) });
  const [open, setOpen] = useState<"set-up" | "turn-off" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Card title={t`Authenticator`}>
      <Loaded of={state}>
        {(data) =>
          data.is_set ? (
            <div className="stack">
              <Status of={{ tone: "ok", word: t`on` }} />
              <p>
                {rich`Sign-in requires a code from your authenticator. You have ${data.recovery_codes_left}
                recovery codes left.`}
              </p>
              <div>
                <Button onClick={() => setOpen("turn-off")}>{t`Turn off…`}</Button>
              </div>
            </div>
          ) : (
            <div className="stack">
              <Status of={{ tone: "plain", word: t`off` }} />
              <p>
                {t`An authenticator on your phone shows a code that changes every 30 seconds. Sign-in with
                the password then requires this code.`}
                {data.recovery_codes_left ? t` You have ${data.recovery_codes_left} recovery codes left.` : ""}
              </p>
              <div>
                <Button onClick={() => setOpen("set-up")}>{t`Set up…`}</Button>
              </div>
            </div>
          )
        }
      </Loaded>
      {open === "set-up" ? <SetUp onClose={close} /> : null}
      {open === "turn-off" ? <TurnOff onClose={close} /> : null}
    </Card>
  );
}
