import { durationText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { shortName } from "./waves";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export type RolloutProposal = components["schemas"]["RolloutProposal"];

/** How long the waves of a proposal take, in words. */
export function expectedText(seconds: number | null): string {
  return seconds === null ? t`unknown: no earlier upgrade of a service` : t`about ${durationText(seconds)}`;
}

/** The instant that windows and freezes let the last deployment of a wave switch at; null where none is waited for. */
function notBefore(wave: RolloutProposal["waves"][number]): string | null {
  return wave.map((each) => each.not_before).reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}

/** The waves of a proposal: each deployment with the reasons for its place, and what is left out. */
export function Proposal({ of }: { of: RolloutProposal }) {
  return (
    <>
      <div className="lanes">
        {of.waves.map((wave, at) => (
          <section key={at} className="card" aria-label={t`Proposed wave ${at + 1}`}>
            <h3>{rich`Wave ${at + 1}`}</h3>
            {notBefore(wave) ? (
              <p className="small ink-wait">
                {rich`Cannot switch before ${(<Time at={notBefore(wave)} age={false} />)}`}
              </p>
            ) : null}
            <ul className="plain-list">
              {wave.map((each) => (
                <li key={each.deployment}>
                  <b>{shortName(each.deployment)}</b>{" "}
                  <span className="small muted">
                    {rich`${each.from_version} to ${of.target_version}${each.seconds === null ? "" : `, ${durationText(each.seconds)}`}`}
                  </span>
                  <ul className="plain-list small muted">
                    {each.reasons.map((reason, number) => (
                      <li key={reason}>{worded(reason, each.reason_phrases?.[number])}</li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {of.left_out.length ? (
        <>
          <h3>{t`Cannot be upgraded now`}</h3>
          <ul className="plain-list small" aria-label={t`Left out`}>
            {of.left_out.map((each) => (
              <li key={each.deployment}>
                <b>{shortName(each.deployment)}</b> <span className="muted">{worded(each.reason, each.phrases)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}
