import { useMemo, type ReactNode } from "react";
import { Status, Versions } from "../../../parts/Status";
import { upgradeWord } from "../../../parts/status";
import type { Upgrade } from "../../../wire/model";
import { useHistory, useSamples } from "../queries";
import { Sections } from "../Sections";
import { stepRecord } from "./stepRecords";
import { momentOf } from "./replay";
import { ReplayedMoment } from "./ReplayedMoment";
import { RunSheet } from "./RunSheet";
import { Share } from "./Share";
import { sheetAt, sheetOf } from "./steps";
import { TimeScale } from "./TimeScale";
import { useReplay } from "./useReplay";
import { t } from "../../../words/text";

/**
 * The run sheet with its time scale, now or as it was at a moment; `children` is the present step now. A moment is drawn
 * here alone: the thousands of shards below show the upgrade as it is now.
 */
export function ReplayedSheet({
  upgrade,
  moving,
  children,
}: {
  upgrade: Upgrade;
  moving: boolean;
  children: ReactNode;
}) {
  // A request and a vote are recorded without another revision of the upgrade.
  const { request_id: request, votes_given: votes } = upgrade.readiness.approvals;
  const history = useHistory(upgrade.id, `${upgrade.rev} ${request ?? ""} ${votes}`);
  const samples = useSamples(upgrade.id, moving);
  const { at, setAt } = useReplay();
  const [records, curves] = [history.data, samples.data];
  const replayed = useMemo(
    () => (records && at !== null ? momentOf(records, curves, at) : null),
    [records, curves, at],
  );
  const recorded = useMemo(
    () => (records ? momentOf(records, curves, Number.POSITIVE_INFINITY) : null),
    [records, curves],
  );
  return (
    <>
      <div className="row wrap">
        <Versions from={upgrade.from_version} to={upgrade.to_version} />
        <Status of={upgradeWord(upgrade)} />
        <Share upgrade={upgrade} at={at} />
        <Sections />
      </div>
      {records && upgrade.state !== "PLANNED" ? (
        <TimeScale upgrade={upgrade} history={records} samples={curves} at={at} onAt={setAt} />
      ) : null}
      <RunSheet
        steps={replayed && recorded ? sheetAt(upgrade, replayed, recorded) : sheetOf(upgrade, recorded)}
        stepRecord={(phase) =>
          stepRecord(phase, { upgrade, moment: replayed ?? recorded, isReplayed: replayed !== null })
        }
      >
        {replayed && at !== null ? <ReplayedMoment moment={replayed} at={at} total={upgrade.shards.total} /> : children}
      </RunSheet>
      {replayed ? <p className="small muted">{t`Everything below shows the upgrade as it is now.`}</p> : null}
    </>
  );
}
