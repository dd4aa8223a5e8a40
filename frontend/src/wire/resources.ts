import type { components } from "./schema";

type Shapes = components["schemas"];

export type ResourceList = Shapes["ResourcesShape"];
export type ResourceLine = Shapes["ResourceLineShape"];
export type ResourceInAll = Shapes["ResourceShape"];
export type VersionView = Shapes["VersionViewShape"];
export type ConversionStep = Shapes["ConversionStepShape"];
export type BagEntry = Shapes["BagEntryShape"];
