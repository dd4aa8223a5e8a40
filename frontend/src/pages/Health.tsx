import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { buildHere } from "../api/build";
import { read, write } from "../api/client";
import { useAccount, useHealth, useSession } from "../api/queries";
import { ActionButton } from "../parts/ActionButton";
import { bySeverity, summary } from "../parts/componentHealth";
import { componentName, workClassName } from "../parts/componentNames";
import { Card, Page } from "../parts/Page";
import { Status } from "../parts/Status";
import { componentWords, type Word } from "../parts/status";
import { useFilters } from "../parts/search";
import { Empty, Loaded, ProblemPanel, Sentence } from "../parts/states";
import { DataTable } from "../parts/tables/DataTable";
import { Time } from "../time/Time";
import type { Component, ComponentStatus, Health } from "../wire/model";
import { groupsOf, worstFirst } from "./health/groups";
import { WorkName } from "./health/WorkName";
import type { components as shapes } from "../wire/schema";
import { worded } from "../words/server";
import { plural, rich, t } from "../words/text";

type Page_<Name extends keyof shapes["schemas"]> = shapes["schemas"][Name];

/** What is of no region. */
const OWN = t`Switchyard`;

/** A part by its name, and by the key that `swy` and the logs use where that is another word. */
function NameOf({ of }: { of: string }) {
  const name = componentName(of);
  return (
    <>
      {name}
      {name.toLowerCase() === of || name.endsWith(of.replace("data ", "")) ? null : (
        <div className="small muted mono">{of}</div>
      )}
    </>
  );
}

/** What is not well is shown, worst first; what is well is one line that can be opened. */
export function HealthTable({ components }: { components: readonly Component[] }) {
  const well = components.filter((component) => component.status === "ok");
  if (well.length === components.length) return <ComponentTable label={t`Healthy components`} components={well} />;
  const others = bySeverity(components.filter((component) => component.status !== "ok"));
  return (
    <>
      {others.length ? <ComponentTable label={t`Components`} components={others} /> : null}
      {well.length ? (
        <details className="well-controllers">
          <summary className="small">{plural(well.length, "# healthy component", "# healthy components")}</summary>
          <ComponentTable label={t`Healthy components`} components={well} />
        </details>
      ) : null}
    </>
  );
}

function ComponentTable({ label, components }: { label: string; components: readonly Component[] }) {
  return (
    <DataTable
      label={label}
      boxClass="whole"
      rows={components}
      rowKey={(component) => component.name}
      columns={[
        { header: t`Component`, isRowHeader: true, cell: (component) => <NameOf of={component.name} /> },
        { header: t`State`, cell: (component) => <Status of={componentWords[component.status]} /> },
        {
          header: t`Detail`,
          cell: (component) => (
            <>
              {worded(component.detail, component.phrases)}
              {component.remedy ? (
                <div className="small">
                  <b>{t`Remedy:`}</b> <Sentence text={worded(component.remedy, component.remedy_phrases)} />
                </div>
              ) : null}
              {component.status === "ok" ? null : (
                <div className="small">
                  <Link to={component.runbook}>{rich`Runbook: ${componentName(component.name)}`}</Link>
                </div>
              )}
            </>
          ),
        },
        {
          header: t`Since`,
          cell: (component) => (component.since ? <Time at={component.since} /> : <span className="muted">–</span>),
        },
      ]}
    />
  );
}

type WorkClass = shapes["schemas"]["WorkClass"];

/** From when on a class of work that waits for a worker is marked. */
export const LATE_SECONDS = 30;

export function WorkClasses({ classes }: { classes: readonly WorkClass[] }) {
  const total = classes.reduce((sum, row) => sum + (row.share ?? 0), 0);
  return (
    <DataTable
      label={t`Classes of work`}
      boxClass="whole"
      rows={classes}
      rowKey={(row) => row.work_class}
      columns={[
        { header: t`Class of work`, isRowHeader: true, cell: (row) => workClassName(row.work_class) },
        {
          header: t`State`,
          cell: (row) => (
            <Status
              of={row.late_seconds > LATE_SECONDS ? { tone: "wait", word: t`late` } : { tone: "ok", word: t`on time` }}
            />
          ),
        },
        {
          header: t`Share`,
          align: "end",
          cell: (row) => (row.share === null ? t`first` : `${Math.round((100 * row.share) / total)} %`),
        },
        { header: t`Tasks due`, align: "end", cell: (row) => row.due },
        { header: t`Delay`, align: "end", cell: (row) => (row.due ? `${row.late_seconds.toFixed(1)} s` : "–") },
        { header: t`Worker time`, align: "end", cell: (row) => `${row.used_seconds.toFixed(1)} s` },
      ]}
    />
  );
}

type Turns = Page_<"ControllerPage">["items"][number];

/** A controller needs a look where something waits for it and nobody takes it, or for a person. */
export function turnsWord(of: Pick<Turns, "held" | "late" | "quarantined">): Word {
  if (of.quarantined) return { tone: "bad", word: t`${of.quarantined} quarantined` };
  if (of.late) return { tone: "wait", word: t`${of.late} late` };
  return of.held ? { tone: "run", word: t`running` } : { tone: "ok", word: t`on schedule` };
}

/** The worker that a lease names as `host:process:thread`, in words. */
export function workerText(leader: string): string {
  const [, host = "", process = ""] = /^(.+?):(\d+)(?::.*)?$/.exec(leader) ?? [];
  return host ? t`process ${process} on ${host}` : leader || "–";
}

function ControllerTable({ label, rows }: { label: string; rows: readonly Turns[] }) {
  return (
    <DataTable
      label={label}
      boxClass="whole"
      rows={rows}
      rowKey={(row) => `${row.region} ${row.controller}`}
      columns={[
        { header: t`Region`, isRowHeader: true, cell: (row) => row.region || <span className="muted">{OWN}</span> },
        { header: t`Controller`, cell: (row) => <NameOf of={row.controller} /> },
        { header: t`State`, cell: (row) => <Status of={turnsWord(row)} /> },
        { header: t`Tasks`, align: "end", cell: (row) => row.keys },
        { header: t`Held by`, isHiddenOnPhone: true, className: "small", cell: (row) => workerText(row.leader) },
        {
          header: t`Last run`,
          className: "top",
          cell: (row) =>
            row.last_turn_at ? <Time at={row.last_turn_at} /> : <span className="muted">{t`none finished yet`}</span>,
        },
      ]}
    />
  );
}

/** What is late or quarantined is shown; what runs on schedule is one line that can be opened. */
function FoldedControllers({ rows }: { rows: readonly Turns[] }) {
  const well = rows.filter((row) => !row.late && !row.quarantined);
  const open = rows.filter((row) => row.late || row.quarantined);
  if (open.length === 0) return <ControllerTable label={t`Controllers on schedule`} rows={well} />;
  return (
    <>
      {open.length ? <ControllerTable label={t`Controllers`} rows={open} /> : null}
      {well.length ? (
        <details className="well-controllers">
          <summary className="small">
            {plural(well.length, "# controller runs on schedule", "# controllers run on schedule")}
          </summary>
          <ControllerTable label={t`Controllers on schedule`} rows={well} />
        </details>
      ) : null}
    </>
  );
}

function Controllers({ rows }: { rows: readonly Turns[] }) {
  const { filters, set } = useFilters(["region"]);
  const regions = [...new Set(rows.map((row) => row.region))];
  const shown = rows.filter((row) => !filters.region || (row.region || OWN) === filters.region);
  return (
    <>
      <Select
        size="xs"
        w={220}
        mx="md"
        aria-label={t`Region`}
        placeholder={t`Every region`}
        clearable
        clearButtonProps={{ "aria-label": t`Clear region` }}
        data={regions.map((region) => region || OWN)}
        value={filters.region || null}
        onChange={(value) => set("region", value ?? "")}
      />
      {shown.length ? <FoldedControllers rows={shown} /> : <Empty title={t`No controller has run yet.`} />}
    </>
  );
}

/** All controllers are as the worst of them; of none that has run nothing is known. */
function controllersStatus(rows: readonly Turns[]): ComponentStatus {
  if (rows.length === 0) return "unknown";
  if (rows.some((row) => row.quarantined)) return "down";
  return rows.some((row) => row.late) ? "degraded" : "ok";
}

interface Group {
  name: string;
  status: ComponentStatus;
  count: string;
  content: ReactNode;
}

function useControllersGroup(): Group {
  const result = useQuery({
    queryKey: ["health", "controllers"],
    queryFn: ({ signal }) => read("/health/controllers", { signal }),
    refetchInterval: 5_000,
  });
  const rows = result.data?.items;
  return {
    name: t`Controllers`,
    status: rows ? controllersStatus(rows) : "unknown",
    count: rows ? plural(rows.length, "# controller", "# controllers") : "",
    content: <Loaded of={result}>{(data) => <Controllers rows={data.items} />}</Loaded>,
  };
}

/** One list: groups of components, classes of work and controllers; the worst first, healthy ones folded. */
export function HealthGroups({ of }: { of: Health }) {
  const controllers = useControllersGroup();
  const isLate = of.work_classes.some((row) => row.late_seconds > LATE_SECONDS);
  const groups: Group[] = groupsOf(of.components).map(({ name, status, components }) => ({
    name,
    status,
    count: plural(components.length, "# component", "# components"),
    content: <HealthTable components={components} />,
  }));
  if (of.work_classes.length)
    groups.push({
      name: t`Classes of work`,
      status: isLate ? "degraded" : "ok",
      count: plural(of.work_classes.length, "# class", "# classes"),
      content: <WorkClasses classes={of.work_classes} />,
    });
  groups.push(controllers);
  return (
    <Card className="flush">
      {worstFirst(groups).map((group) => (
        <details key={group.name} className="health-group" open={group.status !== "ok"}>
          <summary>
            <Status of={componentWords[group.status]} /> <b>{group.name}</b>{" "}
            <span className="small muted">{group.count}</span>
          </summary>
          {group.content}
        </details>
      ))}
    </Card>
  );
}

export function QuarantinedWork() {
  const cache = useQueryClient();
  const may = useAccount()?.permissions.includes("work.retry") ?? false;
  const match = useQuery({
    queryKey: ["health", "quarantined"],
    queryFn: ({ signal }) => read("/health/quarantined-work", { signal }),
    refetchInterval: 10_000,
  });
  const retry = useMutation({
    mutationFn: (row: { controller: string; key: string }) =>
      write.post("/health/quarantined-work", { body: { controller: row.controller, key: row.key } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["health"] }),
  });
  if (!match.data?.items.length) return null;
  return (
    <Card className="flush" title={t`Work that needs an operator`}>
      {retry.isError ? <ProblemPanel error={retry.error} /> : null}
      <DataTable
        label={t`Quarantined work`}
        boxClass="whole"
        rows={match.data.items}
        rowKey={(row) => `${row.controller} ${row.key}`}
        columns={[
          { header: t`Controller`, isRowHeader: true, cell: (row) => <NameOf of={row.controller} /> },
          { header: t`Work`, className: "small break", cell: (row) => <WorkName of={row} /> },
          {
            header: t`Reason`,
            cell: (row) => (
              <>
                {worded(row.reason, row.phrases)}
                {row.remedy ? (
                  <div className="small">
                    <b>{t`Remedy:`}</b> <Sentence text={worded(row.remedy, row.remedy_phrases)} />
                  </div>
                ) : null}
              </>
            ),
          },
          { header: t`Since`, className: "top", cell: (row) => <Time at={row.since} /> },
          {
            header: t`Retry`,
            isHeaderUnseen: true,
            className: "top",
            cell: (row) => (
              <ActionButton
                small
                of={{
                  action: "work.retry",
                  allowed: may,
                  reason: may ? "" : t`You do not have permission to retry work.`,
                  who_can: ["operator", "admin"],
                }}
                onAct={() => retry.mutate({ controller: row.controller, key: row.key })}
                busy={retry.isPending && retry.variables.key === row.key}
              >
                {t`Retry`}
              </ActionButton>
            ),
          },
        ]}
      />
    </Card>
  );
}

export function HealthPage() {
  const health = useHealth();
  const version = useSession().data?.version;
  return (
    <Page
      title={t`System health`}
      actions={
        <>
          <span className="small muted">{rich`Console ${version} · build ${buildHere()}`}</span>
          <Button component={Link} to="/runbooks">
            {t`Runbooks`}
          </Button>
        </>
      }
    >
      <QuarantinedWork />
      <Loaded of={health}>
        {(data) => (
          <>
            <p className="sentence">{summary(data.components)}</p>
            {data.components.length ? (
              <HealthGroups of={data} />
            ) : (
              <Card>
                <Empty title={t`No component has reported yet.`} />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
