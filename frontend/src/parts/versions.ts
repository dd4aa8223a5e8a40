/** `v1alpha2` before `v1beta1` before `v1` before `v2`: the order in which an API grows up. */
export function byAge(one: string, other: string): number {
  const [a, b] = [rank(one), rank(other)];
  for (let at = 0; at < a.length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.localeCompare(other);
}

function rank(version: string): number[] {
  const result = /^v(\d+)(?:(alpha|beta)(\d*))?$/.exec(version);
  if (!result) return [Number.MAX_SAFE_INTEGER, 0, 0];
  const stage = result[2] === "alpha" ? 0 : result[2] === "beta" ? 1 : 2;
  return [Number(result[1]), stage, Number(result[3] || 0)];
}
