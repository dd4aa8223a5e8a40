/** What a deployment has under way with others, as the API answers it. */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Tally = Schemas["ConstraintCounts"];
export type Moving = Schemas["PendingDeletion"];
export type Constraints = Schemas["DeploymentConstraints"];
export type CopySource = Schemas["CopySource"];
export type Subscription = Schemas["Subscription"];
export type Eviction = Schemas["Eviction"];
export type Evictions = Schemas["Evictions"];
