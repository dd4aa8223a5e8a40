import type { components } from "../../../wire/schema";
import { t } from "../../../words/text";

export type UsedPlace = components["schemas"]["UsedPlace"];

/** What may be used of a version. */
export const placeWords: Record<UsedPlace["kind"], string> = {
  version: t`version`,
  type: t`type`,
  method: t`method`,
  field: t`field`,
};

export const MAY_NOT_CHANGE = t`This requires permission to change services.`;
