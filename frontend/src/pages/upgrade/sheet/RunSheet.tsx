import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
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

/** A step in one line; one that is done is opened to what was known then, any other leads to what it goes by. */
function StepRow({ step, known }: { step: SheetStep; known: ReactNode }) {
  const title = <b>{PHASE_TITLES[step.phase]}</b>;
  const isAhead = step.state === "todo" || step.state === "skipped";
  const row = (
    <>
      {isAhead || step.state === "done" ? (
        title
      ) : (
        <a
          href={`#${DETAILS[step.phase]}`}
          onClick={(event) => {
            event.preventDefault();
            go(DETAILS[step.phase]);
          }}
        >
          {title}
        </a>
      )}
      <span className="unseen">, {stepWords[step.state]}</span>
      <span className="spine-text">{step.text}</span>
      <span className="small muted spine-time">
        {step.at && step.state !== "todo" ? <Time at={step.at} age={false} /> : step.expected}
      </span>
    </>
  );
  if (!known) return <div className="spine-row">{row}</div>;
  return (
    <details className="past">
      <summary className="spine-row">{row}</summary>
      <div className="past-known">{known}</div>
    </details>
  );
}

/** The present step keeps what is typed in it when another step becomes the present one: its element moves there. */
function usePresentElement() {
  const [element] = useState(() => {
    const made = document.createElement("div");
    made.className = "present";
    made.tabIndex = -1;
    return made;
  });
  const place = useCallback(
    (step: HTMLLIElement | null): void => {
      if (!step || element.parentNode === step) return;
      const focused = document.activeElement;
      step.append(element);
      if (focused instanceof HTMLElement && element.contains(focused)) focused.focus({ preventScroll: true });
    },
    [element],
  );
  return { element, place };
}

/** The steps of an upgrade down a spine, in the order of time; the present one is large. */
export function RunSheet({
  steps,
  stepRecord,
  children,
}: {
  steps: readonly SheetStep[];
  /** What was known when a step was done. */
  stepRecord?: (phase: Phase) => ReactNode;
  children: ReactNode;
}) {
  const focus = useFocusOfPresent();
  const { element, place } = usePresentElement();
  const present = steps.find((step) => step.state === "current" || step.state === "failed");
  return (
    <ol {...focus} className="spine" aria-label={t`Steps of the upgrade`}>
      {steps.map((step) => (
        <li
          key={step.phase}
          className={step.state}
          {...(step === present ? { ref: place, "aria-current": "step" as const } : {})}
        >
          <span className="dot" aria-hidden="true">
            {step.state === "failed" ? <Shape tone="bad" size={14} /> : null}
          </span>
          <StepRow step={step} known={step.state === "done" ? stepRecord?.(step.phase) : null} />
        </li>
      ))}
      {present ? null : (
        <li className="done outcome" ref={place}>
          <span className="dot" aria-hidden="true" />
        </li>
      )}
      {createPortal(children, element)}
    </ol>
  );
}
