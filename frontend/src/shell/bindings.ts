/** Every key of the console in one place: the help dialog and the documentation show this list. */
import { t } from "../words/text";

export interface Binding {
  keys: string;
  does: string;
  where: string;
}

export const bindings: readonly Binding[] = [
  { keys: "?", does: t`Show this help`, where: t`Everywhere` },
  { keys: t`Ctrl K`, does: t`Search or jump to a page, deployment or upgrade`, where: t`Everywhere` },
  { keys: "/", does: t`Go to the page's filter`, where: t`Everywhere` },
  { keys: "p", does: t`Pause live updates, or show held changes`, where: t`Everywhere` },
  { keys: "t", does: t`Change the time zone: UTC, mine, the region's`, where: t`Everywhere` },
  { keys: "d", does: t`Change between light and dark`, where: t`Everywhere` },
  { keys: t`Esc`, does: t`Close the dialog or inspector`, where: t`Everywhere` },
  { keys: "g o", does: t`Home`, where: t`Go to` },
  { keys: "g f", does: t`Fleet`, where: t`Go to` },
  { keys: "g u", does: t`Upgrades`, where: t`Go to` },
  { keys: "g a", does: t`Approvals`, where: t`Go to` },
  { keys: "g b", does: t`Browse resources`, where: t`Go to` },
  { keys: "g r", does: t`References`, where: t`Go to` },
  { keys: "g v", does: t`Versions`, where: t`Go to` },
  { keys: "g c", does: t`Compatibility, by service`, where: t`Go to` },
  { keys: "g w", does: t`Windows`, where: t`Go to` },
  { keys: "g l", does: t`Activity`, where: t`Go to` },
  { keys: "g h", does: t`System health`, where: t`Go to` },
  { keys: "j / k", does: t`Next or previous row`, where: t`Lists` },
  { keys: t`Enter`, does: t`Open the row or cell`, where: t`Lists` },
  { keys: "x", does: t`Select the row or cell`, where: t`Lists` },
  {
    keys: "[ / ]",
    does: t`Previous or next item of the list`,
    where: t`Approval and deployment`,
  },
  { keys: t`Arrows`, does: t`Move between cells`, where: t`Fleet and shard grids` },
  { keys: t`Space`, does: t`Select the cell`, where: t`Fleet` },
  {
    keys: "a / r",
    does: t`Open the focused request at the approval, or at the comment for a rejection`,
    where: t`Approvals`,
  },
  { keys: "v", does: t`Show or hide the summary of the focused request`, where: t`Approvals` },
  { keys: "f", does: t`Go to the first failed shard`, where: t`Upgrade` },
  { keys: "n", does: t`Go to the next slow shard`, where: t`Upgrade` },
  { keys: "[ / ]", does: t`Previous or next shard`, where: t`Upgrade` },
  { keys: "1 – 5", does: t`Shards, charts, data, timeline, readiness`, where: t`Upgrade` },
  { keys: "a / r", does: t`Request approval, or open the request`, where: t`Upgrade` },
  { keys: "s", does: t`Switch (opens the dialog)`, where: t`Upgrade` },
  { keys: "b", does: t`Roll back (opens the dialog)`, where: t`Upgrade` },
  {
    keys: t`Arrows`,
    does: t`In the list: left to referrers, right to targets, up and down between siblings`,
    where: t`References`,
  },
  { keys: "+ / -", does: t`Expand or collapse the selected resource`, where: t`References` },
  { keys: ".", does: t`Focus on the selected resource`, where: t`References` },
  { keys: "P", does: t`Show the path to the selected resource`, where: t`References` },
];
