import { zone, type Zone } from "../time/clock";
import { write } from "./client";

let saving = 0;

/** What the account keeps wins over what this browser remembers, but for a choice that is still on its way. */
export function learnZone(kept: string): void {
  if (kept && saving === 0) zone.set(kept as Zone);
}

/** Show another zone at once, and keep it with the account for every other browser; this one remembers it in any case. */
export async function chooseZone(next: Zone): Promise<void> {
  zone.set(next);
  saving += 1;
  await write.put("/session/zone", { body: { zone: next } }).catch(() => undefined);
  saving -= 1;
}
