import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { change, read, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { RemoveDialog } from "../../parts/forms/EditDialog";
import { Form } from "../../parts/forms/Form";
import { KEPT_OPEN, ShownOnce } from "../../parts/forms/ShownOnce";
import { required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import { serverNow } from "../../time/clock";
import type { Token } from "../../wire/model";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

const DAY_MS = 86_400_000;
const ends = [
  { value: "7", label: t`in 7 days` },
  { value: "30", label: t`in 30 days` },
  { value: "90", label: t`in 90 days` },
];

const STALE_DAYS = 30;

/** Valid, and for a month nobody used it: a secret that lies about for nothing. */
export function isStale(token: Token, now: number): boolean {
  return (
    tokenWord(token, now).tone !== "unknown" &&
    Date.parse(token.last_used_at ?? token.created_at) < now - STALE_DAYS * DAY_MS
  );
}

export function tokenWord(
  token: Pick<Token, "revoked_at" | "expires_at">,
  now: number,
): { tone: "ok" | "unknown" | "wait"; word: string } {
  if (token.revoked_at) return { tone: "unknown", word: t`revoked` };
  const left = token.expires_at ? Date.parse(token.expires_at) - now : Number.POSITIVE_INFINITY;
  if (left <= 0) return { tone: "unknown", word: t`expired` };
  return left < 7 * DAY_MS ? { tone: "wait", word: t`ends soon` } : { tone: "ok", word: t`valid` };
}

const PLACES = { scopes: "scope", expires_at: "days" };

function NewToken({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const permissions = useAccount()?.permissions ?? [];
  const form = useForm({ name: "", scope: "*", days: "30", networks: "" }, { name: required });
  const make = useMutation({
    mutationFn: ({ name, scope, days, networks }: typeof form.values) =>
      write.post("/tokens", {
        body: {
          name: name.trim(),
          scopes: [scope],
          networks: networks.split(/[\s,]+/).filter(Boolean),
          expires_at: new Date(serverNow() + Number(days) * DAY_MS).toISOString(),
        },
      }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const scopes = ["*", ...new Set(permissions.map((each) => `${each.split(".")[0] ?? each}.*`))];
  return (
    <Dialog opened onClose={onClose} title={t`New token`} {...(make.data ? KEPT_OPEN : {})}>
      {make.data ? (
        <ShownOnce value={make.data.secret} text={t`The token is shown only once. Copy it now.`} onClose={onClose} />
      ) : (
        <Form of={form} onSend={(values) => make.mutate(values)} error={make.error} places={PLACES}>
          <TextInput
            data-autofocus
            label={t`Name`}
            required
            description={t`Its user, for example the name of a pipeline.`}
            {...form.getInputProps("name")}
          />
          <Select
            label={t`Scopes`}
            data={scopes.map((each) => ({ value: each, label: each === "*" ? t`all your permissions` : each }))}
            allowDeselect={false}
            {...form.getInputProps("scope")}
          />
          <Select label={t`Ends`} data={ends} allowDeselect={false} {...form.getInputProps("days")} />
          <TextInput
            label={t`Allowed networks`}
            description={t`For example 10.20.0.0/16, separated by commas. Empty: any network.`}
            {...form.getInputProps("networks")}
          />
          {make.isError ? <ProblemPanel error={make.error} /> : null}
          <div className="row end">
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" loading={make.isPending}>
              {t`Create`}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function Rows({ tokens, own }: { tokens: Token[]; own: string }) {
  const [revoking, revoke] = useState<Token | null>(null);
  return (
    <>
      <DataTable
        label={t`Tokens`}
        rows={tokens}
        rowKey={(token) => token.id}
        columns={[
          {
            header: t`Token`,
            isRowHeader: true,
            cell: (token) => (
              <>
                {token.name}
                <div className="small muted">
                  {token.account === own ? "" : t`of ${token.account}, `}
                  {token.created_by === token.account ? "" : t`created by ${token.created_by}, `}
                  <span className="mono">{token.id}</span>
                </div>
              </>
            ),
          },
          {
            header: t`State`,
            className: "top",
            cell: (token) => (
              <>
                <Status of={tokenWord(token, serverNow())} />
                {isStale(token, serverNow()) ? (
                  <div className="small ink-wait">{rich`unused for ${STALE_DAYS} days`}</div>
                ) : null}
              </>
            ),
          },
          {
            header: t`Scopes`,
            className: "mono small",
            cell: (token) => (
              <>
                {token.scopes.map((scope) => (scope === "*" ? t`all permissions` : scope)).join(", ")}
                {token.networks.length ? <div className="muted">{rich`from ${token.networks.join(", ")}`}</div> : null}
              </>
            ),
          },
          {
            header: t`Ends`,
            className: "top",
            cell: (token) =>
              token.expires_at ? <Time at={token.expires_at} /> : <span className="ink-wait">{t`never`}</span>,
          },
          {
            header: t`Last used`,
            className: "top",
            cell: (token) => (
              <>
                <Time at={token.last_used_at} />
                {token.last_used_from ? <div className="small muted mono">{token.last_used_from}</div> : null}
              </>
            ),
          },
          {
            header: t`Revoke`,
            isHeaderUnseen: true,
            className: "top",
            cell: (token) =>
              tokenWord(token, serverNow()).tone === "unknown" ? null : (
                <Button size="compact-xs" aria-label={t`Revoke ${token.name}`} onClick={() => revoke(token)}>
                  {t`Revoke…`}
                </Button>
              ),
          },
        ]}
      />
      {revoking ? (
        <RemoveDialog
          onClose={() => revoke(null)}
          of={{
            title: t`Revoke ${revoking.name}`,
            button: t`Revoke`,
            was: revoking,
            seen: "",
            change: () => change.delete("/tokens/{token}", { path: { token: revoking.id } }),
            refresh: [["tokens"]],
            text: <p>{t`Requests with it are refused from now on. A revoked token does not come back.`}</p>,
          }}
        />
      ) : null}
    </>
  );
}

export function Tokens() {
  const account = useAccount();
  const { filters, set } = useFilters(["all"]);
  const everybody = filters.all === "true" && (account?.permissions.includes("access.read") ?? false);
  const tokens = useQuery({
    queryKey: ["tokens", everybody],
    queryFn: ({ signal }) => read("/tokens", { query: everybody ? { all: true } : {}, signal }),
  });
  const [making, setMaking] = useState(false);
  const stale = tokens.data?.items.filter((token) => isStale(token, serverNow())).length ?? 0;
  return (
    <Card
      title={everybody ? t`All tokens` : t`Your tokens`}
      aside={
        <>
          {account?.permissions.includes("access.read") ? (
            <Checkbox
              size="xs"
              label={t`All users`}
              checked={everybody}
              onChange={(event) => set("all", event.currentTarget.checked ? "true" : "")}
            />
          ) : null}
          <Button size="xs" variant="filled" onClick={() => setMaking(true)}>
            {t`New token…`}
          </Button>
        </>
      }
    >
      {stale ? (
        <p className="small ink-wait">
          {rich`${stale === 1 ? t`One token was` : t`${stale} tokens were`} not used for ${STALE_DAYS} days.
            Revoke unused tokens.`}
        </p>
      ) : null}
      <Loaded of={tokens}>
        {(data) =>
          data.items.length ? (
            <Rows tokens={data.items} own={account?.name ?? ""} />
          ) : (
            <Empty title={t`No tokens.`}>
              {rich`A token lets a script or ${(<code>swy</code>)} act for you, with the scopes that you select.`}
            </Empty>
          )
        }
      </Loaded>
      {making ? <NewToken onClose={() => setMaking(false)} /> : null}
    </Card>
  );
}
