import { useEffect, useRef, type ReactNode } from "react";
import { Shape } from "../../../parts/Shape";
import { stepWords } from "../../../parts/status";
import { Time } from "../../../time/Time";
import { PHASE_TITLES, type Phase } from "../../../parts/charts/phases";
import { go } from "../Sections";
import type { SheetStep } from "./steps";
import { t } from "../../../words/text";

/** Which part of the page shows what a step went by. */
const DETAILS: Record<Phase, string> = {
  Plan: "timeline",
  Preflight: "preflight",
  Backfill: "shards",
  Evidence: "gate",
  Approvals: "gate",
  Cutover: "data",
  "Rollback window": "gate",
  Complete: "timeline",
};

/** The focus goes to the present step when what held it there is gone, as a button is once its action is done. */
function useFocusOfPresent() {
  const sheet = useRef<HTMLOListElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body)
      sheet.current?.querySelector<HTMLElement>(".present")?.focus({ preventScroll: true });
  });
  return {
    ref: sheet,
    onFocus: () => {
      isInside.current = true;
    },
    // Nothing is reported of an element that is taken away; who leaves it by a click or a key has left.
    onBlur: () => {
      isInside.current = false;
    },
  };
}

/** The steps of an upgrade down a spine, in the order of time; the present one is large. */
export function RunSheet({ steps, children }: { steps: readonly SheetStep[]; children: ReactNode }) {
  const focus = useFocusOfPresent();
  const present = steps.find((step) => step.state === "current" || step.state === "failed");
  return (
    <ol {...focus} className="spine" aria-label={t`Steps of the upgrade`}>
      {steps.map((step) => (
        <li key={step.phase} className={step.state} {...(step === present ? { "aria-current": "step" as const } : {})}>
          <span className="dot" aria-hidden="true">
            {step.state === "failed" ? <Shape tone="bad" size={14} /> : null}
          </span>
          <div className="spine-row">
            {step.state === "todo" || step.state === "skipped" ? (
              <b>{PHASE_TITLES[step.phase]}</b>
            ) : (
              <a
                href={`#${DETAILS[step.phase]}`}
                onClick={(event) => {
                  event.preventDefault();
                  go(DETAILS[step.phase]);
                }}
              >
                <b>{PHASE_TITLES[step.phase]}</b>
              </a>
            )}
            <span className="unseen">, {stepWords[step.state]}</span>
            <span className="spine-text">{step.text}</span>
            <span className="small muted spine-time">
              {step.at && step.state !== "todo" ? <Time at={step.at} age={false} /> : step.expected}
            </span>
          </div>
          {step === present ? (
            <div className="present" tabIndex={-1}>
              {children}
            </div>
          ) : null}
        </li>
      ))}
      {present ? null : (
        <li className="done outcome">
          <span className="dot" aria-hidden="true" />
          <div className="present" tabIndex={-1}>
            {children}
          </div>
        </li>
      )}
    </ol>
  );
}
