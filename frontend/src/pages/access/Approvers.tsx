import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { send } from "../../api/client";
import { useFleet } from "../../api/queries";
import { OnDuty, onDutyOf, useDuty } from "../../parts/duty";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import type { Policy } from "../../wire/model";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";
import { asPolicy, needsText } from "./Policies";

const PURPOSES: readonly { value: Policy["purpose"]; title: string }[] = [
  { value: "switch", title: t`Switch` },
  { value: "revert", title: t`Rollback` },
  { value: "brownout", title: t`Brown-out` },
  { value: "evict", title: t`Eviction` },
];

/** One decision at one place: the policy that counts there, and who can vote under it. */
function Row({ deployment, purpose, title }: { deployment: string; purpose: Policy["purpose"]; title: string }) {
  const [, service = "", , region = ""] = deployment.split("/");
  const duty = useDuty(true);
  const answer = useQuery({
    queryKey: ["access", "approvers", deployment, purpose],
    queryFn: async ({ signal }) => {
      const policy = await send<Policy>("/policies/explain", { query: { deployment, purpose }, signal });
      const body = { ...asPolicy({ ...policy }), service, region };
      const preview = await send<components["schemas"]["PolicyPreview"]>("/policies/preview", {
        method: "POST",
        body,
        signal,
      });
      return { policy, voters: preview.voters };
    },
  });
  const { data } = answer;
  const present = onDutyOf(duty.data?.items ?? [], data?.voters ?? []);
  return (
    <tr>
      <th scope="row">{title}</th>
      {data ? (
        <>
          <td>{data.policy.name}</td>
          <td>{needsText(data.policy)}</td>
          <td>
            {data.voters.join(", ") || <span className="ink-bad">{t`no account`}</span>}
            {present.length ? <div className="small">{rich`On duty now: ${(<OnDuty people={present} />)}`}</div> : null}
          </td>
        </>
      ) : (
        <td colSpan={3}>
          <Loaded of={answer} lines={1}>
            {() => null}
          </Loaded>
        </td>
      )}
    </tr>
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
              <Scroll label={t`Who can approve`}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t`Decision`}</th>
                      <th scope="col">{t`Policy`}</th>
                      <th scope="col">{t`Needs`}</th>
                      <th scope="col">{t`Who can vote`}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {PURPOSES.map(({ value, title }) => (
                      <Row key={`${deployment} ${value}`} deployment={deployment} purpose={value} title={title} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
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
