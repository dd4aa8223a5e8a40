import { Link } from "react-router";
import { onDutyOf, OnDuty, useDuty } from "../../parts/duty";
import { Shape } from "../../parts/Shape";
import { Version } from "../../parts/Status";
import { countText, shortService } from "../../parts/status";
import { rangeText } from "../../time/clock";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";

export type ProspectsData = components["schemas"]["UpgradeForecast"];

/** What lies before it: who must agree and why they, when it may switch, how much it is, how long it took, and the rollback. */
export function Prospects({ of }: { of: ProspectsData }) {
  const duty = useDuty(of.policy.needed > 0);
  const there = onDutyOf(duty.data?.items ?? [], [of.policy.group]);
  return (
    <dl className="facts small prospects">
      <dt>Who must approve</dt>
      <dd>
        {of.policy.critical ? (
          <span className="row tight ink-bad">
            <Shape tone="bad" size={13} /> critical
          </span>
        ) : null}
        {of.policy.sentence}{" "}
        <span className="muted">
          Policy {of.policy.name}: {of.policy.reason}
        </span>
        {there.length ? (
          <div>
            On duty now: <OnDuty people={there} />
          </div>
        ) : null}
      </dd>
      <dt>Switch window</dt>
      <dd>
        <span className="row tight top">
          <Shape tone={of.window.allowed ? "ok" : "blocked"} size={13} />
          <span>
            {of.window.sentence}
            {of.window.next_open ? (
              <>
                {" "}
                Opens <Time at={of.window.next_open} />
              </>
            ) : null}
          </span>
        </span>
      </dd>
      <dt>Resources</dt>
      <dd>
        {of.resources === null
          ? "unknown before the first backfill"
          : `${countText(of.resources)} at the last backfill`}
      </dd>
      <dt>Backfill time</dt>
      <dd>
        {of.took
          ? `${rangeText(of.took.low_seconds, of.took.high_seconds)}, from the last ` +
            `${of.took.upgrades === 1 ? "backfill" : `${of.took.upgrades} backfills`} of this service`
          : "unknown: no earlier backfill of this service"}
      </dd>
      <dt>Rollback</dt>
      <dd>{of.rollback}</dd>
      <dt>Dependents</dt>
      <dd>
        {of.dependants.length === 0
          ? "none in this region"
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
