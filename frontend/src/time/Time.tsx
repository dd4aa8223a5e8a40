import { Tooltip } from "@mantine/core";
import { useStore } from "../state/store";
import {
  ageText,
  dateText,
  clockText,
  regionZone,
  serverNow,
  stampText,
  tick,
  type Zone,
  zone,
  zoneName,
} from "./clock";
import { t } from "../words/text";

function everyZone(when: number, region: string): string {
  const zones: Zone[] = region ? ["utc", "mine", "region"] : ["utc", "mine"];
  return zones.map((each) => `${dateText(when, each)} ${clockText(when, each)} ${zoneName(each)}`).join(" · ");
}

/** `14:02:11 UTC (4 min ago)`, with all zones on hover. */
export function Time({ at, age = true }: { at: string | null | undefined; age?: boolean }) {
  const which = useStore(zone);
  const now = serverNow(useStore(tick));
  const region = useStore(regionZone);
  const when = at ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(when)) return <span className="muted">–</span>;
  return (
    <Tooltip label={everyZone(when, region)}>
      <time dateTime={new Date(when).toISOString()}>
        {stampText(when, now, which)} {zoneName(which) === "UTC" ? t`UTC` : ""}
        {age ? <span className="muted"> ({ageText(when, now)})</span> : null}
      </time>
    </Tooltip>
  );
}

export function Age({ at }: { at: string | null | undefined }) {
  const now = serverNow(useStore(tick));
  const when = at ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(when)) return <span>–</span>;
  return <time dateTime={new Date(when).toISOString()}>{ageText(when, now)}</time>;
}
