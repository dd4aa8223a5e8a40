/**
 * `v1alpha2` before `v1beta1` before `v1preview` before `v1` before `v2`: the order in which an API grows up.
 *
 * Dates such as `v20140101` are numbers of eight digits and come after all shorter ones, as the registry orders them;
 * what is no version comes first.
 */
export function byAge(one: string, other: string): number {
  const [a, b] = [rank(one), rank(other)];
  for (let at = 0; at < a.length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.localeCompare(other);
}

const STAGES = ["alpha", "beta", "preview", ""];

function rank(version: string): number[] {
  const result = /^v(\d+)(?:(alpha|beta|preview)(\d*))?$/.exec(version);
  if (!result) return [0, 0, 0];
  return [Number(result[1]), STAGES.indexOf(result[2] ?? ""), Number(result[3] || 0)];
}
