import { Button, Popover } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { clockText, dateText, zone } from "../../../time/clock";
import { useStore } from "../../../state/store";
import type { Upgrade } from "../../../wire/model";
import { rich, t } from "../../../words/text";

/** Where the run sheet is downloaded as a signed file, as of a moment in milliseconds; null: now. */
export function sheetAddress(id: string, format: "html" | "md", at: number | null): string {
  const query = new URLSearchParams({ as: format, ...(at === null ? {} : { at: new Date(at).toISOString() }) });
  return `/api/v1/upgrades/${id}/run-sheet?${query.toString()}`;
}

/** The command that writes the same file. */
export function sheetCommand(id: string, at: number | null): string {
  return `swy report get ${id}${at === null ? "" : ` --at ${new Date(at).toISOString()}`} -o run-sheet.html`;
}

/** Gives the run sheet, as it is shown, as a signed file for a change record. */
export function Share({ upgrade, at }: { upgrade: Pick<Upgrade, "id">; at: number | null }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const which = useStore(zone);
  const moment = at === null ? t`now` : `${dateText(at, which)} ${clockText(at, which)}`;
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          {t`Share…`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className="small muted">{rich`Signed copy as of ${moment}`}</p>
        <ul className="plain-list">
          <li>
            <a href={sheetAddress(upgrade.id, "html", at)} download>
              {t`HTML file, also to print`}
            </a>
          </li>
          <li>
            <a href={sheetAddress(upgrade.id, "md", at)} download>
              {t`Markdown file`}
            </a>
          </li>
          <li>
            <Button size="compact-xs" onClick={() => clipboard.copy(sheetCommand(upgrade.id, at))}>
              {clipboard.copied ? t`Copied` : t`Copy the swy command`}
            </Button>
          </li>
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
