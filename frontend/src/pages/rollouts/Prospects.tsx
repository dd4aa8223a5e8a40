import { Link } from "react-router";
import { onDutyOf, OnDuty, useDuty } from "../../parts/duty";
import { Shape } from "../../parts/Shape";
import { Version } from "../../parts/Status";
import { countText, shortService } from "../../parts/status";
import { rangeText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";

export type ProspectsData = components["schemas"]["UpgradeForecast"];

/** What lies before it: who must agree and why they, when it may switch, how much it is, how long it took, and the rollback. */
export function Prospects({ of }: { of: ProspectsData }) {
  const duty = useDuty(of.policy.needed > 0);
  const there = onDutyOf(duty.data?.items ?? [], [of.policy.group]);
  return (
    <dl className="facts small prospects">
      <dt>{t`Who must approve`}</dt>
      <dd>
        {of.policy.critical ? (
          <span className="row tight ink-bad">
            <Shape tone="bad" size={13} /> {t`critical`}
          </span>
        ) : null}
        {worded(of.policy.sentence, of.policy.phrases)}{" "}
        <span className="muted">{rich`Policy ${of.policy.name}: ${worded(of.policy.reason, of.policy.reason_phrases)}`}</span>
        {there.length ? (
          <div>
            {t`On duty now:`} <OnDuty people={there} />
          </div>
        ) : null}
      </dd>
      <dt>{t`Switch window`}</dt>
      <dd>
        <span className="row tight top">
          <Shape tone={of.window.allowed ? "ok" : "blocked"} size={13} />
          <span>
            {worded(of.window.sentence, of.window.phrases)}
            {of.window.next_open ? <> {rich`Opens ${(<Time at={of.window.next_open} />)}`}</> : null}
          </span>
        </span>
      </dd>
      <dt>{t`Resources`}</dt>
      <dd>
        {of.resources === null
          ? t`unknown before the first backfill`
          : t`${countText(of.resources)} at the last backfill`}
      </dd>
      <dt>{t`Backfill time`}</dt>
      <dd>
        {of.took
          ? t`${rangeText(of.took.low_seconds, of.took.high_seconds)}, from the last ` +
            t`${of.took.upgrades === 1 ? t`backfill` : t`${of.took.upgrades} backfills`} of this service`
          : t`unknown: no earlier backfill of this service`}
      </dd>
      <dt>{t`Rollback`}</dt>
      <dd>{worded(of.rollback, of.rollback_phrases)}</dd>
      <dt>{t`Dependents`}</dt>
      <dd>
        {of.dependants.length === 0
          ? t`none in this region`
          : of.dependants.map((each) => (
              <span key={each.service} className="region-version">
                <Link to={`/d/${each.service}/${each.region}`}>{shortService(each.service)}</Link>
                {each.builds_on ? <Version of={each.builds_on} /> : null}
              </span>
            ))}
      </dd>
    </dl>
  );
}
