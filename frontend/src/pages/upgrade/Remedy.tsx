import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { read, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ActionButton, permitted } from "../../parts/ActionButton";
import { ProblemPanel } from "../../parts/states";
import type { Upgrade } from "../../wire/model";
import { t } from "../../words/text";
import { useAct } from "./queries";
import { go } from "./Sections";

const FEW = 4;

type Kind = Upgrade["blockages"][number]["kind"];

/** Lets every stopped key of the upgrade's work go on. */
function RetryWork({ upgrade }: { upgrade: Upgrade }) {
  const cache = useQueryClient();
  const permissions = useAccount()?.permissions ?? [];
  const retry = useMutation({
    mutationFn: async () => {
      const stopped = await read("/health/quarantined-work", {});
      for (const { controller, key } of stopped.items)
        if (key === upgrade.id || key.startsWith(`${upgrade.id}/`))
          await write.post("/health/quarantined-work", { body: { controller, key } });
    },
    onSettled: () => {
      for (const each of ["upgrade", "health"]) void cache.invalidateQueries({ queryKey: [each] });
    },
  });
  return (
    <>
      <ActionButton
        small
        of={permitted(permissions, "work.retry", t`You do not have permission to retry work.`)}
        busy={retry.isPending}
        onAct={() => retry.mutate()}
      >
        {t`Retry the stopped work`}
      </ActionButton>
      {retry.isError ? <ProblemPanel error={retry.error} /> : null}
    </>
  );
}

/** Retries the shards that failed; where many did, leads to them. */
function RetryShards({ upgrade }: { upgrade: Upgrade }) {
  const permissions = useAccount()?.permissions ?? [];
  const act = useAct(upgrade);
  const failed = upgrade.shards.items.filter((shard) => shard.error);
  if (failed.length > FEW) return <Lead to="shards">{t`Show the failed shards`}</Lead>;
  return (
    <div className="row wrap">
      {failed.map(({ shard }) => (
        <ActionButton
          key={shard}
          small
          of={permitted(permissions, "upgrade.repair", t`Retrying a shard requires permission to repair upgrades.`)}
          busy={act.isPending && act.variables.body?.shard === shard}
          onAct={() => act.mutate({ action: "retry-shard", body: { shard } })}
        >
          {t`Retry shard ${shard}`}
        </ActionButton>
      ))}
      {act.isError ? <ProblemPanel error={act.error} /> : null}
    </div>
  );
}

function Lead({ to, children }: { to: string; children: string }) {
  return (
    <Button size="compact-xs" variant="default" onClick={() => go(to)}>
      {children}
    </Button>
  );
}

/** The remedy of a blockage as a button: what mends it here, else where its cause is shown. */
export function Remedy({ kind, upgrade }: { kind: Kind; upgrade: Upgrade }) {
  switch (kind) {
    case "quarantined":
      return <RetryWork upgrade={upgrade} />;
    case "shard-failed":
      return <RetryShards upgrade={upgrade} />;
    case "resource-quarantined":
      return <Lead to="data">{t`Fix or exclude the resources`}</Lead>;
    case "throttled":
      return <Lead to="shards">{t`Show the shards`}</Lead>;
    default:
      return (
        <Button component={Link} to="/health" size="compact-xs" variant="default">
          {t`Open system health`}
        </Button>
      );
  }
}
