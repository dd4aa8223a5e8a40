import type { Problem } from "./model";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RolloutItem = Schemas["RolloutItem"];
export type RolloutTarget = Schemas["RolloutTarget"];
export type Rollout = Schemas["Rollout"];

export interface RolloutRehearsal extends Omit<Schemas["RolloutRehearsal"], "items"> {
  items: (Omit<Schemas["RolloutRehearsalItem"], "problem"> & { problem: Problem | null })[];
}
