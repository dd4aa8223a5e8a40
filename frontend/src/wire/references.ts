/** What refers to what, as the API answers it. */

export type ReferenceKind = "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";

export interface ReferenceNode {
  id: string;
  name: string;
  type: string;
  service: string;
  region: string;
  version: string;
  state: "ACTIVE" | "DELETE_PENDING" | "DELETING" | "MISSING" | "UNKNOWN";
  /** When it was last written; known of those that were looked up. */
  changed_at?: string | null;
}

export interface ReferenceEdge {
  source: string;
  target: string;
  kind: ReferenceKind;
  path: string;
  version: string;
}

/** A reference with what its deployment told of its source; empty where it told nothing more. */
export interface Referring extends ReferenceEdge {
  type: string;
  owner: string;
  since: string | null;
}

export interface Unanswered {
  service: string;
  region: string;
  reason: string;
}

export interface References {
  focus: string;
  nodes: ReferenceNode[];
  edges: ReferenceEdge[];
  hidden: { budget: number; filter: number };
  unknown: Unanswered[];
}

export interface DeletionCheck {
  focus: ReferenceNode;
  verdict: "safe" | "blocked" | "unknown";
  sentence: string;
  blockers: Referring[];
  cascades: ReferenceNode[];
  unsets: Referring[];
  unknown: Unanswered[];
}
