/** What a deployment has under way with others, as the API answers it. */

import type { components } from "./schema";

type Shapes = components["schemas"];

export type Tally = Shapes["TallyShape"];
export type Moving = Shapes["MovingShape"];
export type Constraints = Shapes["DeploymentConstraintsShape"];
export type CopySource = Shapes["CopySourceShape"];
export type Subscription = Shapes["SubscriptionShape"];
export type Eviction = Shapes["EvictionShape"];
export type Evictions = Shapes["EvictionsShape"];
