import type { components } from "./schema";

type Schemas = components["schemas"];

export type ResourceList = Schemas["Resources"];
export type ResourceLine = Schemas["ListedResource"];
export type ResourceInAll = Schemas["Resource"];
export type VersionView = Schemas["VersionView"];
export type ConversionStep = Schemas["ConversionStep"];
export type BagEntry = Schemas["BagEntry"];
