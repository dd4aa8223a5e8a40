/** What refers to what, as the API answers it. */

import type { components } from "./schema";

type Shapes = components["schemas"];

export type ReferenceNode = Shapes["ReferenceNodeShape"];
export type ReferenceEdge = Shapes["ReferenceEdgeShape"];
/** A reference with what its deployment told of its source; empty where it told nothing more. */
export type Referring = Shapes["ReferringShape"];
export type ReferenceKind = ReferenceEdge["kind"];
export type Unanswered = Shapes["UnansweredShape"];
export type References = Shapes["ReferencesShape"];
export type DeletionCheck = Shapes["DeletionCheckShape"];
