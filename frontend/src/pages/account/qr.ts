/** One SVG path over the dark squares of a QR code; a run of them in a row is one rectangle. */
export function pathOf(rows: readonly string[]): string {
  return rows
    .map((row, y) =>
      [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`).join(""),
    )
    .join("");
}
