import type { Upgrade } from "../../wire/model";

/** Whether the old version is kept current after the switch; where it is not, a rollback loses every later write. */
export function isOldKept(upgrade: Pick<Upgrade, "plan">): boolean {
  return upgrade.plan["downgrade_sync"] !== false;
}
