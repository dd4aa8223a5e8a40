import {
  IconActivity,
  IconArrowsExchange,
  IconCalendarTime,
  IconChecks,
  IconCode,
  IconDatabase,
  IconHeartbeat,
  IconKey,
  IconLayoutGrid,
  IconStairs,
  IconSitemap,
  IconStack2,
  IconTopologyStar3,
  IconWebhook,
} from "@tabler/icons-react";
import { NavLink } from "react-router";
import { useAccount, useOverview } from "../api/queries";
import { places, type Place } from "./navigation";
import { t } from "../words/text";

const icons: Record<Place["icon"], typeof IconActivity> = {
  overview: IconLayoutGrid,
  fleet: IconSitemap,
  upgrades: IconArrowsExchange,
  rollouts: IconStairs,
  approvals: IconChecks,
  resources: IconDatabase,
  references: IconTopologyStar3,
  versions: IconStack2,
  windows: IconCalendarTime,
  activity: IconActivity,
  access: IconKey,
  hooks: IconWebhook,
  health: IconHeartbeat,
  developer: IconCode,
};

export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M2 17C9 17 11 5 20 5" stroke="var(--new)" strokeWidth="2.6" fill="none" />
      <path d="M2 17H20" stroke="var(--old)" strokeWidth="2.6" opacity=".8" />
      <circle cx="8.4" cy="13.9" r="2.4" fill="var(--accent)" />
    </svg>
  );
}

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const overview = useOverview().data;
  const account = useAccount();
  const mine = places.filter((place) => !place.permission || account?.permissions.includes(place.permission));
  return (
    <nav className="side" id="side" aria-label={t`Main`}>
      <div className="brand">
        <Mark />
        {t`Switchyard`}
      </div>
      {mine.map((place) => {
        const Icon = icons[place.icon];
        const count = overview && place.count ? place.count(overview) : 0;
        return (
          <NavLink key={place.to} to={place.to} end={place.to === "/"} onClick={onNavigate}>
            <Icon size={17} stroke={1.8} aria-hidden="true" />
            {place.title}
            {count > 0 ? (
              <span className={place.hot ? "count hot" : "count"}>
                {count}
                <span className="unseen"> {t`waiting`}</span>
              </span>
            ) : null}
          </NavLink>
        );
      })}
    </nav>
  );
}
