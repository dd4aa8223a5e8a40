import type { components } from "./schema";

type Schemas = components["schemas"];

export type Hook = Schemas["Hook"];
export type Delivery = Schemas["Delivery"];
export type HookPreview = Schemas["HookPreview"];
