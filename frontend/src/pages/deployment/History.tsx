import { read } from "../../api/client";
import { items, More, usePages } from "../../parts/tables/More";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { UpgradeTable } from "../Upgrades";
import { t } from "../../words/text";

/** Every upgrade of one deployment, the newest first. */
export function History({ service, region }: { service: string; region: string }) {
  const upgrades = usePages(["upgrades", service, region], ({ cursor, signal }) =>
    read("/upgrades", { query: { service, region, cursor }, signal }),
  );
  return (
    <Loaded of={upgrades}>
      {(data) => {
        const all = items(data);
        if (all.length === 0)
          return (
            <Card title={t`Upgrades`}>
              <Empty title={t`This deployment was never upgraded.`}>
                {t`A plan shows the effect of an upgrade before anything is stored.`}
              </Empty>
            </Card>
          );
        return (
          <Card className="flush">
            <UpgradeTable upgrades={all} />
            <More of={upgrades} />
          </Card>
        );
      }}
    </Loaded>
  );
}
