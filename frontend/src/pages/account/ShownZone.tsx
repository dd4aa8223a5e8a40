import { SegmentedControl } from "@mantine/core";
import { chooseZone } from "../../api/zone";
import { Card } from "../../parts/Page";
import { useStore } from "../../state/store";
import { zone, type Zone, zoneName } from "../../time/clock";
import { rich, t } from "../../words/text";

/** In which time zone the console shows times, in every browser of this account. */
export function ShownZone() {
  const which = useStore(zone);
  return (
    <Card title={t`Times are shown in`}>
      <SegmentedControl
        size="xs"
        aria-label={t`Times are shown in`}
        value={which}
        onChange={(value) => void chooseZone(value as Zone)}
        data={[
          { value: "utc", label: t`UTC` },
          { value: "mine", label: t`My zone, ${zoneName("mine")}` },
          { value: "region", label: t`The region's` },
        ]}
      />
      <p className="muted small">
        {rich`The setting applies to all your browsers. The region's zone applies to pages about a region, UTC
        to other pages. The key ${(<kbd>t</kbd>)} changes the zone.`}
      </p>
    </Card>
  );
}
