import type { Action, Check, Problem } from "./model";

export interface RolloutItem {
  deployment: string;
  service: string;
  region: string;
  from_version: string;
  to_version: string;
  state: "waiting" | "running" | "done" | "failed" | "skipped";
  reason: string;
  upgrade_id: string;
  upgrade_state: string;
  sentence: string;
  ready: number;
  total: number;
}

export interface Rollout {
  id: string;
  rev: number;
  title: string;
  comment: string;
  state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
  reason: string;
  sentence: string;
  wave: number | null;
  max_parallel: number;
  pause_seconds: number;
  created_by: string;
  created_at: string;
  finished_at: string | null;
  waves: RolloutItem[][];
  actions: Action[];
}

export interface RolloutRehearsal {
  possible: boolean;
  items: { deployment: string; wave: number; possible: boolean; checks: Check[]; problem: Problem | null }[];
}
