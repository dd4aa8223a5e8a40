/** Webhooks and their deliveries, as the API carries them. */

export interface Hook {
  id: string;
  name: string;
  rev: number;
  url: string;
  events: string[];
  service: string;
  region: string;
  active: boolean;
  former_until: string | null;
  created_by: string;
  created_at: string;
  waiting?: number;
  failed?: number;
}

export interface Delivery {
  id: number;
  seq: number;
  event: string;
  body: Record<string, unknown>;
  state: "pending" | "delivered" | "failed";
  attempts: number;
  next_at: string | null;
  status: number | null;
  took_ms: number | null;
  error: string;
  created_at: string;
  delivered_at: string | null;
}
