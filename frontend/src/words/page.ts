/** A how-to page in its parts: paragraphs and lists of steps, links as the words they stand under. Each is a text of the catalogue. */
export function parts(page: string): (string | string[])[] {
  return page
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "*$1*")
    .split(/\n\n+/)
    .slice(1)
    .map((part) => {
      const steps = part
        .split(/^\d+\. /m)
        .map((line) => line.replace(/\s+/g, " ").trim())
        .filter(Boolean);
      return /^\d+\. /.test(part) ? steps : (steps[0] ?? "");
    });
}
