import type { components } from "./schema";

type Shapes = components["schemas"];

export type Policy = Shapes["PolicyShape"];
export type Emergency = Shapes["EmergencyShape"];
export type WindowRule = Shapes["WindowShape"];
export type Ruling = Shapes["RulingShape"];
