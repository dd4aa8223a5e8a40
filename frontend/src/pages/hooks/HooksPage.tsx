import { Button, Modal, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Copy } from "../../parts/Copy";
import { RemoveDialog } from "../../parts/EditDialog";
import { items, More, usePages } from "../../parts/More";
import { Card, Page } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { Time } from "../../time/Time";
import type { Delivery, Hook } from "../../wire/hooks";
import type { Page as PageOf } from "../../wire/model";
import { scopeText } from "../windows/WindowsPage";
import { HookForm } from "./HookForm";
import { rich, t } from "../../words/text";

const states: Record<Delivery["state"], { tone: "ok" | "wait" | "bad"; word: string }> = {
  delivered: { tone: "ok", word: t`delivered` },
  pending: { tone: "wait", word: t`pending` },
  failed: { tone: "bad", word: t`failed` },
};

/** What is on its way is looked at often enough to see it arrive. */
const soon = (underWay: boolean): number => (underWay ? 2_000 : 10_000);

/** What was refused is tried again; what was not tried yet is on its way. */
const stateOf = (row: Delivery): { tone: "ok" | "wait" | "bad"; word: string } =>
  row.state === "pending" && row.error ? { tone: "bad", word: t`failed, will be retried` } : states[row.state];

const formatWords: Record<Hook["format"], string> = {
  signed: t`Webhook`,
  slack: t`Slack`,
  teams: t`Teams`,
  email: t`Mail`,
};

export function hookWord(hook: Hook): { tone: "ok" | "wait" | "bad" | "unknown"; word: string } {
  if (!hook.active) return { tone: "unknown", word: t`off` };
  if (hook.retrying) return { tone: "bad", word: t`${hook.retrying} being retried` };
  if (hook.failed) return { tone: "bad", word: t`${hook.failed} failed` };
  return hook.waiting ? { tone: "wait", word: t`${hook.waiting} pending` } : { tone: "ok", word: t`all delivered` };
}

function Secret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={t`The secret of this channel`} closeButtonProps={{ "aria-label": t`Close` }}>
      <div className="stack">
        <div className="notice soft-wait">
          <Shape tone="wait" /> {t`The secret is shown only once. The receiver verifies signatures with it.`}
        </div>
        <div className="row command">
          <code>{value}</code>
          <Copy value={value} what={t`the secret`} />
        </div>
        <div className="row end">
          <Button variant="filled" data-autofocus onClick={onClose}>
            {t`Done`}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

function Log({ hook, may }: { hook: Hook; may: boolean }) {
  const cache = useQueryClient();
  const deliveries = usePages<Delivery>("deliveries", `/hooks/${hook.id}/deliveries`, {}, (rows) =>
    soon(rows.some((row) => row.state === "pending")),
  );
  const [open, setOpen] = useState<number | null>(null);
  const refresh = (): void => {
    void cache.invalidateQueries({ queryKey: ["deliveries"] });
    void cache.invalidateQueries({ queryKey: ["hooks"] });
  };
  const replay = useMutation({
    mutationFn: (id: number) => send(`/hooks/${hook.id}/deliveries/${id}/replay`, { method: "POST" }),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => send(`/hooks/${hook.id}/test`, { method: "POST" }),
    onSettled: refresh,
  });
  return (
    <Card
      title={t`Deliveries to ${hook.name}`}
      aside={
        may ? (
          <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send a test`}
          </Button>
        ) : null
      }
    >
      {replay.isError ? (
        <ProblemPanel error={replay.error} />
      ) : test.isError ? (
        <ProblemPanel error={test.error} />
      ) : null}
      <Loaded of={deliveries}>
        {(data) =>
          items(data).length === 0 ? (
            <Empty title={t`No deliveries yet.`}>{t`Future events are delivered.`}</Empty>
          ) : (
            <Scroll label={t`Deliveries`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t`Event`}</th>
                    <th scope="col">{t`State`}</th>
                    <th scope="col">{t`When`}</th>
                    <th scope="col" className="num">
                      {t`Response`}
                    </th>
                    <th scope="col" className="num">
                      {t`Took`}
                    </th>
                    <th scope="col" className="num">
                      {t`Tries`}
                    </th>
                    <th scope="col">{t`Next try`}</th>
                    <th scope="col">
                      <span className="unseen">{t`Action`}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items(data).map((row) => (
                    <Fragment key={row.id}>
                      <tr>
                        <th scope="row">
                          {row.event}
                          <div className="small muted">{rich`number ${row.id}`}</div>
                        </th>
                        <td className="top">
                          <Status of={stateOf(row)} />
                          {row.error ? <div className="small ink-bad break">{row.error}</div> : null}
                        </td>
                        <td className="top">
                          <Time at={row.delivered_at ?? row.created_at} />
                        </td>
                        <td className="num">{row.status ?? "–"}</td>
                        <td className="num">{row.took_ms === null ? "–" : t`${row.took_ms} ms`}</td>
                        <td className="num">{row.attempts}</td>
                        <td className="top">
                          <Time at={row.next_at} />
                        </td>
                        <td>
                          <div className="row tight">
                            <Button
                              size="compact-xs"
                              variant="subtle"
                              aria-expanded={open === row.id}
                              aria-label={t`Message ${row.id}`}
                              onClick={() => setOpen(open === row.id ? null : row.id)}
                            >
                              {open === row.id ? t`Close` : t`Message`}
                            </Button>
                            {may && row.state !== "pending" ? (
                              <Button
                                size="compact-xs"
                                loading={replay.isPending && replay.variables === row.id}
                                aria-label={t`Send ${row.id} again`}
                                onClick={() => replay.mutate(row.id)}
                              >
                                {t`Send again`}
                              </Button>
                            ) : null}
                          </div>
                        </td>
                      </tr>
                      {open === row.id ? (
                        <tr>
                          <td colSpan={8}>
                            <pre className="json">{JSON.stringify(row.body, null, 2)}</pre>
                          </td>
                        </tr>
                      ) : null}
                    </Fragment>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Loaded>
      <More of={deliveries} />
    </Card>
  );
}

function Table({
  hooks,
  may,
  onEdit,
  onRemove,
  onSecret,
}: {
  hooks: Hook[];
  may: boolean;
  onEdit: (hook: Hook) => void;
  onRemove: (hook: Hook) => void;
  onSecret: (secret: string) => void;
}) {
  const cache = useQueryClient();
  const rotate = useMutation({
    mutationFn: (id: string) => send<{ secret: string }>(`/hooks/${id}/rotate`, { method: "POST" }),
    onSuccess: (made) => {
      onSecret(made.secret);
      void cache.invalidateQueries({ queryKey: ["hooks"] });
    },
  });
  return (
    <>
      {rotate.isError ? <ProblemPanel error={rotate.error} /> : null}
      <Scroll label={t`Channels`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Channel`}</th>
              <th scope="col">{t`Format`}</th>
              <th scope="col">{t`State`}</th>
              <th scope="col">{t`Events`}</th>
              <th scope="col">{t`Where`}</th>
              <th scope="col">{t`Created by`}</th>
              {may ? (
                <th scope="col">
                  <span className="unseen">{t`Change`}</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {hooks.map((hook) => (
              <tr key={hook.id}>
                <th scope="row">
                  {hook.name}
                  <div className="small muted mono break">{hook.address}</div>
                </th>
                <td className="top nowrap">{formatWords[hook.format]}</td>
                <td className="top">
                  <Status of={hookWord(hook)} />
                  {hook.former_until ? (
                    <div className="small muted">
                      {rich`old secret valid until ${(<Time at={hook.former_until} age={false} />)}`}
                    </div>
                  ) : null}
                </td>
                <td className="mono small break">{hook.events.join(", ")}</td>
                <td>{scopeText({ ...hook, environment: "*" })}</td>
                <td>{hook.created_by}</td>
                {may ? (
                  <td>
                    <div className="row tight wrap">
                      <Button size="compact-xs" aria-label={t`Change ${hook.name}`} onClick={() => onEdit(hook)}>
                        {t`Change…`}
                      </Button>
                      {hook.format === "signed" ? (
                        <Button
                          size="compact-xs"
                          loading={rotate.isPending && rotate.variables === hook.id}
                          aria-label={t`New secret for ${hook.name}`}
                          onClick={() => rotate.mutate(hook.id)}
                        >
                          {t`New secret`}
                        </Button>
                      ) : null}
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        aria-label={t`Remove ${hook.name}`}
                        onClick={() => onRemove(hook)}
                      >
                        {t`Remove…`}
                      </Button>
                    </div>
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

export function HooksPage() {
  const hooks = useQuery({
    queryKey: ["hooks"],
    queryFn: ({ signal }) => send<PageOf<Hook>>("/hooks", { signal }),
    refetchInterval: (of) => soon(of.state.data?.items.some((hook) => hook.waiting) ?? false),
  });
  const may = useAccount()?.permissions.includes("access.manage") ?? false;
  const { filters, set } = useFilters(["hook"]);
  const [editing, edit] = useState<Hook | "new" | null>(null);
  const [removing, remove] = useState<Hook | null>(null);
  const [secret, show] = useState("");
  return (
    <Page
      title={t`Notifications`}
      actions={
        may ? (
          <Button variant="filled" onClick={() => edit("new")}>
            {t`New channel…`}
          </Button>
        ) : null
      }
    >
      <Loaded of={hooks}>
        {(data) => {
          if (data.items.length === 0)
            return (
              <Card>
                <Empty title={t`No channels yet.`}>
                  {t`A channel sends events: an upgrade is caught up, an approval is required, a component
                  is down. It sends to Slack, Teams, email, or a signed webhook. Failed deliveries are
                  retried and logged.`}
                </Empty>
              </Card>
            );
          const chosen = data.items.find((hook) => hook.id === filters.hook) ?? data.items[0];
          return (
            <>
              <Card className="flush">
                <Table hooks={data.items} may={may} onEdit={edit} onRemove={remove} onSecret={show} />
              </Card>
              {data.items.length > 1 ? (
                <Select
                  maw={320}
                  aria-label={t`Log of`}
                  data={data.items.map((hook) => ({ value: hook.id, label: hook.name }))}
                  value={chosen?.id ?? null}
                  onChange={(value) => set("hook", value ?? "")}
                  allowDeselect={false}
                />
              ) : null}
              {chosen ? <Log key={chosen.id} hook={chosen} may={may} /> : null}
            </>
          );
        }}
      </Loaded>
      {editing ? (
        <HookForm hook={editing === "new" ? null : editing} onClose={() => edit(null)} onSecret={show} />
      ) : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove ${removing.name}`,
            button: t`Remove`,
            path: `/hooks/${removing.id}`,
            was: removing,
            seen: removing.rev,
            refresh: [["hooks"]],
            text: <p>{t`It receives no further events, and its delivery log is deleted.`}</p>,
          }}
        />
      ) : null}
      {secret ? <Secret value={secret} onClose={() => show("")} /> : null}
    </Page>
  );
}
