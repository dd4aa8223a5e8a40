import type { UpgradeState } from "../wire/model";
import { PHASES, phaseOf } from "./phases";
import type { Tone } from "./Shape";

/** The steps of an upgrade as a row of dots; the words beside it say the same. */
export function MiniSpine({ state, tone }: { state: UpgradeState; tone: Tone }) {
  const at = phaseOf(state);
  const label = PHASES[at] ? `Step ${at + 1} of ${PHASES.length}: ${PHASES[at]}` : "All steps are done";
  return (
    <span className="mini-spine" role="img" aria-label={label} title={label}>
      {PHASES.map((phase, step) => (
        <i key={phase} className={step < at ? "done" : step === at ? `at fill-${tone}` : ""} />
      ))}
    </span>
  );
}
