import { Age } from "../../time/Time";
import type { Check } from "../../wire/model";
import { worded } from "../../words/server";
import { Shape } from "../Shape";
import { verdictWords } from "../status";

const order: Record<Check["verdict"], number> = { fail: 0, unknown: 1, pending: 2, warn: 3, skipped: 4, pass: 5 };

/** The guards as the server judged them, what does not hold first. */
export function Checks({ checks, sorted = true }: { checks: readonly Check[]; sorted?: boolean }) {
  const shown = sorted ? [...checks].sort((one, other) => order[one.verdict] - order[other.verdict]) : checks;
  return (
    <ul className="checks">
      {shown.map((check) => (
        <li key={check.check}>
          <Shape tone={verdictWords[check.verdict].tone} size={14} />
          <div>
            <span className="unseen">{verdictWords[check.verdict].word}: </span>
            {worded(check.sentence, check.phrases)}
            {check.remedy ? <div className="small muted">{worded(check.remedy, check.remedy_phrases)}</div> : null}
          </div>
          {check.at ? (
            <span className="small muted">
              <Age at={check.at} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
