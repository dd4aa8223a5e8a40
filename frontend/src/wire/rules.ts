import type { components } from "./schema";

type Schemas = components["schemas"];

export type Policy = Schemas["Policy"];
export type Emergency = Schemas["BreakGlassReview"];
export type WindowRule = Schemas["Window"];
export type Ruling = Schemas["SwitchPermission"];
