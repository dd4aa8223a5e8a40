import { createStore } from "../state/store";

/** The header in which every answer names the console that its server would give. */
export const BUILD_HEADER = "X-Console-Build";

/** Which console this page is, as its server wrote into it. */
export function buildHere(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="console-build"]')?.content ?? "";
}

/** The build of a newer console, once some answer named one. */
export const newBuild = createStore<string>("");

/** Look at an answer: another build than ours means that our lazy pages may be gone. */
export function noteBuild(named: string | null): void {
  if (!named) return;
  const here = buildHere();
  if (here && named !== newBuild.get()) newBuild.set(named === here ? "" : named);
}

/** A page's code could not be fetched: whatever the build is called, only a reload brings it. */
export function noteGone(): void {
  if (!newBuild.get()) newBuild.set("unknown");
}
