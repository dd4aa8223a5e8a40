import { Tooltip } from "@mantine/core";
import { useStore } from "../parts/store";
import { ageText, dateText, clockText, serverNow, stampText, tick, zone, zoneName } from "./clock";

/** `14:02:11 UTC (4 min ago)`, with both zones on hover. */
export function Time({ at, age = true }: { at: string | null | undefined; age?: boolean }) {
  const which = useStore(zone);
  const now = serverNow(useStore(tick));
  const when = at ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(when)) return <span className="muted">–</span>;
  const both = (["utc", "mine"] as const).map((each) => `${dateText(when, each)} ${clockText(when, each)} ${zoneName(each)}`).join(" · ");
  return (
    <Tooltip label={both}>
      <time dateTime={new Date(when).toISOString()}>
        {stampText(when, now, which)} {which === "utc" ? "UTC" : ""}
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
