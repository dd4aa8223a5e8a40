import type { Problem } from "./model";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RolloutItem = Schemas["RolloutItem"];
export type RolloutTarget = Schemas["RolloutTarget"];
export type Rollout = Schemas["Rollout"];

type RehearsedItem = Omit<Schemas["RolloutRehearsalItem"], "problem"> & Record<"problem", Problem | null>;
export type RolloutRehearsal = Omit<Schemas["RolloutRehearsal"], "items"> & Record<"items", RehearsedItem[]>;
