import { Link } from "react-router";
import { Copy } from "../../../parts/Copy";
import type { Upgrade } from "../../../wire/model";

/** Where a plan for the same deployment begins: the next version, or the same plan again. */
export function nextPlanAddress(upgrade: Upgrade): string {
  const again = upgrade.state === "COMPLETED" ? {} : { target: upgrade.to_version, why: upgrade.comment };
  return `/upgrades/new?${new URLSearchParams({ deployment: upgrade.deployment, ...again }).toString()}`;
}

/** What stands fast of an upgrade, and where it can be taken away. */
export function Facts({ upgrade }: { upgrade: Upgrade }) {
  return (
    <section className="card">
      <dl className="facts small">
        <dt>Requested by</dt>
        <dd>{upgrade.requested_by}</dd>
        <dt>Plan</dt>
        <dd className="row tight">
          <span className="mono">{upgrade.plan_digest.slice(0, 12)}</span>
          <Copy value={upgrade.plan_digest} what="the plan's digest" />
        </dd>
        <dt>Deployment</dt>
        <dd>
          <Link to={`/d/${upgrade.service}/${upgrade.region}`}>
            {upgrade.service} @ {upgrade.region}
          </Link>
        </dd>
        <dt>Conversion</dt>
        <dd>
          <Link to={`/compat/${upgrade.service}/${upgrade.from_version}..${upgrade.to_version}`}>
            Compatibility report
          </Link>
        </dd>
        <dt>Command line</dt>
        <dd className="row tight">
          <code>swy upgrade watch {upgrade.id}</code>
          <Copy value={`swy upgrade watch ${upgrade.id}`} what="the command" />
        </dd>
        <dt>Report</dt>
        <dd>
          <a href={`/api/v1/upgrades/${upgrade.id}/report?as=md`}>Markdown</a>,{" "}
          <a href={`/api/v1/upgrades/${upgrade.id}/report`}>JSON</a>
        </dd>
      </dl>
    </section>
  );
}
