import { Link } from "react-router";
import { Copy } from "../../../parts/Copy";
import type { Upgrade } from "../../../wire/model";
import { t } from "../../../words/text";

/** Where a plan for the same deployment begins: the next version, or the same plan again. */
export function nextPlanAddress(upgrade: Upgrade): string {
  const again = upgrade.state === "COMPLETED" ? {} : { target: upgrade.to_version, why: upgrade.comment };
  return `/upgrades/new?${new URLSearchParams({ deployment: upgrade.deployment, ...again }).toString()}`;
}

/** What stands fast of an upgrade, and where it can be taken away. */
export function Facts({ upgrade }: { upgrade: Upgrade }) {
  return (
    <section className="card">
      <dl className="facts facts-across small">
        <dt>{t`Requested by`}</dt>
        <dd>{upgrade.requested_by}</dd>
        <dt>{t`Plan`}</dt>
        <dd className="row tight">
          <span className="mono">{upgrade.plan_digest.slice(0, 12)}</span>
          <Copy value={upgrade.plan_digest} what={t`the plan's digest`} />
        </dd>
        <dt>{t`Deployment`}</dt>
        <dd>
          <Link to={`/d/${upgrade.service}/${upgrade.region}`}>
            {upgrade.service} @ {upgrade.region}
          </Link>
        </dd>
        <dt>{t`Conversion`}</dt>
        <dd>
          <Link to={`/compat/${upgrade.service}/${upgrade.from_version}..${upgrade.to_version}`}>
            {t`Compatibility report`}
          </Link>
        </dd>
        <dt>{t`Command line`}</dt>
        <dd className="row tight">
          <code>swy upgrade watch {upgrade.id}</code>
          <Copy value={`swy upgrade watch ${upgrade.id}`} what={t`the command`} />
        </dd>
        <dt>{t`Report`}</dt>
        <dd>
          <a href={`/api/v1/upgrades/${upgrade.id}/report?as=md`}>{t`Markdown`}</a>,{" "}
          <a href={`/api/v1/upgrades/${upgrade.id}/report`}>{t`JSON`}</a>
        </dd>
      </dl>
    </section>
  );
}
