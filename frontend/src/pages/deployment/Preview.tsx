import { useQuery } from "@tanstack/react-query";
import { rehearse } from "../../api/client";
import { otherwise, type Difference } from "../../parts/forms/Conflict";
import { Loading, ProblemPanel } from "../../parts/states";
import type { Deployment } from "../../wire/model";
import { worded } from "../../words/server";
import { t } from "../../words/text";

const facts: Record<string, (of: Deployment) => string> = {
  [t`Serves`]: (of) => of.current_version || t`nothing yet`,
  [t`Target`]: (of) => of.target_version ?? t`nothing`,
  [t`Switch`]: (of) => (of.automatic ? t`automatic` : t`manual`),
  [t`Disabled`]: (of) => (of.disabled ? t`yes` : t`no`),
};

/** In what a deployment is another one than was read. */
export function changedSince(now: Deployment, read: Deployment): Difference[] {
  return otherwise(facts, now, read);
}

/** What the server says the change would come to, and who would notice. */
export function Rehearsal({ of, body }: { of: Deployment; body: Record<string, unknown> }) {
  const dry = useQuery({
    queryKey: ["rehearse", of.name, of.rev, body],
    queryFn: () =>
      rehearse.put("/deployments/{service}/{region}", {
        path: { service: of.service, region: of.region },
        body: { deployment: body },
        ifMatch: of.rev,
      }),
    retry: false,
    gcTime: 0,
  });
  if (dry.isPending) return <Loading lines={2} />;
  if (dry.isError) return <ProblemPanel error={dry.error} retry={() => void dry.refetch()} />;
  const upon = of.dependants.map((each) => `${each.service} @ ${each.region}`);
  return (
    <div className="rehearsal">
      <h3>{t`Dry run: the server accepts this action`}</h3>
      <p>{worded(dry.data.sentence, dry.data.phrases)}</p>
      <p>{upon.length ? t`Importers in its region: ${upon.join(", ")}.` : t`No importers in its region.`}</p>
    </div>
  );
}
