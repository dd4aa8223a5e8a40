import type { Problem } from "./model";
import type { components } from "./schema";

type Shapes = components["schemas"];

export type RolloutItem = Shapes["RolloutItemShape"];
export type RolloutTarget = Shapes["RolloutTargetShape"];
export type Rollout = Shapes["RolloutShape"];

export interface RolloutRehearsal extends Omit<Shapes["RolloutRehearsalShape"], "items"> {
  items: (Omit<Shapes["RolloutRehearsalItemShape"], "problem"> & { problem: Problem | null })[];
}
