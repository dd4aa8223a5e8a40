import { afterEach, expect, it } from "vitest";
import { reauthenticate, reauthentication } from "./reauthentication";

afterEach(() => reauthentication.set(null));

it("asks once for all requests that wait, and lets all of them go on", async () => {
  const waiting = [reauthenticate(), reauthenticate(), reauthenticate()];
  reauthentication.get()?.settle(true);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(reauthentication.get()).toBeNull();
});

it("lets all of them fail where the person would not", async () => {
  const waiting = [reauthenticate(), reauthenticate()];
  reauthentication.get()?.settle(false);
  expect(await Promise.all(waiting)).toEqual([false, false]);
});

it("asks anew for a request that comes after the answer", async () => {
  const first = reauthenticate();
  reauthentication.get()?.settle(true);
  await first;
  const second = reauthenticate();
  expect(reauthentication.get()).not.toBeNull();
  reauthentication.get()?.settle(false);
  expect(await second).toBe(false);
});
