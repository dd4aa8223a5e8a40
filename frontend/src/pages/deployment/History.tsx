import { items, More, usePages } from "../../parts/More";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty, Loaded } from "../../parts/states";
import type { UpgradeSummary } from "../../wire/model";
import { UpgradeTable } from "../Upgrades";
import { t } from "../../words/text";

/** Every upgrade of one deployment, the newest first. */
export function History({ service, region }: { service: string; region: string }) {
  const upgrades = usePages<UpgradeSummary>("upgrades", "/upgrades", { service, region });
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
            <Scroll label={t`Upgrades`}>
              <UpgradeTable upgrades={all} />
            </Scroll>
            <More of={upgrades} />
          </Card>
        );
      }}
    </Loaded>
  );
}
