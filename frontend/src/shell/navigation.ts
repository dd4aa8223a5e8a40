import type { Overview } from "../wire/model";

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
  { to: "/", title: "Home", icon: "overview" },
  { to: "/fleet", title: "Fleet", icon: "fleet", permission: "fleet.read" },
  {
    to: "/upgrades",
    title: "Upgrades",
    icon: "upgrades",
    permission: "upgrade.read",
    count: (overview) => overview.now.running,
  },
  { to: "/rollouts", title: "Rollouts", icon: "rollouts", permission: "upgrade.read" },
  {
    to: "/approvals",
    title: "Approvals",
    icon: "approvals",
    permission: "approval.read",
    count: (overview) => overview.now.waiting_mine,
    hot: true,
  },
  { to: "/resources", title: "Resources", icon: "resources", permission: "resource.read" },
  { to: "/refs", title: "References", icon: "references", permission: "resource.read" },
  { to: "/versions", title: "Versions", icon: "versions", permission: "registry.read" },
  { to: "/windows", title: "Windows", icon: "windows", permission: "approval.read" },
  { to: "/activity", title: "Activity", icon: "activity", permission: "audit.read" },
  { to: "/settings/access", title: "Access", icon: "access" },
  { to: "/settings/hooks", title: "Notifications", icon: "hooks", permission: "access.read" },
  { to: "/health", title: "System health", icon: "health" },
  { to: "/developer", title: "Developers", icon: "developer" },
];
