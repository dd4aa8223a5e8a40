/** What refers to what, as the API answers it. */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type ReferenceNode = Schemas["ReferenceNode"];
export type ReferenceEdge = Schemas["ReferenceEdge"];
/** A reference with what its deployment told of its source; empty where it told nothing more. */
export type Referring = Schemas["IncomingReference"];
export type ReferenceKind = ReferenceEdge["kind"];
export type Unanswered = Schemas["UnansweredDeployment"];
export type References = Schemas["References"];
export type DeletionCheck = Schemas["DeletionCheck"];
