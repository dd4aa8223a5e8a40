import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { send } from "../../api/client";
import { makePasskey, passkeysWork, type PasskeyAnswer } from "../../api/passkey";
import { PASSKEYS, usePasskeys, useSession } from "../../api/queries";
import { EditDialog } from "../../parts/EditDialog";
import { Card } from "../../parts/Page";
import { PasskeyButton } from "../../parts/PasskeyButton";
import { Refusal } from "../../parts/Refusal";
import { Scroll } from "../../parts/Scroll";
import { Loaded } from "../../parts/states";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { browserOf } from "./Sessions";
import { SpareCodesShown } from "./SecondFactor";
import { rich, t } from "../../words/text";

type Passkey = components["schemas"]["Passkey"];
type Added = components["schemas"]["PasskeyAdded"];
type Open = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey };

const FACTOR = ["session", "totp"];

function Add({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState(() => browserOf(navigator.userAgent));
  const adding = useMutation({
    mutationFn: async () =>
      send<Added>("/session/passkeys", { method: "POST", body: { name: name.trim(), answer: await makePasskey() } }),
    onSuccess: (added) => {
      void cache.invalidateQueries({ queryKey: PASSKEYS });
      void cache.invalidateQueries({ queryKey: FACTOR, exact: true });
      if (added.recovery_codes.length === 0) onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim()) adding.mutate();
  };
  const codes = adding.data?.recovery_codes ?? [];
  return (
    <Modal opened onClose={onClose} title={t`Add a passkey`} closeButtonProps={{ "aria-label": t`Close` }}>
      {codes.length ? (
        <SpareCodesShown codes={codes} onDone={onClose} />
      ) : (
        <form className="stack" onSubmit={submit}>
          <p>
            {t`Your device creates the passkey and asks for a biometric check or a PIN at each use. After
            that, your password alone does not sign you in.`}
          </p>
          <TextInput
            label={t`Name`}
            description={t`To identify it in this list.`}
            maxLength={60}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {adding.error ? <Refusal error={adding.error} /> : null}
          <div className="row end">
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" disabled={!name.trim()} loading={adding.isPending}>
              {t`Create`}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const cache = useQueryClient();
  const [code, setCode] = useState("");
  const remove = (shown: { answer: PasskeyAnswer } | { code: string }): Promise<unknown> =>
    send(`/session/passkeys/${passkey.id}/remove`, { method: "POST", body: shown });
  const gone = (): void => {
    void cache.invalidateQueries({ queryKey: PASSKEYS });
    void cache.invalidateQueries({ queryKey: FACTOR, exact: true });
    onClose();
  };
  const removing = useMutation({ mutationFn: () => remove({ code: code.trim() }), onSuccess: gone });
  return (
    <Modal opened onClose={onClose} title={t`Remove ${passkey.name}?`} closeButtonProps={{ "aria-label": t`Close` }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim()) removing.mutate();
        }}
      >
        <p>
          {t`It no longer signs you in. Without another second factor, your password alone signs you in,
          and the recovery codes are void.`}
        </p>
        <PasskeyButton hand={(answer) => remove({ answer })} onDone={gone}>
          {t`Confirm with a passkey and remove it`}
        </PasskeyButton>
        <TextInput
          label={t`Or enter a code`}
          description={t`From your authenticator, or one of your recovery codes.`}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
        />
        {removing.error ? <Refusal error={removing.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="filled" color="red" disabled={!code.trim()} loading={removing.isPending}>
            {t`Remove`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function List({ passkeys, onOpen }: { passkeys: readonly Passkey[]; onOpen: (open: Open) => void }) {
  return (
    <Scroll label={t`Passkeys`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`Added`}</th>
            <th scope="col">{t`Last used`}</th>
            <th scope="col">
              <span className="unseen">{t`Change`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((each) => (
            <tr key={each.id}>
              <th scope="row">{each.name}</th>
              <td>
                <Time at={each.created_at} />
              </td>
              <td>{each.last_used_at ? <Time at={each.last_used_at} /> : <span className="muted">{t`never`}</span>}</td>
              <td>
                <div className="row">
                  <Button
                    size="compact-xs"
                    aria-label={t`Rename ${each.name}`}
                    onClick={() => onOpen({ kind: "rename", passkey: each })}
                  >
                    {t`Rename…`}
                  </Button>
                  <Button
                    size="compact-xs"
                    aria-label={t`Remove ${each.name}`}
                    onClick={() => onOpen({ kind: "remove", passkey: each })}
                  >
                    {t`Remove…`}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The keys on one's devices that sign in and answer for critical decisions. */
export function Passkeys() {
  const result = usePasskeys();
  const host = useSession().data?.passkey_host;
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Card title={t`Passkeys`}>
      <Loaded of={result} lines={2}>
        {(data) => (
          <div className="stack">
            {data.items.length ? (
              <List passkeys={data.items} onOpen={setOpen} />
            ) : (
              <p>
                {t`A passkey is stored on your phone, computer or security key. It signs you in and confirms
                critical decisions without a password or a code.`}
              </p>
            )}
            {passkeysWork(host) ? (
              <div>
                <Button onClick={() => setOpen({ kind: "add" })}>{t`Add a passkey…`}</Button>
              </div>
            ) : (
              <p className="muted">
                {host && host !== window.location.hostname ? (
                  <>
                    {rich`Passkeys require the console address ${(<code>{host}</code>)}; this page was opened
                    as ${(<code>{window.location.hostname}</code>)}.`}
                  </>
                ) : (
                  t`Passkeys require https and a browser that supports them.`
                )}
              </p>
            )}
          </div>
        )}
      </Loaded>
      {open?.kind === "add" ? <Add onClose={close} /> : null}
      {open?.kind === "remove" ? <Remove passkey={open.passkey} onClose={close} /> : null}
      {open?.kind === "rename" ? (
        <EditDialog
          onClose={close}
          of={{
            title: t`Rename ${open.passkey.name}`,
            fields: [{ name: "name", label: t`Name`, kind: "text", required: true }],
            start: { name: open.passkey.name },
            path: `/session/passkeys/${open.passkey.id}`,
            method: "PUT",
            refresh: [PASSKEYS],
          }}
        />
      ) : null}
    </Card>
  );
}
