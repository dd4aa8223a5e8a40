import { Link } from "react-router";
import { Card } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Status, Version } from "../../parts/Status";
import { countText, shortService, type Word } from "../../parts/status";
import { Age, Time } from "../../time/Time";
import type { RiskLevel, DecisionImpact } from "../../wire/approvals";
import type { Approval } from "../../wire/model";
import { kindWords } from "../refs/graph/graph";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

export const riskWords: Record<RiskLevel, Word> = {
  low: { tone: "ok", word: t`low risk` },
  medium: { tone: "wait", word: t`medium risk` },
  high: { tone: "bad", word: t`high risk` },
};

const FEW = 5;

/** How risky it is and why, and when it would happen: read before anything else. */
export function Summary({ of }: { of: DecisionImpact }) {
  const { risk, when } = of;
  return (
    <div className="impact">
      <div>
        <p className="impact-head">
          <Status of={riskWords[risk.level]} />
        </p>
        <ul className="plain-list small">
          {risk.reasons.map((reason, at) => (
            <li key={reason}>{worded(reason, risk.reason_phrases?.[at])}</li>
          ))}
        </ul>
      </div>
      <div>
        <p className="impact-head muted">{t`When`}</p>
        <p className="small">{worded(when.sentence, when.phrases)}</p>
        {when.not_before ? (
          <p className="small row tight">
            <Shape tone="wait" size={13} /> {rich`Not before ${(<Time at={when.not_before} />)}`}
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Findings({ of, approval }: { of: DecisionImpact; approval: Approval }) {
  const to =
    approval.purpose === "revert"
      ? [approval.to_version, approval.from_version]
      : [approval.from_version, approval.to_version];
  const { report } = of;
  const counts = Object.entries(report?.counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([weight, count]) => `${count} ${weight}`);
  return (
    <>
      {report === null
        ? t`unknown: no definition was applied`
        : counts.length
          ? counts.join(" · ")
          : t`conversions handle every difference`}
      {report?.breaking ? <span className="ink-bad"> {rich`· ${report.breaking} breaking for clients`}</span> : null}
      {report?.to_accept ? <span className="ink-wait"> {rich`· ${report.to_accept} to accept`}</span> : null}
      <div>
        <Link
          to={`/compat/${approval.deployment.split("/")[1] ?? ""}/${to[0]}..${to[1]}`}
        >{t`Compatibility report`}</Link>
      </div>
    </>
  );
}

const reasonOf = (of: DecisionImpact["references"]["breaking"][number]): string => worded(of.reason, of.phrases);

const kindText = (kind: string): string => (kindWords as Record<string, string>)[kind] ?? kind;

/** Fields that would refer to nothing: where they stand, what they refer to, and their resources. */
function BrokenReferences({ of }: { of: DecisionImpact["references"] }) {
  return (
    <>
      {of.breaking.length === 0 ? (
        <span className={of.unknown.length ? "muted" : ""}>{of.unknown.length ? t`none known` : t`none`}</span>
      ) : (
        <ul className="plain-list">
          {of.breaking.map((each) => (
            <li key={`${each.service} ${each.type} ${each.path} ${each.target}`}>
              <span className="row tight top">
                <Shape tone="bad" size={13} />
                <span>
                  <Link to={`/d/${each.service}/${each.region}?tab=references`}>
                    {shortService(each.service)} @ {each.region}
                  </Link>{" "}
                  <span className="mono">
                    {each.type}.{each.path}
                  </span>{" "}
                  {rich`refers to ${(<b>{each.target}</b>)} (${kindText(each.kind)}). ${reasonOf(each)}`}{" "}
                  <Link
                    to={`/resources?${new URLSearchParams({ service: each.service, region: each.region, type: each.type }).toString()}`}
                  >
                    {t`Resources`}
                  </Link>
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {of.unknown.length ? (
        <div className="row tight">
          <Shape tone="unknown" size={13} />{" "}
          {rich`unknown: no definition of ${of.unknown.map(shortService).join(", ")} exists`}
        </div>
      ) : null}
    </>
  );
}

/** Impact: data, regions, the deployments that stand on this one, and who calls the version that is left. */
export function ImpactCard({ approval }: { approval: Approval }) {
  const { blast } = approval.impact;
  const others = blast.regions.filter((each) => !each.here);
  return (
    <Card title={t`Impact`}>
      <dl className="facts small">
        <dt>{t`Resources`}</dt>
        <dd>{blast.resources_counted || blast.resources ? countText(blast.resources) : t`not counted yet`}</dd>
        <dt>{t`Client impact`}</dt>
        <dd>
          <Findings of={approval.impact} approval={approval} />
        </dd>
        <dt>{t`Broken references`}</dt>
        <dd>
          <BrokenReferences of={approval.impact.references} />
        </dd>
        <dt>{t`Dependents`}</dt>
        <dd>
          {blast.dependants.length === 0 ? (
            t`none in this region`
          ) : (
            <ul className="plain-list">
              {blast.dependants.map((each) => (
                <li key={each.service}>
                  <Link to={`/d/${each.service}/${each.region}`}>
                    {shortService(each.service)} @ {each.region}
                  </Link>
                  {each.builds_on ? <> {rich`imports ${(<Version of={each.builds_on} />)}`}</> : t` uses it`}
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{rich`Callers of ${approval.from_version}`}</dt>
        <dd>
          {blast.callers.length === 0 ? (
            t`none seen in ${blast.seen_days} days`
          ) : (
            <ul className="plain-list">
              {blast.callers.slice(0, FEW).map((each) => (
                <li key={each.client}>
                  {rich`${each.client || t`unnamed`}: ${countText(each.messages)} ${plural(each.messages, "call", "calls")},
                    last ${(<Age at={each.last_seen} />)}`}
                </li>
              ))}
              {blast.callers.length > FEW ? (
                <li className="muted">{rich`and ${blast.callers.length - FEW} more`}</li>
              ) : null}
            </ul>
          )}
        </dd>
        <dt>{t`Other regions`}</dt>
        <dd>
          {others.length === 0
            ? t`none`
            : others.map((each) => (
                <span key={each.region} className="nowrap region-version">
                  {each.region} <Version of={each.version} />
                </span>
              ))}
        </dd>
      </dl>
    </Card>
  );
}
