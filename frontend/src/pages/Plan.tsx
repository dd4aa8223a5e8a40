import { Button, Checkbox, NumberInput, Select, Textarea } from "@mantine/core";
import { useMutation, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { newKey, read, rehearse, write } from "../api/client";
import { useFleet } from "../api/queries";
import { ForPlanners } from "../parts/ActionButton";
import { Checks } from "../parts/checks/Checks";
import { Copy } from "../parts/Copy";
import { discard, drafts, keep, queryOf } from "../parts/forms/drafts";
import { WithInspector } from "../parts/Inspector";
import { Card, Page } from "../parts/Page";
import { Prospects } from "./rollouts/Prospects";
import { useFilters } from "../parts/search";
import { useStore } from "../state/store";
import { Shape } from "../parts/Shape";
import { Empty, Loaded, Loading, ProblemPanel } from "../parts/states";
import { Versions } from "../parts/Status";
import { stops } from "../parts/status";
import { Time } from "../time/Time";
import type { Check, Deployment, DryRun, Fleet } from "../wire/model";
import { worded } from "../words/server";
import { plural, rich, t } from "../words/text";

export interface Order {
  deployment: string;
  target_version: string;
  kind: "version" | "shards";
  target_shard_count: number;
  comment: string;
  automatic: boolean;
  start: boolean;
}

export function verdict(checks: readonly Check[]): { tone: "ok" | "wait" | "bad"; text: string } {
  const failing = checks.filter(stops).length;
  const warning = checks.filter((check) => check.verdict === "warn").length;
  if (failing)
    return {
      tone: "bad",
      text: t`${failing} of ${plural(checks.length, "# check", "# checks")} ${plural(failing, "does", "do")} not pass.`,
    };
  if (warning)
    return { tone: "wait", text: t`Ready to start, with ${warning === 1 ? t`one warning` : t`${warning} warnings`}.` };
  return { tone: "ok", text: t`Ready to start.` };
}

/** What the plan would do and what stops it, asked of the server before anything is stored. */
function useRehearsal(order: Order, isChosen: boolean): UseQueryResult<DryRun> {
  return useQuery({
    queryKey: ["plan", order.deployment, order.target_version, order.target_shard_count, order.automatic],
    queryFn: () => rehearse.post("/upgrades", { body: order }),
    enabled: isChosen,
    retry: false,
    gcTime: 0,
  });
}

function Rehearsal({ of: rehearsal }: { of: UseQueryResult<DryRun> }) {
  if (rehearsal.isPending) return <Loading lines={5} />;
  if (rehearsal.isError) return <ProblemPanel error={rehearsal.error} retry={() => void rehearsal.refetch()} />;
  const { checks, would, would_phrases: phrases, prospects } = rehearsal.data;
  const said = verdict(checks);
  return (
    <>
      <p className={`sentence ink-${said.tone}`}>
        <Shape tone={said.tone} size={18} /> {said.text}
      </p>
      <ol className="would">
        {would.map((each, at) => (
          <li key={each}>{worded(each, phrases?.[at])}</li>
        ))}
      </ol>
      <Prospects of={prospects} />
      <Checks checks={checks} />
    </>
  );
}

function Targets({
  deployment,
  value,
  onPick,
}: {
  deployment: Deployment;
  value: string;
  onPick: (version: string) => void;
}) {
  const reachable = deployment.reachable_versions.filter(
    (each) => each.reachable && each.version !== deployment.current_version,
  );
  const other = deployment.reachable_versions.filter(
    (each) => !each.reachable && each.version !== deployment.current_version,
  );
  return (
    <>
      {reachable.length ? (
        <Select
          label={t`Target version`}
          data={reachable.map((each) => each.version)}
          clearable
          value={value || null}
          onChange={(version) => onPick(version ?? "")}
          description={<>{rich`It serves ${deployment.current_version} now.`}</>}
        />
      ) : (
        <Empty title={t`No other version can be reached from ${deployment.current_version}.`} />
      )}
      {other.length ? (
        <ul className="plain-list small">
          {other.map((each) => (
            <li key={each.version}>
              <b className="mono">{each.version}</b> <span className="muted">{worded(each.reason, each.phrases)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** How many shards the data shall have: alone it is an upgrade too, at the version that is served. */
function ShardCount({
  deployment,
  value,
  onPick,
}: {
  deployment: Deployment;
  value: string;
  onPick: (count: string) => void;
}) {
  if (deployment.shard_count === null) return null;
  return (
    <NumberInput
      label={t`Shard count`}
      description={
        t`${plural(deployment.shard_count, "# shard", "# shards")} now. Empty: unchanged.` +
        " " +
        t`Without a target version only the shard count changes.`
      }
      min={1}
      max={4096}
      allowDecimal={false}
      value={Number(value) || ""}
      onChange={(count) => onPick(count === "" ? "" : String(count))}
    />
  );
}

function Form({ fleet }: { fleet: Fleet }) {
  const { filters, set, put } = useFilters(["deployment", "target", "shards", "why", "automatic", "start"]);
  const [comment, setComment] = useState(filters.why);
  const automatic = filters.automatic === "yes";
  const start = filters.start !== "no";
  const [key] = useState(newKey);
  const navigate = useNavigate();
  const cell = fleet.cells.find((each) => each.name === filters.deployment);
  const deployment = useQuery({
    queryKey: ["deployment", cell?.service, cell?.region],
    queryFn: () =>
      read("/deployments/{service}/{region}", { path: { service: cell?.service ?? "", region: cell?.region ?? "" } }),
    enabled: cell !== undefined,
  });
  const shards = Number(filters.shards) || 0;
  const order: Order = {
    deployment: filters.deployment,
    target_version: filters.target,
    kind: filters.target || !shards ? "version" : "shards",
    target_shard_count: shards,
    comment,
    automatic,
    start,
  };
  const create = useMutation({
    mutationFn: () => write.post("/upgrades", { body: order, idempotencyKey: key }),
    onSuccess: (upgrade) => {
      discard(queryOf({ ...filters, why: comment }));
      void navigate(`/upgrades/${upgrade.id}`);
    },
  });
  const chosen = Boolean(cell && (filters.target || shards));
  const rehearsal = useRehearsal(order, chosen);
  const said = chosen && rehearsal.data ? verdict(rehearsal.data.checks) : null;
  return (
    <WithInspector
      page="plan"
      label={t`Dry run`}
      initial={540}
      broadest={900}
      side={
        <Card
          title={t`Dry run`}
          aside={cell && filters.target ? <Versions from={cell.current_version} to={filters.target} /> : null}
        >
          {chosen ? (
            <Rehearsal of={rehearsal} />
          ) : (
            <Empty title={t`Choose a deployment, and a version or a shard count.`}>
              {t`The effect is shown here before anything is stored.`}
            </Empty>
          )}
        </Card>
      }
    >
      <Card>
        <div className="stack">
          <Select
            label={t`Deployment`}
            searchable
            limit={200}
            data={fleet.cells.map((each) => ({
              value: each.name,
              label: `${each.service} @ ${each.region} (${each.current_version})`,
            }))}
            value={filters.deployment || null}
            onChange={(value) =>
              put([
                ["deployment", value ?? ""],
                ["target", ""],
                ["shards", ""],
              ])
            }
            nothingFoundMessage={t`No deployment has that name.`}
          />
          {cell ? (
            <Loaded of={deployment} lines={2}>
              {(data) => (
                <>
                  <Targets deployment={data} value={filters.target} onPick={(version) => set("target", version)} />
                  <ShardCount deployment={data} value={filters.shards} onPick={(count) => set("shards", count)} />
                </>
              )}
            </Loaded>
          ) : null}
          <Textarea
            label={t`Reason`}
            description={t`Shown to the approvers.`}
            autosize
            minRows={2}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
            onBlur={() => set("why", comment)}
          />
          <Checkbox
            label={t`Start the backfill immediately`}
            checked={start}
            onChange={(event) => set("start", event.currentTarget.checked ? "" : "no")}
          />
          <Checkbox
            label={t`Switch automatically when every check passes and approvals are complete`}
            checked={automatic}
            onChange={(event) => set("automatic", event.currentTarget.checked ? "yes" : "")}
          />
          {create.isError ? <ProblemPanel error={create.error} /> : null}
          {said && said.tone !== "ok" ? (
            <p className={`small row tight ink-${said.tone}`} role="status">
              <Shape tone={said.tone} size={14} /> {rich`Dry run: ${said.text}`}
            </p>
          ) : null}
          <div className="row end wrap">
            <Button onClick={() => void navigate(-1)}>{t`Cancel`}</Button>
            {cell ? (
              <Button
                onClick={() => {
                  set("why", comment);
                  keep({
                    title: titleOf(cell, filters.target, shards),
                    query: queryOf({ ...filters, why: comment }),
                    at: new Date().toISOString(),
                  });
                }}
              >
                {t`Save draft`}
              </Button>
            ) : null}
            <ForPlanners label={start ? t`Create and start` : t`Create`}>
              <Button
                variant={said?.tone === "bad" ? "default" : "filled"}
                disabled={!chosen}
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {start ? t`Create and start` : t`Create`}
              </Button>
            </ForPlanners>
          </div>
        </div>
      </Card>
    </WithInspector>
  );
}

function titleOf(cell: Fleet["cells"][number], target: string, shards: number): string {
  const place = `${cell.service} @ ${cell.region}`;
  if (target) return place + t` to ${target}`;
  return shards ? place + t` to ${plural(shards, "# shard", "# shards")}` : place;
}

/** What was begun in this browser and not created yet; the address of each can be sent to somebody. */
export function DraftList({ form, path = "/upgrades/new" }: { form?: "rollout"; path?: string }) {
  const kept = useStore(drafts).filter((draft) => draft.form === form);
  if (kept.length === 0) return null;
  return (
    <Card title={t`Drafts`} aside={t`stored in this browser; share a draft by its address`}>
      <ul className="plain-list">
        {kept.map((draft) => (
          <li key={draft.query} className="row between wrap">
            <span>
              <Link to={`${path}?${draft.query}`} reloadDocument={form === "rollout"}>
                {draft.title}
              </Link>{" "}
              <span className="small muted">
                <Time at={draft.at} />
              </span>
            </span>
            <span className="row">
              <Copy
                value={`${location.origin}${path}?${draft.query}`}
                what={t`the address of the draft ${draft.title}`}
              />
              <Button
                size="xs"
                variant="subtle"
                aria-label={t`Discard the draft ${draft.title}`}
                onClick={() => discard(draft.query)}
              >
                {t`Discard`}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function PlanPage() {
  const [search, setSearch] = useSearchParams();
  // People who write the address by hand call the target what the sentence calls it.
  const to = search.get("to");
  useEffect(() => {
    if (to === null) return;
    setSearch(
      (before) => {
        if (!before.get("target")) before.set("target", to);
        before.delete("to");
        return before;
      },
      { replace: true },
    );
  }, [to, setSearch]);
  const fleet = useFleet();
  return (
    <Page title={t`Plan an upgrade`} under={[{ title: t`Upgrades`, to: "/upgrades" }]}>
      <DraftList />
      <Loaded of={fleet}>
        {(data) =>
          data.cells.length ? (
            <Form key={search.get("deployment")} fleet={data} />
          ) : (
            <Card>
              <Empty title={t`No deployment is registered.`} command="swy service apply examples/secrets" />
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}
