import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { change, write } from "../../api/client";
import { makePasskey, passkeysWork, type PasskeyAnswer } from "../../api/passkey";
import { PASSKEYS, usePasskeys, useSession } from "../../api/queries";
import { textOf } from "../../parts/forms/draft";
import { EditDialog } from "../../parts/forms/EditDialog";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { PasskeyButton } from "../../parts/forms/PasskeyButton";
import { Refusal } from "../../parts/forms/Refusal";
import { Loaded, ProblemPanel } from "../../parts/states";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { browserOf } from "./Sessions";
import { SpareCodesShown } from "./SecondFactor";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

type Passkey = components["schemas"]["Passkey"];
type Open = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey };

const FACTOR = ["session", "totp"];

function Add({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const form = useForm({ name: browserOf(navigator.userAgent) }, { name: required });
  const adding = useMutation({
    mutationFn: async (name: string) =>
      write.post("/session/passkeys", { body: { name: name.trim(), answer: await makePasskey() } }),
    onSuccess: (added) => {
      void cache.invalidateQueries({ queryKey: PASSKEYS });
      void cache.invalidateQueries({ queryKey: FACTOR, exact: true });
      if (added.recovery_codes.length === 0) onClose();
    },
  });
  const codes = adding.data?.recovery_codes ?? [];
  return (
    <Dialog opened onClose={onClose} title={t`Add a passkey`}>
      {codes.length ? (
        <SpareCodesShown codes={codes} onDone={onClose} />
      ) : (
        <Form of={form} onSend={({ name }) => adding.mutate(name)} error={adding.error}>
          <p>
            {t`Your device creates the passkey and asks for a biometric check or a PIN at each use. After
            that, your password alone does not sign you in.`}
          </p>
          <TextInput
            label={t`Name`}
            description={t`To identify it in this list.`}
            maxLength={60}
            required
            {...form.getInputProps("name")}
            data-autofocus
          />
          {adding.error ? <Refusal error={adding.error} /> : null}
          <div className="row end">
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" disabled={isBlank(form.values.name)} loading={adding.isPending}>
              {t`Create`}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const cache = useQueryClient();
  const form = useForm({ code: "" }, { code: required });
  const remove = (shown: { answer: PasskeyAnswer } | { code: string }): Promise<unknown> =>
    write.post("/session/passkeys/{id}/remove", { path: { id: passkey.id }, body: shown });
  const gone = (): void => {
    void cache.invalidateQueries({ queryKey: PASSKEYS });
    void cache.invalidateQueries({ queryKey: FACTOR, exact: true });
    onClose();
  };
  const removing = useMutation({ mutationFn: (code: string) => remove({ code: code.trim() }), onSuccess: gone });
  return (
    <Dialog opened onClose={onClose} title={t`Remove ${passkey.name}?`}>
      <Form of={form} onSend={({ code }) => removing.mutate(code)} error={removing.error}>
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
          {...form.getInputProps("code")}
          autoComplete="one-time-code"
        />
        {removing.error ? <ProblemPanel error={removing.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            variant="filled"
            color="red"
            disabled={isBlank(form.values.code)}
            loading={removing.isPending}
          >
            {t`Remove`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function List({ passkeys, onOpen }: { passkeys: readonly Passkey[]; onOpen: (open: Open) => void }) {
  return (
    <DataTable
      label={t`Passkeys`}
      rows={passkeys}
      rowKey={(each) => each.id}
      columns={[
        { header: t`Name`, isRowHeader: true, cell: (each) => each.name },
        { header: t`Added`, cell: (each) => <Time at={each.created_at} /> },
        {
          header: t`Last used`,
          cell: (each) =>
            each.last_used_at ? <Time at={each.last_used_at} /> : <span className="muted">{t`never`}</span>,
        },
        {
          header: t`Change`,
          isHeaderUnseen: true,
          cell: (each) => (
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
          ),
        },
      ]}
    />
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
            change: (draft) =>
              change.put("/session/passkeys/{id}", {
                path: { id: open.passkey.id },
                body: { name: textOf(draft, "name") },
              }),
            refresh: [PASSKEYS],
          }}
        />
      ) : null}
    </Card>
  );
}
