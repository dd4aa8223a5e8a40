import type { UpgradeState } from "../../wire/model";
import { PHASE_TITLES, PHASES, phaseOf } from "./phases";
import type { Tone } from "../Shape";
import { t } from "../../words/text";

/** The steps of an upgrade as a row of dots; the words beside it say the same. */
export function MiniSpine({ state, tone }: { state: UpgradeState; tone: Tone }) {
  const at = phaseOf(state);
  const phase = PHASES[at];
  const label = phase ? t`Step ${at + 1} of ${PHASES.length}: ${PHASE_TITLES[phase]}` : t`All steps are done`;
  return (
    <span className="mini-spine" role="img" aria-label={label} title={label}>
      {PHASES.map((each, step) => (
        <i key={each} className={step < at ? "done" : step === at ? `at fill-${tone}` : ""} />
      ))}
    </span>
  );
}
