import { Shape } from "../../parts/Shape";
import { stepWords } from "../../parts/status";
import { durationText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { Step } from "../../wire/model";
import { go } from "./Sections";
import { worded } from "../../words/server";
import { t } from "../../words/text";

/** Which part of the page shows what a step went by. */
const evidence: Record<string, string> = {
  Planned: "timeline",
  Preflight: "preflight",
  "Initial sync": "shards",
  Readiness: "gate",
  Switching: "data",
  "Rollback window": "gate",
  Done: "timeline",
};

const names: Record<string, string> = { INITIAL_SYNCING: t`Initial sync` };

/** The way of an upgrade from plan to end; every step says in words where it stands. */
export function Stepper({ steps, stage }: { steps: Step[]; stage: string }) {
  return (
    <ol className="stepper" aria-label={t`Steps of the upgrade`}>
      {steps.map((step) => (
        <li
          key={step.step}
          className={step.state}
          {...(step.state === "current" ? { "aria-current": "step" as const } : {})}
        >
          <span className="dot" aria-hidden="true">
            {step.state === "failed" ? <Shape tone="bad" size={12} /> : null}
          </span>
          {step.started_at || step.text ? (
            <a
              href={`#${evidence[step.step] ?? "timeline"}`}
              title={t`Details`}
              onClick={(event) => {
                event.preventDefault();
                go(evidence[step.step] ?? "timeline");
              }}
            >
              <b>{names[step.step] ?? step.step}</b>
            </a>
          ) : (
            <b>{names[step.step] ?? step.step}</b>
          )}
          <span className="unseen">, {stepWords[step.state]}</span>
          <span className="small">
            {step.started_at ? (
              <Time at={step.started_at} age={false} />
            ) : step.state === "skipped" ? (
              t`not needed`
            ) : (
              ""
            )}
          </span>
          <span className="small">
            {[
              step.took_seconds !== null && step.took_seconds >= 1 ? durationText(step.took_seconds) : "",
              step.who ?? "",
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {step.text ? <span className="small">{worded(step.text, step.phrases)}</span> : null}
          {step.state === "current" && stage ? <span className="stage-name mono">{stage}</span> : null}
        </li>
      ))}
    </ol>
  );
}
