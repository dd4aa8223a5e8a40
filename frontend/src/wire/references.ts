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
}

export interface ReferenceEdge {
  source: string;
  target: string;
  kind: ReferenceKind;
  path: string;
  version: string;
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
  blockers: ReferenceEdge[];
  cascades: ReferenceNode[];
  unsets: ReferenceEdge[];
  unknown: Unanswered[];
}
