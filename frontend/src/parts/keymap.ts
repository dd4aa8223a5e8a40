/** Every key of the console in one place: the help dialog and the documentation show this list. */
export interface Binding {
  keys: string;
  does: string;
  where: string;
  go?: string;
}

export const bindings: readonly Binding[] = [
  { keys: "?", does: "Show this help", where: "Everywhere" },
  { keys: "Ctrl K", does: "Search or jump to a page, deployment or upgrade", where: "Everywhere" },
  { keys: "/", does: "Go to the page's filter", where: "Everywhere" },
  { keys: "p", does: "Pause live updates, or show held changes", where: "Everywhere" },
  { keys: "t", does: "Change the time zone: UTC, mine, the region's", where: "Everywhere" },
  { keys: "d", does: "Change between light and dark", where: "Everywhere" },
  { keys: "Esc", does: "Close the dialog or inspector", where: "Everywhere" },
  { keys: "g o", does: "Home", where: "Go to", go: "/" },
  { keys: "g f", does: "Fleet", where: "Go to", go: "/fleet" },
  { keys: "g u", does: "Upgrades", where: "Go to", go: "/upgrades" },
  { keys: "g a", does: "Approvals", where: "Go to", go: "/approvals" },
  { keys: "g b", does: "Browse resources", where: "Go to", go: "/resources" },
  { keys: "g r", does: "References", where: "Go to", go: "/refs" },
  { keys: "g v", does: "Versions", where: "Go to", go: "/versions" },
  { keys: "g c", does: "Compatibility, by service", where: "Go to", go: "/versions" },
  { keys: "g w", does: "Windows", where: "Go to", go: "/windows" },
  { keys: "g l", does: "Activity", where: "Go to", go: "/activity" },
  { keys: "g h", does: "System health", where: "Go to", go: "/health" },
  { keys: "j / k", does: "Next or previous row", where: "Lists" },
  { keys: "Enter", does: "Open the row or cell", where: "Lists" },
  { keys: "x", does: "Select the row or cell", where: "Lists" },
  {
    keys: "[ / ]",
    does: "Previous or next item of the list",
    where: "Approval and deployment",
  },
  { keys: "Arrows", does: "Move between cells", where: "Fleet and shard grids" },
  { keys: "Space", does: "Select the cell", where: "Fleet" },
  {
    keys: "a / r",
    does: "Open the focused request at the approval, or at the comment for a rejection",
    where: "Approvals",
  },
  { keys: "f", does: "Go to the first failed shard", where: "Upgrade" },
  { keys: "n", does: "Go to the next slow shard", where: "Upgrade" },
  { keys: "[ / ]", does: "Previous or next shard", where: "Upgrade" },
  { keys: "1 – 5", does: "Shards, charts, data, timeline, readiness", where: "Upgrade" },
  { keys: "a / r", does: "Request approval, or open the request", where: "Upgrade" },
  { keys: "s", does: "Switch (opens the dialog)", where: "Upgrade" },
  { keys: "b", does: "Roll back (opens the dialog)", where: "Upgrade" },
  {
    keys: "Arrows",
    does: "In the list: left to referrers, right to targets, up and down between siblings",
    where: "References",
  },
  { keys: "+ / -", does: "Expand or collapse the selected resource", where: "References" },
  { keys: ".", does: "Focus on the selected resource", where: "References" },
  { keys: "P", does: "Show the path to the selected resource", where: "References" },
];

const SEQUENCE_MS = 1200;

/** Turns key presses into names: `g` followed soon by `f` is `g f`. */
export class KeyReader {
  private first = "";
  private at = 0;

  read(key: string, now: number): string {
    const sequence = this.first && now - this.at <= SEQUENCE_MS ? `${this.first} ${key}` : key;
    this.first = sequence === "g" ? "g" : "";
    this.at = now;
    return sequence;
  }
}

/** Typing into a field is never a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
