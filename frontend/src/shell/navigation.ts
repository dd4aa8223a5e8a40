import type { Overview } from "../wire/model";
import { t } from "../words/text";

export interface Place {
  to: string;
  title: string;
  icon:
    | "overview"
    | "fleet"
    | "upgrades"
    | "rollouts"
    | "approvals"
    | "resources"
    | "references"
    | "versions"
    | "windows"
    | "activity"
    | "access"
    | "hooks"
    | "health"
    | "developer";
  /** Shown only to people who may read it. */
  permission?: string;
  count?: (overview: Overview) => number;
  hot?: boolean;
}

/** The pages of the console; a page is listed here only when the server can answer it. */
export const places: readonly Place[] = [
  { to: "/", title: t`Home`, icon: "overview" },
  { to: "/fleet", title: t`Fleet`, icon: "fleet", permission: "fleet.read" },
  {
    to: "/upgrades",
    title: t`Upgrades`,
    icon: "upgrades",
    permission: "upgrade.read",
    count: (overview) => overview.now.running,
  },
  { to: "/rollouts", title: t`Rollouts`, icon: "rollouts", permission: "upgrade.read" },
  {
    to: "/approvals",
    title: t`Approvals`,
    icon: "approvals",
    permission: "approval.read",
    count: (overview) => overview.now.waiting_mine,
    hot: true,
  },
  { to: "/resources", title: t`Resources`, icon: "resources", permission: "resource.read" },
  { to: "/refs", title: t`References`, icon: "references", permission: "resource.read" },
  { to: "/versions", title: t`Versions`, icon: "versions", permission: "registry.read" },
  { to: "/windows", title: t`Windows`, icon: "windows", permission: "approval.read" },
  { to: "/activity", title: t`Activity`, icon: "activity", permission: "audit.read" },
  { to: "/settings/access", title: t`Access`, icon: "access" },
  { to: "/settings/hooks", title: t`Notifications`, icon: "hooks", permission: "access.read" },
  { to: "/health", title: t`System health`, icon: "health" },
  { to: "/developer", title: t`Developers`, icon: "developer" },
];
