/** What a deployment has under way with others, as the API answers it. */

import type { Action } from "./model";

export interface Tally {
  owed: number;
  oldest_owed_seconds: number;
  blockades: number;
  oldest_blockade_seconds: number;
  overdue_blockades: number;
  pending_deletes: number;
  deleting: number;
  oldest_deleting_seconds: number;
}

export interface Moving {
  type: string;
  name: string;
  state: "DELETE_PENDING" | "DELETING";
  age_seconds: number;
  sources: string[];
  blockers: { type: string; name: string; path: string }[];
}

export interface Constraints {
  deployment: string;
  service: string;
  region: string;
  state: "known" | "unknown" | "evicted";
  reason: string;
  tally: Tally | null;
  moving: Moving[];
  read_copies: CopySource[];
  subscriptions: Subscription[];
  waits: { work: "pending" | "deleting"; waits_for: string; parked: boolean; seconds: number }[];
}

/** Where a deployment stands with a region that owns what it keeps copies of, in one version. */
export interface CopySource {
  region: string;
  version: string;
  state: "following" | "comparing" | "unknown";
  position: string;
  behind_seconds: number | null;
  waiting: number;
  problem: string;
}

/** How far a deployment has followed what another one deletes. */
export interface Subscription {
  service: string;
  region: string;
  state: "following" | "unknown" | "parked";
  position: string;
  behind_seconds: number | null;
  waiting: number;
  problem: string;
}

export interface Eviction {
  id: string;
  deployment: string;
  state: "OPEN" | "APPROVED" | "REJECTED" | "EXPIRED" | "VOID" | "USED";
  reason: string;
  asked_by: string;
  created_at: string;
  deadline: string;
  digest: string;
  needed: number;
  given: number;
  vote: Action;
  votes: { who: string; verdict: "approve" | "reject"; comment: string; at: string; void_reason: string }[];
}

export interface Evictions {
  evict: Action;
  items: Eviction[];
}
