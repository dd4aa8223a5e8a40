import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, rehearsedChange, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { RemoveDialog } from "../../parts/forms/EditDialog";
import { KEPT_OPEN, ShownOnce } from "../../parts/forms/ShownOnce";
import { items, More, usePages } from "../../parts/tables/More";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { Delivery, Hook } from "../../wire/hooks";
import { scopeText } from "../windows/WindowsPage";
import { eventText } from "./events";
import { HookForm } from "./HookForm";
import { Dialog } from "../../parts/forms/Dialog";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export const deliveryWords: Record<Delivery["state"], { tone: "ok" | "wait" | "bad"; word: string }> = {
  delivered: { tone: "ok", word: t`delivered` },
  pending: { tone: "wait", word: t`pending` },
  failed: { tone: "bad", word: t`failed` },
};

/** What is on its way is looked at often enough to see it arrive. */
const soon = (underWay: boolean): number => (underWay ? 2_000 : 10_000);

/** What was refused is tried again; what was not tried yet is on its way. A disabled channel sends nothing meanwhile. */
function stateOf(row: Delivery, isActive: boolean): { tone: "ok" | "wait" | "bad"; word: string } {
  if (row.state !== "pending") return deliveryWords[row.state];
  if (!isActive) return { tone: "wait", word: t`waits until the channel is enabled` };
  return row.error ? { tone: "bad", word: t`failed, will be retried` } : deliveryWords.pending;
}

const formatWords: Record<Hook["format"], string> = {
  signed: t`Webhook`,
  slack: t`Slack`,
  teams: t`Teams`,
  email: t`Mail`,
};

export function hookWord(hook: Hook): { tone: "ok" | "wait" | "bad" | "plain"; word: string } {
  if (!hook.active) return { tone: "plain", word: t`disabled` };
  if (hook.retrying) return { tone: "bad", word: t`${hook.retrying} being retried` };
  if (hook.failed) return { tone: "bad", word: t`${hook.failed} failed` };
  return hook.waiting ? { tone: "wait", word: t`${hook.waiting} pending` } : { tone: "ok", word: t`active` };
}

function Secret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={t`The secret of this channel`} {...KEPT_OPEN}>
      <ShownOnce
        value={value}
        text={t`The secret is shown only once. The receiver verifies signatures with it.`}
        onClose={onClose}
      />
    </Dialog>
  );
}

function Log({ hook, may }: { hook: Hook; may: boolean }) {
  const cache = useQueryClient();
  const deliveries = usePages(
    ["deliveries", hook.id],
    ({ cursor, signal }) => read("/hooks/{id}/deliveries", { path: { id: hook.id }, query: { cursor }, signal }),
    (rows) => soon(rows.some((row) => row.state === "pending")),
  );
  const [open, setOpen] = useState<number | null>(null);
  const refresh = (): void => {
    void cache.invalidateQueries({ queryKey: ["deliveries"] });
    void cache.invalidateQueries({ queryKey: ["hooks"] });
  };
  const replay = useMutation({
    mutationFn: (id: number) =>
      write.post("/hooks/{id}/deliveries/{delivery}/replay", { path: { id: hook.id, delivery: id } }),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => write.post("/hooks/{id}/test", { path: { id: hook.id } }),
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
            <DataTable
              label={t`Deliveries`}
              rows={items(data)}
              rowKey={(row) => row.id}
              columns={[
                {
                  header: t`Event`,
                  isRowHeader: true,
                  cell: (row) => (
                    <>
                      {row.event}
                      <div className="small muted">{rich`number ${row.id}`}</div>
                    </>
                  ),
                },
                {
                  header: t`State`,
                  className: "top",
                  cell: (row) => (
                    <>
                      <Status of={stateOf(row, hook.active)} />
                      {row.error ? (
                        <div className="small ink-bad break">{worded(row.error, row.error_phrases)}</div>
                      ) : null}
                    </>
                  ),
                },
                { header: t`When`, className: "top", cell: (row) => <Time at={row.delivered_at ?? row.created_at} /> },
                { header: t`Response`, align: "end", cell: (row) => row.status ?? "–" },
                { header: t`Took`, align: "end", cell: (row) => (row.took_ms === null ? "–" : t`${row.took_ms} ms`) },
                { header: t`Tries`, align: "end", cell: (row) => row.attempts },
                {
                  header: t`Next try`,
                  className: "top",
                  cell: (row) => <Time at={hook.active ? row.next_at : null} />,
                },
                {
                  header: t`Action`,
                  isHeaderUnseen: true,
                  cell: (row) => (
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
                  ),
                },
              ]}
              detail={(row) =>
                open === row.id ? <pre className="json">{JSON.stringify(row.body, null, 2)}</pre> : null
              }
            />
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
    mutationFn: (id: string) => write.post("/hooks/{id}/rotate", { path: { id } }),
    onSuccess: (made) => {
      onSecret(made.secret);
      void cache.invalidateQueries({ queryKey: ["hooks"] });
    },
  });
  return (
    <>
      {rotate.isError ? <ProblemPanel error={rotate.error} /> : null}
      <DataTable
        label={t`Channels`}
        rows={hooks}
        rowKey={(hook) => hook.id}
        columns={[
          {
            header: t`Channel`,
            isRowHeader: true,
            cell: (hook) => (
              <>
                {hook.name}
                <div className="small muted mono break">{hook.address}</div>
              </>
            ),
          },
          { header: t`Format`, className: "top nowrap", cell: (hook) => formatWords[hook.format] },
          {
            header: t`State`,
            className: "top",
            cell: (hook) => (
              <>
                <Status of={hookWord(hook)} />
                {hook.former_until ? (
                  <div className="small muted">
                    {rich`old secret valid until ${(<Time at={hook.former_until} age={false} />)}`}
                  </div>
                ) : null}
              </>
            ),
          },
          { header: t`Events`, className: "small", cell: (hook) => hook.events.map(eventText).join("; ") },
          { header: t`Where`, cell: (hook) => scopeText({ ...hook, environment: "*" }) },
          { header: t`Created by`, cell: (hook) => hook.created_by },
          {
            header: t`Change`,
            isHeaderUnseen: true,
            isShown: may,
            cell: (hook) => (
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
            ),
          },
        ]}
      />
    </>
  );
}

export function HooksPage() {
  const hooks = useQuery({
    queryKey: ["hooks"],
    queryFn: ({ signal }) => read("/hooks", { signal }),
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
            was: removing,
            seen: removing.rev,
            change: (ifMatch) =>
              rehearsedChange.delete("/hooks/{id}", { path: { id: removing.id }, ifMatch }, () => null),
            refresh: [["hooks"]],
            text: <p>{t`It receives no further events, and its delivery log is deleted.`}</p>,
          }}
        />
      ) : null}
      {secret ? <Secret value={secret} onClose={() => show("")} /> : null}
    </Page>
  );
}
