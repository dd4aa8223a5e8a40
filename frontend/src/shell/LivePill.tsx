import { UnstyledButton } from "@mantine/core";
import { useStore } from "../state/store";
import { tick, zone } from "../time/clock";
import { live } from "../live/stream";
import { pillOf } from "../live/status";
import { plural, rich, t } from "../words/text";

export function togglePause(): void {
  live.pause(!live.paused.get());
}

/** How fresh this page is; pressing it holds or releases changes. */
export function LivePill() {
  const now = useStore(tick);
  const pill = pillOf(useStore(live.status), now, useStore(zone));
  const paused = useStore(live.paused);
  const held = useStore(live.held);
  if (paused) {
    return (
      <UnstyledButton className="pill soft-wait" onClick={togglePause} title={t`Show held changes (p)`}>
        {rich`❙❙ Paused${held > 0 ? t`: ${plural(held, "# change", "# changes")} held` : ""}`}
      </UnstyledButton>
    );
  }
  return (
    <UnstyledButton className={`pill soft-${pill.tone}`} onClick={togglePause} title={t`Hold changes (p)`}>
      <span aria-hidden="true">{pill.mark}</span> {pill.text}
    </UnstyledButton>
  );
}
