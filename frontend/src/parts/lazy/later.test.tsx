import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { newBuild } from "../../api/build";
import { show } from "../../test/show";
import { later } from "./later";

it("shows a part once its code is there, with what it was given", async () => {
  let arrive = (): void => undefined;
  const Part = later<{ of: string }>(
    () =>
      new Promise((resolve) => {
        arrive = () => resolve(({ of }) => <p>{`Part of ${of}`}</p>);
      }),
  );
  show(
    <>
      <p>The page</p>
      <Part of="it" />
    </>,
  );
  expect(screen.getByText("The page")).toBeTruthy();
  expect(screen.queryByText("Part of it")).toBeNull();
  arrive();
  expect(await screen.findByText("Part of it")).toBeTruthy();
});

it("leaves a page whole whose later part cannot be fetched, and says that a reload brings it", async () => {
  const Part = later(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
  let isNoted = (): void => undefined;
  const noted = new Promise<void>((resolve) => {
    isNoted = resolve;
  });
  const stop = newBuild.subscribe(isNoted);
  show(
    <>
      <p>The page</p>
      <Part />
    </>,
  );
  await noted;
  stop();
  expect(newBuild.get()).toBe("unknown");
  expect(screen.getByText("The page")).toBeTruthy();
});
