import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { send } from "../../api/client";
import { Copy } from "../../parts/Copy";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Loaded, Loading, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { components } from "../../wire/schema";
import { pathOf } from "./qr";
import { rich, t } from "../../words/text";

type State = components["schemas"]["SecondFactor"];
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

function Enter({ proposal, onSet }: { proposal: Proposal; onSet: (codes: SpareCodes) => void }) {
  const [code, setCode] = useState("");
  const set = useMutation({
    mutationFn: () => send<SpareCodes>("/session/totp", { method: "PUT", body: { code: code.trim() } }),
    onSuccess: onSet,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t`Scan the QR code with your authenticator, or enter the secret. Then type the displayed code.`}</p>
      <Qr rows={proposal.qr} />
      <div className="row command">
        <code>{proposal.secret}</code>
        <Copy value={proposal.secret} what={t`the secret`} />
      </div>
      <TextInput
        label={t`Current code`}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="one-time-code"
        inputMode="numeric"
        data-autofocus
      />
      {set.isError ? <ProblemPanel error={set.error} /> : null}
      <div className="row end">
        <Button type="submit" variant="filled" disabled={!code.trim()} loading={set.isPending}>
          {t`Turn on`}
        </Button>
      </div>
    </form>
  );
}

function SetUp({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const proposal = useQuery({
    queryKey: [...KEY, "proposal"],
    queryFn: () => send<Proposal>("/session/totp", { method: "POST" }),
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
    <Modal opened onClose={done} title={t`Set up an authenticator`} closeButtonProps={{ "aria-label": t`Close` }}>
      {codes ? (
        <SpareCodesShown codes={codes} onDone={done} />
      ) : proposal.isError ? (
        <ProblemPanel error={proposal.error} />
      ) : proposal.data ? (
        <Enter proposal={proposal.data} onSet={(answer) => setCodes(answer.recovery_codes)} />
      ) : (
        <Loading />
      )}
    </Modal>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [code, setCode] = useState("");
  const drop = useMutation({
    mutationFn: () => send("/session/totp/drop", { method: "POST", body: { code: code.trim() } }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: KEY, exact: true });
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Turn the second factor off?`}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim()) drop.mutate();
        }}
      >
        <p>{t`Without a passkey, your password alone signs you in, and the recovery codes are void.`}</p>
        <TextInput
          label={t`Current code`}
          description={t`Or one of your recovery codes.`}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
        />
        {drop.isError ? <ProblemPanel error={drop.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="filled" color="red" disabled={!code.trim()} loading={drop.isPending}>
            {t`Turn off`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Whether signing in asks for a code as well, and the way to change that. */
export function SecondFactor() {
  const state = useQuery({ queryKey: KEY, queryFn: ({ signal }) => send<State>("/session/totp", { signal }) });
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
              <Status of={{ tone: "unknown", word: t`off` }} />
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
