import type { components } from "../../../wire/schema";
import { t } from "../../../words/text";

export type UsedPlace = components["schemas"]["UsedPlace"];

export const MAY_NOT_CHANGE = t`This requires permission to change services.`;
