import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serve } from "../test/show";
import { BACKGROUND_HEADER, watchActivity } from "./activity";
import { read } from "./client";

let stop = (): void => undefined;
const told = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  stop = watchActivity(told);
  fireEvent.keyDown(window);
  told.mockClear();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const pass = (minutes: number): void => void vi.setSystemTime(Date.now() + minutes * 60_000);

async function marked(): Promise<boolean> {
  const sent = serve({ "GET /session": {} });
  await read("/session");
  return sent[0]?.headers.has(BACKGROUND_HEADER) ?? false;
}

it("marks what the page asks by itself, and not what a person has just asked for", async () => {
  expect(await marked()).toBe(false);
  pass(2);
  expect(await marked()).toBe(true);
  for (const input of [
    () => fireEvent.keyDown(window),
    () => fireEvent.pointerDown(document.body),
    () => fireEvent.wheel(document.body),
  ]) {
    pass(2);
    input();
    expect(await marked()).toBe(false);
  }
});

it("tells the server of who types for long without sending anything", async () => {
  await marked();
  for (let minute = 0; minute < 12; minute += 1) {
    pass(1);
    fireEvent.keyDown(window);
  }
  expect(told).toHaveBeenCalledTimes(2);
});
