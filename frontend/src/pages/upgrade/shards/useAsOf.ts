import { useStore } from "../../../state/store";
import { serverNow, tick } from "../../../time/clock";
import type { Upgrade } from "../../../wire/model";
import { asOf } from "./shards";

/** The upgrade as it is known at this moment: figures and shards say the same of a report that is old. */
export function useAsOf(upgrade: Upgrade): Upgrade {
  return asOf(upgrade, serverNow(useStore(tick)));
}
