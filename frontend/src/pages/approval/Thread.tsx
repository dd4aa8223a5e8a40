import { Loaded } from "../../parts/states";
import { Time } from "../../time/Time";
import type { Approval, UpgradeEvent } from "../../wire/model";
import { useUpgradeEvents } from "../upgrade/queries";
import { worded } from "../../words/server";
import { t } from "../../words/text";

/** What people said about this request and its upgrade, oldest first. */
export function spoken(lines: readonly UpgradeEvent[], approval: string): UpgradeEvent[] {
  // The story's last page is read again and again: a line may come twice.
  const seen = new Map(lines.map((line) => [line.seq, line]));
  return [...seen.values()].filter((line) => line.kind === "comment" || line.details?.["approval"] === approval);
}

/** The comments are written in the timeline of the upgrade, which has them as well. */
export function Thread({ approval }: { approval: Approval }) {
  const events = useUpgradeEvents(approval.upgrade_id);
  return (
    <Loaded of={events} lines={2}>
      {(data) => (
        <ol className="thread" aria-label={t`Comments`}>
          {spoken(data.lines, approval.id).map((line) => (
            <li key={line.seq}>
              <div className="row between wrap">
                <b>{line.who}</b>
                <span className="small muted">
                  <Time at={line.at} />
                </span>
              </div>
              <div>{worded(line.text, line.phrases)}</div>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
