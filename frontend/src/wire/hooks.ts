import type { components } from "./schema";

type Shapes = components["schemas"];

export type Hook = Shapes["HookShape"];
export type Delivery = Shapes["DeliveryShape"];
export type HookPreview = Shapes["HookPreviewShape"];
