import type { Cell, FleetService } from "../../wire/model";
import type { Rollout, RolloutItem } from "../../wire/rollouts";
import type { Word } from "../../parts/status";
import { type Phrase, worded } from "../../words/server";
import { t } from "../../words/text";

export const rolloutWords: Record<Rollout["state"], Word> = {
  PLANNED: { tone: "plain", word: t`Planned` },
  RUNNING: { tone: "run", word: t`Running` },
  PAUSED: { tone: "wait", word: t`Paused` },
  DONE: { tone: "ok", word: t`Done` },
  STOPPED: { tone: "unknown", word: t`Stopped` },
};

export const itemWords: Record<RolloutItem["state"], Word> = {
  waiting: { tone: "plain", word: t`waits` },
  running: { tone: "run", word: t`running` },
  done: { tone: "ok", word: t`done` },
  failed: { tone: "bad", word: t`failed` },
  skipped: { tone: "unknown", word: t`skipped` },
};

/** A careful first order: what others stand on goes first; of each service one region alone, then the rest together. */
export function propose(
  names: readonly string[],
  cells: readonly Cell[],
  services: readonly FleetService[],
  first = "",
): string[][] {
  const rank = new Map(services.map((service) => [service.name, service.rank]));
  const chosen = cells
    .filter((cell) => names.includes(cell.name))
    .sort(
      (a, b) =>
        (rank.get(a.service) ?? 0) - (rank.get(b.service) ?? 0) ||
        a.service.localeCompare(b.service) ||
        Number(b.region === first) - Number(a.region === first) ||
        a.region.localeCompare(b.region),
    );
  const waves: string[][] = [];
  for (const service of new Set(chosen.map((cell) => cell.service))) {
    const [canary, ...rest] = chosen.filter((cell) => cell.service === service).map((cell) => cell.name);
    if (canary) waves.push([canary]);
    if (rest.length) waves.push(rest);
  }
  return waves;
}

/** Move one deployment a wave earlier or later; beyond the last wave it gets one of its own. */
export function move(waves: readonly (readonly string[])[], name: string, by: 1 | -1): string[][] {
  const from = waves.findIndex((wave) => wave.includes(name));
  if (from < 0) return waves.map((wave) => [...wave]);
  const to = from + by;
  const after = waves.map((wave) => wave.filter((each) => each !== name));
  if (to < 0) after.unshift([name]);
  else if (to >= after.length) after.push([name]);
  else after[to] = [...(after[to] ?? []), name];
  return after.filter((wave) => wave.length > 0);
}

/** Put one deployment into a wave; the number after the last makes it a wave of its own. */
export function place(waves: readonly (readonly string[])[], name: string, to: number): string[][] {
  if (!waves.some((wave) => wave.includes(name))) return waves.map((wave) => [...wave]);
  const after = waves.map((wave, at) => [...wave.filter((each) => each !== name), ...(at === to ? [name] : [])]);
  if (to >= waves.length) after.push([name]);
  return after.filter((wave) => wave.length > 0);
}

/** Waves in the address: deployments separated by commas, waves by semicolons. */
export function wavesText(waves: readonly (readonly string[])[]): string {
  return waves.map((wave) => wave.join(",")).join(";");
}

export function wavesFrom(text: string): string[][] {
  return text
    .split(";")
    .map((wave) => wave.split(",").filter(Boolean))
    .filter((wave) => wave.length > 0);
}

/** `services/x/deployments/y` as people say it. */
export function shortName(name: string): string {
  const [, service = "", , region = ""] = name.split("/");
  return `${service} @ ${region}`;
}

/** Why a version cannot be reached, each reason once with those it is about. */
export function reasonsOf({
  unreachable,
}: {
  unreachable: readonly { deployment: string; reason: string; phrases?: readonly Phrase[] }[];
}): string[] {
  const deployments = new Map<string, string[]>();
  for (const { deployment, reason, phrases } of unreachable) {
    const text = worded(reason, phrases);
    deployments.set(text, [...(deployments.get(text) ?? []), shortName(deployment)]);
  }
  return [...deployments].map(([text, names]) => `${names.join(", ")}: ${text}`);
}
