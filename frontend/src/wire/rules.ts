/** Policies, windows and emergencies, as the API carries them. */

export interface Policy {
  name: string;
  purpose: string;
  service: string;
  region: string;
  environment: string;
  needed: number;
  group: string;
  last_approver_may_run: boolean;
  expires_seconds: number;
  critical: boolean;
  window_needed: boolean;
  break_glass_group: string;
  rev: number;
}

export interface Emergency {
  id: string;
  upgrade_id: string;
  purpose: "switch" | "revert";
  who: string;
  reason: string;
  ticket: string;
  at: string;
  used_at: string | null;
  reviewed_by: string;
  reviewed_at: string | null;
  review: string;
}

export interface WindowRule {
  name: string;
  effect: "allow" | "deny";
  zone: string;
  service: string;
  region: string;
  environment: string;
  cron: string;
  minutes: number;
  starts: string;
  ends: string;
  reason: string;
  ticket: string;
  rev: number;
  created_by: string;
  next: { opens: string; closes: string; note: string }[];
}

export interface Ruling {
  deployment: string;
  at: string;
  allowed: boolean;
  sentence: string;
  winner: string;
  considered: string[];
  next_open: string | null;
}
