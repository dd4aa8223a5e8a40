import { Button, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, rehearsedChange } from "../../api/client";
import { useAccount, useFleet } from "../../api/queries";
import { ActionButton } from "../../parts/ActionButton";
import { EditDialog, RemoveDialog, WarningList } from "../../parts/forms/EditDialog";
import { shownMoment, valueOf, wrongMoment } from "../../parts/forms/moment";
import { MomentInput } from "../../parts/forms/MomentInput";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { durationText, serverNow } from "../../time/clock";
import { Time } from "../../time/Time";
import type { WindowRule } from "../../wire/model";
import { ConsideredRules } from "./ConsideredRules";
import { NextOpenings, windowForm } from "./forms";
import { Week } from "./Week";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

/** Where a rule counts: `*` is anywhere. */
export function scopeText(rule: { service: string; region: string; environment: string }): string {
  const parts = [rule.service, rule.region, rule.environment].map((each) => (each === "*" ? "" : each));
  return parts.every((each) => each === "") ? t`everywhere` : parts.filter(Boolean).join(" · ");
}

export function whenText(rule: Pick<WindowRule, "cron" | "minutes" | "starts" | "ends" | "zone">): string {
  const local = (text: string): string => text.replace("T", " ").replace(/:00$/, "");
  return rule.cron
    ? t`${rule.cron}, for ${durationText(rule.minutes * 60)} (${rule.zone})`
    : t`${local(rule.starts)} to ${local(rule.ends)} (${rule.zone})`;
}

export function overrunText(rule: Pick<WindowRule, "effect" | "overrun_minutes">): string {
  return t`no switch starts in the ${rule.overrun_minutes} min before it ${rule.effect === "allow" ? t`closes` : t`opens`}`;
}

/** Who may let an upgrade go past a rule. */
export function overridersText(of: readonly string[]): string {
  return of.length ? t`May be overridden by ${of.join(", ")}.` : t`No override allowed.`;
}

function Rules({
  rules,
  may,
  onEdit,
  onRemove,
}: {
  rules: WindowRule[];
  may: boolean;
  onEdit: (rule: WindowRule) => void;
  onRemove: (rule: WindowRule) => void;
}) {
  return (
    <DataTable
      label={t`Rules`}
      rows={rules}
      rowKey={(rule) => rule.name}
      columns={[
        {
          header: t`Rule`,
          isRowHeader: true,
          cell: (rule) => (
            <>
              {rule.name}
              <div className="small muted">{rule.created_by}</div>
            </>
          ),
        },
        {
          header: t`Effect`,
          className: "top",
          cell: (rule) => (
            <Status
              of={rule.effect === "allow" ? { tone: "ok", word: t`allows` } : { tone: "blocked", word: t`freezes` }}
            />
          ),
        },
        { header: t`Where`, cell: (rule) => scopeText(rule) },
        {
          header: t`When`,
          className: "mono small",
          cell: (rule) => (
            <>
              {whenText(rule)}
              {rule.overrun_minutes ? <div className="muted">{overrunText(rule)}</div> : null}
            </>
          ),
        },
        {
          header: t`Next`,
          cell: (rule) =>
            rule.next[0] ? (
              <>
                <Time at={rule.next[0].opens} />
                {rule.next[0].note ? <div className="small ink-wait">{worded(rule.next[0].note)}</div> : null}
                {rule.next.length > 1 ? (
                  <details className="small">
                    <summary>{rich`The next ${rule.next.length}`}</summary>
                    <NextOpenings of={rule.next} />
                  </details>
                ) : null}
              </>
            ) : (
              <span className="muted">{t`never again`}</span>
            ),
        },
        {
          header: t`Reason`,
          cell: (rule) => (
            <>
              {rule.reason || <span className="muted">–</span>}
              {rule.ticket ? <div className="small mono">{rule.ticket}</div> : null}
              <div className="small muted">{overridersText(rule.overriders ?? [])}</div>
            </>
          ),
        },
        {
          header: t`Change`,
          isHeaderUnseen: true,
          isShown: may,
          cell: (rule) => (
            <div className="row tight">
              <Button size="compact-xs" aria-label={t`Change ${rule.name}`} onClick={() => onEdit(rule)}>
                {t`Change…`}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={t`Remove ${rule.name}`}
                onClick={() => onRemove(rule)}
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

function Explain() {
  const { filters, set } = useFilters(["deployment", "at"]);
  const fleet = useFleet();
  const wrong = wrongMoment("moment", filters.at);
  const at = valueOf("moment", shownMoment(filters.at));
  const [settled] = useDebouncedValue(filters.at, 500);
  const ruling = useQuery({
    queryKey: ["windows", "explain", filters.deployment, filters.at],
    queryFn: ({ signal }) =>
      read("/windows/explain", {
        query: { deployment: filters.deployment, at: at ? `${at}Z` : "" },
        signal,
      }),
    enabled: filters.deployment !== "" && wrong === null,
  });
  return (
    <Card title={t`Check a deployment`}>
      <div className="row wrap ask">
        <Select
          w={340}
          label={t`Deployment`}
          placeholder={t`Choose a deployment`}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t`Clear deployment` }}
          data={(fleet.data?.cells ?? []).map((cell) => ({
            value: cell.name,
            label: `${cell.service} @ ${cell.region}`,
          }))}
          value={filters.deployment || null}
          onChange={(value) => set("deployment", value ?? "")}
          nothingFoundMessage={t`No deployment has that name.`}
        />
        <MomentInput
          kind="moment"
          label={t`At (UTC), or now`}
          value={filters.at}
          error={settled === filters.at ? wrong : null}
          onPut={(at) => set("at", at)}
        />
      </div>
      {filters.deployment === "" ? (
        <p className="muted">{t`All matching rules are shown with the effective one.`}</p>
      ) : wrong ? null : (
        <Loaded of={ruling} lines={2}>
          {(data) => (
            <>
              <p className={`sentence ${data.allowed ? "ink-ok" : "ink-bad"}`}>
                <Shape tone={data.allowed ? "ok" : "blocked"} size={18} /> {worded(data.sentence, data.phrases)}
              </p>
              {data.considered.length ? <ConsideredRules of={data} /> : null}
              {data.allowed || data.winner === "" ? null : (
                <p className="small muted">
                  {data.may_override
                    ? t`You may override it in the readiness checks of an upgrade.`
                    : overridersText(data.overriders)}
                </p>
              )}
              {data.next_open ? <p className="small">{rich`Opens next ${(<Time at={data.next_open} />)}`}</p> : null}
            </>
          )}
        </Loaded>
      )}
    </Card>
  );
}

export function WindowsPage() {
  const windows = useQuery({
    queryKey: ["windows"],
    queryFn: ({ signal }) => read("/windows", { signal }),
  });
  const may = useAccount()?.permissions.includes("window.write") ?? false;
  const [editing, edit] = useState<WindowRule | "new" | null>(null);
  const [removing, remove] = useState<WindowRule | null>(null);
  const [now] = useState(() => serverNow());
  return (
    <Page
      title={t`Windows and freezes`}
      actions={
        <ActionButton
          of={{
            action: "window.write",
            allowed: may,
            reason: t`Changing windows and freezes requires permission to change them.`,
            who_can: ["operator", "admin"],
          }}
          primary
          onAct={() => edit("new")}
        >
          {t`New window or freeze…`}
        </ActionButton>
      }
    >
      <Loaded of={windows}>
        {(data) => (
          <>
            <Week rules={data.items} now={now} />
            {data.items.length ? (
              <Card className="flush">
                <Rules rules={data.items} may={may} onEdit={edit} onRemove={remove} />
              </Card>
            ) : (
              <Card>
                <Empty
                  title={t`No windows or freezes.`}
                  command='swy windows set nights --effect allow --cron "0 22 * * *" --minutes 360 --zone Europe/Berlin'
                >
                  {t`Switches are allowed at any time, unless an approval policy requires a window.`}
                </Empty>
              </Card>
            )}
            <Explain />
          </>
        )}
      </Loaded>
      <p className="small muted">
        {rich`A freeze takes precedence over every window. The same rules apply here, in the API and in ${(<code>swy</code>)}.`}
      </p>
      {editing ? <EditDialog of={windowForm(editing === "new" ? null : editing)} onClose={() => edit(null)} /> : null}
      {removing ? (
        <RemoveDialog
          onClose={() => remove(null)}
          of={{
            title: t`Remove ${removing.name}`,
            button: t`Remove`,
            was: removing,
            seen: removing.rev,
            change: (ifMatch) =>
              rehearsedChange.delete("/windows/{name}", { path: { name: removing.name }, ifMatch }, (answer) => (
                <WarningList of={answer} />
              )),
            refresh: [["windows"], ["overview"], ["upgrade"]],
            text: (
              <p>
                {removing.effect === "allow"
                  ? t`Switches no longer wait for this window.`
                  : t`This freeze ends at once.`}
              </p>
            ),
          }}
        />
      ) : null}
    </Page>
  );
}
