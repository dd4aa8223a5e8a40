import type { components } from "../../wire/schema";

export type UsedPlace = components["schemas"]["UsedPlace"];

export const MAY_NOT_CHANGE = "This requires permission to change services.";
