import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { buildHere } from "../api/build";
import { send } from "../api/client";
import { useAccount, useHealth, useSession } from "../api/queries";
import { ActionButton } from "../parts/ActionButton";
import { bySeverity, summary } from "../parts/componentHealth";
import { Card, Page } from "../parts/Page";
import { Status } from "../parts/Status";
import { componentWords, type Word } from "../parts/status";
import { Scroll } from "../parts/Scroll";
import { useFilters } from "../parts/search";
import { Empty, Loaded, ProblemPanel, Sentence } from "../parts/states";
import { Time } from "../time/Time";
import type { Component } from "../wire/model";
import type { components as shapes } from "../wire/schema";
import { rich, t } from "../words/text";

type Page_<Name extends keyof shapes["schemas"]> = shapes["schemas"][Name];

/** What is of no region. */
const OWN = t`Switchyard`;

export function HealthTable({ components }: { components: readonly Component[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t`Component`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Detail`}</th>
          <th scope="col">{t`Since`}</th>
        </tr>
      </thead>
      <tbody>
        {bySeverity(components).map((component) => (
          <tr key={component.name}>
            <th scope="row">{component.name}</th>
            <td>
              <Status of={componentWords[component.status]} />
            </td>
            <td>
              {component.detail}
              {component.remedy ? (
                <div className="small">
                  <b>{t`Remedy:`}</b> <Sentence text={component.remedy} />
                </div>
              ) : null}
              {component.status === "ok" ? null : (
                <div className="small">
                  <Link to={component.runbook}>{rich`Runbook: ${component.name}`}</Link>
                </div>
              )}
            </td>
            <td>{component.since ? <Time at={component.since} /> : <span className="muted">–</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type WorkClass = shapes["schemas"]["WorkClass"];

/** From when on a class of work that waits for a worker is marked. */
export const LATE_SECONDS = 30;

export function WorkClasses({ classes }: { classes: readonly WorkClass[] }) {
  const total = classes.reduce((sum, row) => sum + (row.share ?? 0), 0);
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t`Class of work`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Share`}</th>
          <th scope="col">{t`Keys due`}</th>
          <th scope="col">{t`Delay`}</th>
          <th scope="col">{t`Worker time`}</th>
        </tr>
      </thead>
      <tbody>
        {classes.map((row) => (
          <tr key={row.work_class}>
            <th scope="row">{row.work_class}</th>
            <td>
              <Status
                of={
                  row.late_seconds > LATE_SECONDS ? { tone: "wait", word: t`late` } : { tone: "ok", word: t`on time` }
                }
              />
            </td>
            <td className="num">{row.share === null ? t`first` : `${Math.round((100 * row.share) / total)} %`}</td>
            <td className="num">{row.due}</td>
            <td className="num">{row.due ? `${row.late_seconds.toFixed(1)} s` : "–"}</td>
            <td className="num">{`${row.used_seconds.toFixed(1)} s`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Turns = Page_<"ControllerPage">["items"][number];

/** A controller needs a look where something waits for it and nobody takes it, or for a person. */
export function turnsWord(of: Pick<Turns, "held" | "late" | "quarantined">): Word {
  if (of.quarantined) return { tone: "bad", word: t`${of.quarantined} quarantined` };
  if (of.late) return { tone: "wait", word: t`${of.late} late` };
  return of.held ? { tone: "run", word: t`running` } : { tone: "ok", word: t`on schedule` };
}

export function Controllers() {
  const { filters, set } = useFilters(["region"]);
  const result = useQuery({
    queryKey: ["health", "controllers"],
    queryFn: ({ signal }) => send<Page_<"ControllerPage">>("/health/controllers", { signal }),
    refetchInterval: 5_000,
  });
  return (
    <Loaded of={result}>
      {(data) => {
        const regions = [...new Set(data.items.map((row) => row.region))];
        const shown = data.items.filter((row) => !filters.region || (row.region || OWN) === filters.region);
        return (
          <Card
            className="flush"
            title={t`Controllers`}
            aside={
              <Select
                size="xs"
                aria-label={t`Region`}
                placeholder={t`Every region`}
                clearable
                clearButtonProps={{ "aria-label": t`Clear region` }}
                data={regions.map((region) => region || OWN)}
                value={filters.region || null}
                onChange={(value) => set("region", value ?? "")}
              />
            }
          >
            {shown.length ? (
              <Scroll label={t`Controllers`}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t`Region`}</th>
                      <th scope="col">{t`Controller`}</th>
                      <th scope="col">{t`State`}</th>
                      <th scope="col">{t`Keys`}</th>
                      <th scope="col">{t`Held by`}</th>
                      <th scope="col">{t`Last run`}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((row) => (
                      <tr key={`${row.region} ${row.controller}`}>
                        <th scope="row">{row.region || <span className="muted">{OWN}</span>}</th>
                        <td>{row.controller}</td>
                        <td>
                          <Status of={turnsWord(row)} />
                        </td>
                        <td className="num">{row.keys}</td>
                        <td className="mono small break">{row.leader || "–"}</td>
                        <td className="top">
                          {row.last_turn_at ? (
                            <Time at={row.last_turn_at} />
                          ) : (
                            <span className="muted">{t`none finished yet`}</span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            ) : (
              <Empty title={t`No controller has run yet.`} />
            )}
          </Card>
        );
      }}
    </Loaded>
  );
}

/** What a key of work is about: `id/forward/3` is a shard of an upgrade. */
export function workName(of: { controller: string; key: string }): { upgrade: string; part: string } | null {
  const matched = /^(u[0-9a-f]+)(?:\/(forward|reverse)\/(.+))?$/.exec(of.key);
  if (!matched || !["switch", "sync", "parity"].includes(of.controller)) return null;
  const [, upgrade = "", direction, shard] = matched;
  if (!direction) return { upgrade, part: t`the upgrade itself` };
  return { upgrade, part: t`shard ${shard}${direction === "reverse" ? t`, reverse replication` : ""}` };
}

function WorkName({ of }: { of: { controller: string; key: string } }) {
  const name = workName(of);
  return name ? (
    <>
      <Link to={`/upgrades/${name.upgrade}`}>{rich`Upgrade ${name.upgrade}`}</Link>: {name.part}
    </>
  ) : (
    <span className="mono">{of.key}</span>
  );
}

export function QuarantinedWork() {
  const cache = useQueryClient();
  const may = useAccount()?.permissions.includes("work.retry") ?? false;
  const match = useQuery({
    queryKey: ["health", "quarantined"],
    queryFn: ({ signal }) => send<Page_<"QuarantinedWorkPage">>("/health/quarantined-work", { signal }),
    refetchInterval: 10_000,
  });
  const retry = useMutation({
    mutationFn: (row: { controller: string; key: string }) =>
      send("/health/quarantined-work", { method: "POST", body: { controller: row.controller, key: row.key } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["health"] }),
  });
  if (!match.data?.items.length) return null;
  return (
    <Card className="flush" title={t`Work that needs an operator`}>
      {retry.isError ? <ProblemPanel error={retry.error} /> : null}
      <Scroll label={t`Quarantined work`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Controller`}</th>
              <th scope="col">{t`Key`}</th>
              <th scope="col">{t`Reason`}</th>
              <th scope="col">{t`Since`}</th>
              <th scope="col">
                <span className="unseen">{t`Retry`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {match.data.items.map((row) => (
              <tr key={`${row.controller} ${row.key}`}>
                <th scope="row">{row.controller}</th>
                <td className="small break">
                  <WorkName of={row} />
                </td>
                <td>
                  {row.reason}
                  {row.remedy ? (
                    <div className="small">
                      <b>{t`Remedy:`}</b> <Sentence text={row.remedy} />
                    </div>
                  ) : null}
                </td>
                <td className="top">
                  <Time at={row.since} />
                </td>
                <td className="top">
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
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
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
            <Card className="flush">
              {data.components.length ? (
                <Scroll label={t`Components`}>
                  <HealthTable components={data.components} />
                </Scroll>
              ) : (
                <Empty title={t`No component has reported yet.`} />
              )}
            </Card>
            <Card className="flush" title={t`Classes of work`}>
              <Scroll label={t`Classes of work`}>
                <WorkClasses classes={data.work_classes} />
              </Scroll>
            </Card>
          </>
        )}
      </Loaded>
      <Controllers />
    </Page>
  );
}
