import type { components } from "./schema";

type Schemas = components["schemas"];

export type ResourceChange = Schemas["ResourceChangeSchema"];
export type ResourceImage = Schemas["ImageSchema"];
export type ActivityEntry = Schemas["ActivitySchema"];
export type Logs = Schemas["LogsSchema"];
export type ConversionSession = Schemas["ConversionSessionSchema"];
export type ConversionRecord = Schemas["ConversionRecordSchema"];
