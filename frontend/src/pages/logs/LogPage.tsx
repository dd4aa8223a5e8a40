import { type ReactNode } from "react";
import { Link } from "react-router";
import { useAccount } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { Empty } from "../../parts/states";
import { logAddress } from "./fields";
import { rich, t } from "../../words/text";

const needs = { changes: "resource.read", activity: "activity.read", conversions: "activity.observe" } as const;
const titles = {
  changes: t`Resource changes`,
  activity: t`Activity log`,
  conversions: t`Recorded conversions`,
} as const;

/** The frame of a page of one deployment's log, with the way to its other logs. */
export function LogPage({
  log,
  service,
  region,
  children,
}: {
  log: keyof typeof titles;
  service: string;
  region: string;
  children: ReactNode;
}) {
  const named = service !== "" && region !== "";
  const permissions = useAccount()?.permissions ?? [];
  const others = (Object.keys(titles) as (keyof typeof titles)[]).filter(
    (each) => each !== log && permissions.includes(needs[each]),
  );
  return (
    <Page
      title={titles[log]}
      heading={named ? <>{rich`${titles[log]} of ${service} @ ${region}`}</> : titles[log]}
      under={[
        {
          title: t`Resources`,
          to: named ? `/resources?${new URLSearchParams({ service, region }).toString()}` : "/resources",
        },
      ]}
    >
      {named ? (
        <>
          <p className="row wrap small">
            {others.map((each) => (
              <Link key={each} to={logAddress(each, service, region)}>
                {titles[each]}
              </Link>
            ))}
            <Link to={`/d/${service}/${region}`}>{t`Deployment`}</Link>
          </p>
          {children}
        </>
      ) : (
        <Card>
          <Empty title={t`No deployment is named in this address.`}>
            <Link to="/resources">{t`Choose a deployment`}</Link>
          </Empty>
        </Card>
      )}
    </Page>
  );
}
