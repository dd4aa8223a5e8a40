import type { components } from "./schema";

type Schemas = components["schemas"];

export type ResourceChange = Schemas["ResourceChange"];
export type ResourceImage = Schemas["Image"];
export type ActivityEntry = Schemas["Activity"];
export type Logs = Schemas["Logs"];
export type ConversionSession = Schemas["ConversionSession"];
export type ConversionRecord = Schemas["ConversionRecord"];
