import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Card } from "../../parts/Page";
import { Loaded, ProblemPanel } from "../../parts/states";
import { DataTable } from "../../parts/tables/DataTable";
import { useStore } from "../../state/store";
import { serverNow, tick } from "../../time/clock";
import { Age } from "../../time/Time";
import type { QuarantinedResource, Upgrade } from "../../wire/model";
import { addressOf } from "../resources/address";
import { useQuarantine } from "./queries";
import { Dialog } from "../../parts/forms/Dialog";
import { plural, rich, t } from "../../words/text";

/** What is to happen with a resource that has no time for its next try. */
export const quarantineWords: Partial<Record<string, string>> = {
  quarantined: t`quarantined`,
  retry: t`will be retried`,
  waived: t`excluded`,
  hidden: t`not in the old version`,
};

/** From the switch on a resource is read, and mended, in the new version. */
const SERVED_NEW = new Set(["REVERSIBLE", "REVERTING"]);

/** When a resource is tried again by itself; whatever is due waits for its turn. */
function Next({ at }: { at: string }) {
  const now = serverNow(useStore(tick));
  return Date.parse(at) <= now ? <>{t`any moment`}</> : <Age at={at} />;
}

function useQuarantineAction(upgrade: Upgrade) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({
      item,
      verdict,
      comment,
    }: {
      item: QuarantinedResource;
      verdict: "retry" | "waive";
      comment: string;
    }) =>
      write.post("/upgrades/{id}/quarantine", {
        path: { id: upgrade.id },
        body: { type: item.type, name: item.name, verdict, comment },
      }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["upgrade", upgrade.id] }),
  });
}

function ExclusionDialog({
  item,
  upgrade,
  onClose,
}: {
  item: QuarantinedResource;
  upgrade: Upgrade;
  onClose: () => void;
}) {
  const [why, setWhy] = useState("");
  const repair = useQuarantineAction(upgrade);
  return (
    <Dialog opened onClose={onClose} title={t`Exclude this resource`}>
      <div className="stack">
        <p>
          {rich`${(<code>{item.name}</code>)} will not be in ${upgrade.to_version}. It stays unchanged in ${upgrade.from_version}.`}
        </p>
        <Textarea
          label={t`Reason`}
          required
          autosize
          minRows={2}
          value={why}
          onChange={(event) => setWhy(event.currentTarget.value)}
        />
        {repair.isError ? <ProblemPanel error={repair.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            variant="filled"
            color="red"
            disabled={!why.trim()}
            loading={repair.isPending}
            onClick={() => repair.mutate({ item, verdict: "waive", comment: why.trim() }, { onSuccess: onClose })}
          >
            {t`Exclude`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Resources that could not be carried over: tried again by themselves, or by a person, or left behind by name. */
export function QuarantinedResources({ upgrade }: { upgrade: Upgrade }) {
  const quarantine = useQuarantine(upgrade.id, upgrade.quarantined_count);
  const may = useAccount()?.permissions.includes("upgrade.repair") ?? false;
  const resolve = useQuarantineAction(upgrade);
  const [leaving, exclude] = useState<QuarantinedResource | null>(null);
  if (upgrade.quarantined_count === 0) return null;
  return (
    <Card
      title={t`Quarantined resources: ${upgrade.quarantined_count}`}
      aside={t`These resources could not be converted or written. The upgrade continues without them.`}
    >
      {resolve.isError ? <ProblemPanel error={resolve.error} /> : null}
      <Loaded of={quarantine} lines={2}>
        {(data) => (
          <DataTable
            label={t`Quarantined resources`}
            boxClass="short"
            rows={data.items}
            rowKey={(item) => `${item.type} ${item.name}`}
            columns={[
              {
                header: t`Resource`,
                isRowHeader: true,
                className: "break",
                cell: (item) => (
                  <>
                    <Link
                      to={addressOf(
                        upgrade.service,
                        upgrade.region,
                        item.name,
                        SERVED_NEW.has(upgrade.state) ? upgrade.to_version : upgrade.from_version,
                      )}
                    >
                      {item.name}
                    </Link>
                    <div className="small muted">
                      {t`${item.type} · shard ${item.shard}`}
                      {item.changes_behind ? t` · ${plural(item.changes_behind, "# change", "# changes")} behind` : ""}
                    </div>
                  </>
                ),
              },
              { header: t`Reason`, className: "break", cell: (item) => item.error },
              { header: t`Tries`, align: "end", cell: (item) => item.attempts },
              {
                header: t`Next try`,
                cell: (item) =>
                  item.retry_at ? <Next at={item.retry_at} /> : (quarantineWords[item.state] ?? item.state),
              },
              {
                header: t`Action`,
                isHeaderUnseen: true,
                isShown: may,
                cell: (item) => (
                  <div className="row tight">
                    <Button
                      size="compact-xs"
                      loading={resolve.isPending && resolve.variables.item === item}
                      aria-label={t`Try again: ${item.name}`}
                      onClick={() => resolve.mutate({ item, verdict: "retry", comment: "" })}
                    >
                      {t`Try again`}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={t`Exclude ${item.name}`}
                      onClick={() => exclude(item)}
                    >
                      {t`Exclude…`}
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {leaving ? <ExclusionDialog item={leaving} upgrade={upgrade} onClose={() => exclude(null)} /> : null}
    </Card>
  );
}
