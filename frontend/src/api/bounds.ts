import type { Account } from "../wire/model";
import { t } from "../words/text";

/** Whether a glob names a service: `*`, `?` and everything else as it is written. */
function names(glob: string, service: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|\\[\]]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${pattern}$`).test(service);
}

/** Why an account may not change what concerns a service in all regions; empty where they may. */
export function wideRefusal(account: Account | null, permission: string, service: string, otherwise: string): string {
  if (!account?.permissions.includes(permission)) return otherwise;
  const held = account.bounds?.[permission];
  if (!held || held.some((each) => each.endsWith(" @ *") && names(each.slice(0, -4), service))) return "";
  return t`This concerns every region of ${service}; your role holds for ${held.join(", ")}.`;
}
