import type { Overview } from "../wire/model";

export interface Place {
  to: string;
  title: string;
  icon: "overview" | "fleet" | "upgrades" | "approvals" | "references" | "versions" | "windows" | "activity" | "access" | "health" | "developer";
  /** Shown only to people who may read it. */
  permission?: string;
  count?: (overview: Overview) => number;
  hot?: boolean;
}

/** The pages of the console; a page is listed here only when the server can answer it. */
export const places: readonly Place[] = [
  { to: "/", title: "Overview", icon: "overview" },
  { to: "/health", title: "System health", icon: "health" },
];
