import { Select } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { read, write } from "../../api/client";
import { useFleet } from "../../api/queries";
import { OnDuty, onDutyOf, useDuty } from "../../parts/duty";
import { Card } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { DataTable } from "../../parts/tables/DataTable";
import type { Policy } from "../../wire/model";
import { rich, t } from "../../words/text";
import { asPolicy, needsText, purposeText } from "./Policies";

const PURPOSES: readonly Policy["purpose"][] = ["switch", "revert", "brownout", "evict"];

/** One decision at one place: the policy that counts there, and who can vote under it. */
function useApprovers(deployment: string) {
  const [, service = "", , region = ""] = deployment.split("/");
  const answers = useQueries({
    queries: PURPOSES.map((purpose) => ({
      queryKey: ["access", "approvers", deployment, purpose],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const policy = await read("/policies/explain", { query: { deployment, purpose }, signal });
        const body = { ...asPolicy(policy), service, region };
        const preview = await write.post("/policies/preview", { body, signal });
        return { policy, voters: preview.voters };
      },
    })),
  });
  return PURPOSES.flatMap((purpose, at) => {
    const answer = answers[at];
    return answer ? [{ purpose, title: purposeText(purpose), answer, ...answer.data }] : [];
  });
}

function Voters({ names, needed }: { names: readonly string[]; needed: number }) {
  const duty = useDuty(true);
  const present = onDutyOf(duty.data?.items ?? [], names);
  if (needed === 0) return <span className="muted">{t`no vote needed`}</span>;
  return (
    <>
      {names.join(", ") || <span className="ink-bad">{t`no account`}</span>}
      {names.length && names.length < needed ? (
        <div className="small ink-bad">{t`too few: ${needed} votes are needed`}</div>
      ) : null}
      {present.length ? <div className="small">{rich`On duty now: ${(<OnDuty people={present} />)}`}</div> : null}
    </>
  );
}

/** How many votes all stages of a policy take. */
function votesOf({ needed, then }: Policy): number {
  return (then ?? []).reduce((sum, stage) => sum + stage.needed, needed);
}

function ApproversTable({ deployment }: { deployment: string }) {
  return (
    <DataTable
      label={t`Who can approve`}
      rows={useApprovers(deployment)}
      rowKey={({ purpose }) => `${deployment} ${purpose}`}
      columns={[
        { header: t`Decision`, isRowHeader: true, cell: ({ title }) => title },
        { header: t`Policy`, cell: ({ policy }) => policy?.name },
        { header: t`Needs`, cell: ({ policy }) => (policy ? needsText(policy) : null) },
        {
          header: t`Who can vote`,
          cell: ({ policy, voters = [] }) => <Voters names={voters} needed={policy ? votesOf(policy) : 0} />,
        },
      ]}
      spanning={({ policy, answer }) =>
        policy ? null : (
          <Loaded of={answer} lines={1}>
            {() => null}
          </Loaded>
        )
      }
    />
  );
}

/** Who can approve what at one deployment today. */
export function Approvers() {
  const { filters, set } = useFilters(["deployment"]);
  const fleet = useFleet();
  return (
    <Card title={t`Who can approve`}>
      <Loaded of={fleet} lines={3}>
        {({ cells }) => {
          const deployment = filters.deployment || cells[0]?.name || "";
          if (deployment === "") return <Empty title={t`No deployments are registered.`} />;
          return (
            <>
              <Select
                w={340}
                maw="100%"
                label={t`Deployment`}
                searchable
                limit={200}
                allowDeselect={false}
                data={cells.map((cell) => ({ value: cell.name, label: `${cell.service} @ ${cell.region}` }))}
                value={deployment}
                onChange={(value) => set("deployment", value ?? "")}
                nothingFoundMessage={t`No deployment has that name.`}
              />
              <ApproversTable deployment={deployment} />
              <p className="small muted">
                {t`Who planned an upgrade, or asked for its approval, does not vote on it. A policy for certain versions or
                  changes may count instead; the request names it.`}
              </p>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
