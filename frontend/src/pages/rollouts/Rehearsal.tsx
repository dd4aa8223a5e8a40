import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { rehearse } from "../../api/client";
import { problemText } from "../../api/problem";
import { Checks } from "../../parts/checks/Checks";
import { Copy } from "../../parts/Copy";
import { Shape } from "../../parts/Shape";
import { Loading, ProblemPanel } from "../../parts/states";
import { passes } from "../../parts/status";
import { rangeText } from "../../time/clock";
import type { Check } from "../../wire/model";
import type { RolloutRehearsal } from "../../wire/rollouts";
import { Prospects } from "./Prospects";
import { shortName } from "./waves";
import { t } from "../../words/text";

export interface Order {
  target_version: string;
  waves: string[][];
  title: string;
  comment: string;
  max_parallel: number;
  pause_seconds: number;
  start: boolean;
}

/** What the order would come to; what is created is the plan that was shown, or nothing. */
export function useRehearsal(
  { target_version, waves, max_parallel, pause_seconds }: Order,
  ready: boolean,
): UseQueryResult<RolloutRehearsal> {
  const body = { target_version, waves, max_parallel, pause_seconds };
  return useQuery({
    queryKey: ["rollout", "rehearse", body],
    queryFn: () => rehearse.post("/rollouts", { body }),
    enabled: ready,
    retry: false,
    gcTime: 0,
  });
}

const warnings = (of: RolloutRehearsal["items"][number]): Check[] =>
  of.checks.filter((check) => check.verdict === "warn");

/** How many can be upgraded, of one, or of several. */
export function possibleText(bad: number, total: number): string {
  if (total === 1) return bad ? t`The deployment cannot be upgraded.` : t`The deployment can be upgraded.`;
  if (!bad) return t`All ${total} deployments can be upgraded.`;
  return bad === total
    ? t`None of the ${total} deployments can be upgraded.`
    : t`${bad} of ${total} deployments cannot be upgraded.`;
}

export function Rehearsal({ dry }: { dry: UseQueryResult<RolloutRehearsal> }) {
  if (dry.isPending) return <Loading lines={4} />;
  if (dry.isError) return <ProblemPanel error={dry.error} retry={() => void dry.refetch()} />;
  const bad = dry.data.items.filter((each) => !each.possible);
  const warned = dry.data.items.filter((each) => each.possible && warnings(each).length > 0);
  const tone = bad.length ? "bad" : warned.length ? "wait" : "ok";
  return (
    <>
      <p className={`sentence ink-${tone}`}>
        <Shape tone={tone} size={18} /> {possibleText(bad.length, dry.data.items.length)}
        {warned.length ? t` ${warned.length === 1 ? t`One` : warned.length} with warnings.` : ""}
      </p>
      {bad.map((each) => (
        <div key={each.deployment} className="rehearsal">
          <h2>{shortName(each.deployment)}</h2>
          {each.problem ? (
            <p>{problemText(each.problem)}</p>
          ) : (
            <Checks checks={each.checks.filter((check) => !passes(check))} />
          )}
        </div>
      ))}
      {warned.map((each) => (
        <div key={each.deployment} className="rehearsal">
          <h2>{shortName(each.deployment)}</h2>
          <Checks checks={warnings(each)} />
        </div>
      ))}
      {dry.data.items.map((each) =>
        each.prospects ? (
          <details key={each.deployment} className="gates">
            <summary>
              <b>{shortName(each.deployment)}</b>{" "}
              <span className="small muted">
                {each.prospects.policy.needed ? t`${each.prospects.policy.needed} to approve` : t`no approval`}
                {each.prospects.window.allowed ? "" : t`, no window is open`}
                {each.prospects.took
                  ? `, ${rangeText(each.prospects.took.low_seconds, each.prospects.took.high_seconds)}`
                  : ""}
              </span>
            </summary>
            <Prospects of={each.prospects} />
          </details>
        ) : null,
      )}
      {dry.data.plan_digest ? (
        <p className="row tight small">
          <span className="muted">{t`Plan`}</span>
          <span className="mono">{dry.data.plan_digest.slice(0, 12)}</span>
          <Copy value={dry.data.plan_digest} what={t`the plan's digest`} />
          <span className="muted">{t`Only exactly this plan is created.`}</span>
        </p>
      ) : null}
      <p className="small muted">
        {t`Each upgrade has its own approvals and its own rollback. If one upgrade of a wave fails, later
        waves wait for a decision.`}
      </p>
    </>
  );
}
